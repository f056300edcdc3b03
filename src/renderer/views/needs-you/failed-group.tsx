import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { Trouble } from '../../parts/trouble.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { MailLine } from './mail-line.tsx';

/** Mails that were refused for one cause; taken note of, they are found among all mails only. */
export function FailedGroup(props: {
  readonly group: Extract<Question, { readonly kind: 'failed' }>;
  readonly onNoted: () => void;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { group, onNoted, onOpen } = props;
  const texts = useTexts().needsYou.failed;
  const [trouble, setTrouble] = useState<string | null>(null);
  const unlisted = group.count - group.mails.length;
  const note = async (): Promise<void> => {
    const answer = await request('note-failures', { cause: group.cause, upToMs: group.newestAtMs });
    if (answer.ok) onNoted();
    else setTrouble(answer.error.text);
  };
  return (
    <details class="fold">
      <summary>
        <span class="fold-name">{group.cause}</span>
        <span class="fold-value numbers">{texts.count(group.count)}</span>
      </summary>
      <div class="fold-body">
        <ul class="plain-list">
          {group.mails.map((mail) => (
            <li key={mail.id}>
              <MailLine mail={mail} onOpen={onOpen} />
            </li>
          ))}
          {unlisted > 0 && <li class="quiet">{texts.more(unlisted)}</li>}
        </ul>
        <div class="actions">
          <button type="button" onClick={() => void note()}>
            {texts.note}
          </button>
        </div>
        {trouble !== null && <Trouble title={null} text={trouble} quote={null} />}
      </div>
    </details>
  );
}
