import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from '../../../shared/ipc/views.ts';
import { Empty } from '../../parts/empty.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { HEADING_ID, Page } from '../../parts/page.tsx';
import { questionKey } from '../../questions.ts';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { ConflictQuestion } from './conflict-question.tsx';
import { FailedGroup } from './failed-group.tsx';
import { HeldQuestion } from './held-question.tsx';
import { StoppedQuestion } from './stopped-question.tsx';
import { UncertainQuestion } from './uncertain-question.tsx';

type Ways = { readonly onOpen: (detail: Detail) => void };
type Failed = Extract<Question, { readonly kind: 'failed' }>;
type Asking = Exclude<Question, Failed>;

const isFailed = (question: Question): question is Failed => question.kind === 'failed';
const isAsking = (question: Question): question is Asking => question.kind !== 'failed';

/** What only a person can settle: one question, one answer each. Refused mails stand below; they ask nothing. */
export function NeedsYouView(ways: Ways): JSX.Element {
  const { needsYou: texts } = useTexts();
  const [questions, ask] = useRequest('questions', null);
  const [said, setSaid] = useState('');
  const noted = (): void => {
    setSaid(texts.failed.noted);
    // The button that was pressed is gone with its group.
    document.getElementById(HEADING_ID)?.focus();
    ask();
  };
  return (
    <Page title={texts.title}>
      <LoadedView loaded={questions} onTryAgain={ask}>
        {(value) => {
          const asking = value.filter(isAsking);
          const failed = value.filter(isFailed);
          return (
            <>
              {asking.length === 0 && <Empty icon="check" title={texts.noneTitle} text={texts.noneText} />}
              {asking.map((question) => (
                <OneQuestion key={questionKey(question)} question={question} onChanged={ask} onOpen={ways.onOpen} />
              ))}
              {failed.length > 0 && (
                <section aria-labelledby="refused">
                  <h2 id="refused">{texts.failed.section}</h2>
                  <p class="quiet">{texts.failed.means}</p>
                  {failed.map((group) => (
                    <FailedGroup key={questionKey(group)} group={group} onNoted={noted} onOpen={ways.onOpen} />
                  ))}
                </section>
              )}
              <p role="status" class="quiet heard-when-empty">
                {said}
              </p>
            </>
          );
        }}
      </LoadedView>
    </Page>
  );
}

function OneQuestion(props: Ways & { readonly question: Asking; readonly onChanged: () => void }): JSX.Element {
  const { question, onChanged, onOpen } = props;
  switch (question.kind) {
    case 'uncertain':
      return <UncertainQuestion question={question} onChanged={onChanged} onOpen={onOpen} />;
    case 'conflict':
      return <ConflictQuestion question={question} onChanged={onChanged} onOpen={onOpen} />;
    case 'held-address':
      return <HeldQuestion question={question} onChanged={onChanged} onOpen={onOpen} />;
    case 'account':
      return <StoppedQuestion question={question} onOpen={onOpen} />;
  }
}
