import type { JSX } from 'preact';
import type { Question } from '../../../shared/ipc/views.ts';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { MailLine } from './mail-line.tsx';

/** Cloud and computer hold different results; both are shown, the cloud's stands. */
export function ConflictQuestion(props: {
  readonly question: Extract<Question, { readonly kind: 'conflict' }>;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { question, onOpen } = props;
  const texts = useTexts().needsYou.conflict;
  return (
    <article class="card ask" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <MailLine mail={question.mail} onOpen={onOpen} />
      <dl class="known">
        <dt>{texts.here}</dt>
        <dd>{question.here}</dd>
        <dt>{texts.cloud}</dt>
        <dd>{question.cloud}</dd>
      </dl>
      <p class="hint">{texts.means}</p>
    </article>
  );
}
