import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { Trouble } from '../../parts/trouble.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { MailLine } from './mail-line.tsx';

/** Mails wait because an earlier one to the same address came back for good. */
export function HeldQuestion(props: {
  readonly question: Extract<Question, { readonly kind: 'held-address' }>;
  readonly onChanged: () => void;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { question, onChanged, onOpen } = props;
  const texts = useTexts().needsYou.held;
  const [trouble, setTrouble] = useState<string | null>(null);
  const lift = async (): Promise<void> => {
    const answer = await request('lift-address', { address: question.address });
    if (answer.ok) onChanged();
    else setTrouble(answer.error.text);
  };
  return (
    <article class="card ask" aria-label={texts.title(question.address)}>
      <h2>{texts.title(question.address)}</h2>
      <p>{texts.means(question.count)}</p>
      <p class="quiet">{question.text}</p>
      <ul class="plain-list">
        {question.mails.map((mail) => (
          <li key={mail.id}>
            <MailLine mail={mail} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" id={`lift-${question.address}`} onClick={() => void lift()}>
          {texts.lift}
        </button>
      </div>
      {trouble !== null && <Trouble title={null} text={trouble} quote={null} />}
    </article>
  );
}
