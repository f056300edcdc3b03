import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { Trouble } from '../../parts/trouble.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { MailLine } from './mail-line.tsx';

/** Cloud and computer hold different results; both are shown, the cloud's stands. Taken note of, it goes away. */
export function ConflictQuestion(props: {
  readonly question: Extract<Question, { readonly kind: 'conflict' }>;
  readonly onChanged: () => void;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { question, onChanged, onOpen } = props;
  const texts = useTexts().needsYou.conflict;
  const [trouble, setTrouble] = useState<string | null>(null);
  const note = async (): Promise<void> => {
    const answer = await request('note-conflict', { mailId: question.mail.id });
    setTrouble(answer.ok ? null : answer.error.text);
    onChanged();
  };
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
      <div class="actions">
        <button type="button" onClick={() => void note()}>
          {texts.noted}
        </button>
      </div>
      {trouble !== null && <Trouble title={null} text={trouble} quote={null} />}
    </article>
  );
}
