import type { JSX } from 'preact';
import type { Question } from '../../../shared/ipc/views.ts';
import { holdLine } from '../../../shared/texts/hold-texts.ts';
import type { StopCause } from '../../../shared/texts/window-texts/needs-you-texts.ts';
import { clockTime } from '../../../shared/texts/window-texts/time-texts.ts';
import { TryNow } from '../../parts/try-now.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { useNow } from '../../use-now.ts';

const CLOCK_MS = 15_000;
const PLACES: Record<StopCause, Detail> = {
  account: { kind: 'account' },
  connection: { kind: 'connection' },
  computer: { kind: 'about' },
};

/** All sending waits: for the mail account, the connection or this computer. */
export function StoppedQuestion(props: {
  readonly question: Extract<Question, { readonly kind: 'account' }>;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { question, onOpen } = props;
  const { language, needsYou } = useTexts();
  const texts = needsYou.stopped;
  const nowMs = useNow(CLOCK_MS);
  const cause = stopCause(question.hold);
  return (
    <article class="card ask" aria-label={texts.title[cause]}>
      <h2>{texts.title[cause]}</h2>
      <p>{question.text}</p>
      <p class="quiet">
        {holdLine(language, { ...question, kind: question.hold }, (atMs) => clockTime(language, atMs, nowMs))}
      </p>
      <p class="quiet">{texts.noneLost}</p>
      <div class="actions">
        <button type="button" id={`stopped-${question.hold}`} class="primary" onClick={() => onOpen(PLACES[cause])}>
          {texts.open[cause]}
        </button>
        {cause === 'account' && <TryNow id={`stopped-try-now-${question.hold}`} />}
      </div>
    </article>
  );
}

function stopCause(hold: string): StopCause {
  if (hold === 'account' || hold === 'keychain') return 'account';
  return hold === 'token' ? 'connection' : 'computer';
}
