import type { JSX } from 'preact';
import type { Question } from '../../../shared/ipc/views.ts';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { MailLine } from './mail-line.tsx';

/** Mails that were refused for one cause. */
export function FailedGroup(props: {
  readonly group: Extract<Question, { readonly kind: 'failed' }>;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { group, onOpen } = props;
  const texts = useTexts().needsYou.failed;
  const unlisted = group.count - group.mails.length;
  return (
    <details class="fold">
      <summary>
        <span class="fold-name">{group.cause}</span>
        <span class="fold-value numbers">{texts.count(group.count)}</span>
      </summary>
      <ul class="plain-list fold-body">
        {group.mails.map((mail) => (
          <li key={mail.id}>
            <MailLine mail={mail} onOpen={onOpen} />
          </li>
        ))}
        {unlisted > 0 && <li class="quiet">{texts.more(unlisted)}</li>}
      </ul>
    </details>
  );
}
