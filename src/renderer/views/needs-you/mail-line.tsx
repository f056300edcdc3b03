import type { JSX } from 'preact';
import type { MailRow } from '../../../shared/ipc/views.ts';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';

/** A mail in two lines, as a way to its page. */
export function MailLine(props: { readonly mail: MailRow; readonly onOpen: (detail: Detail) => void }): JSX.Element {
  const { mail, onOpen } = props;
  const { mails } = useTexts();
  return (
    <button
      type="button"
      id={`line-${mail.id}`}
      class="plain card-mail"
      onClick={() => onOpen({ kind: 'mail', id: mail.id })}
    >
      <span class="one-line strong">{mail.toName ?? mail.toAddress}</span>
      <span class="one-line quiet">{mail.subject === '' ? mails.mail.noSubject : mail.subject}</span>
    </button>
  );
}
