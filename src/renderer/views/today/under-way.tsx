import type { JSX } from 'preact';
import type { MailRow } from '../../../shared/ipc/views.ts';
import type { StatusView } from '../../../shared/status.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';

/** The mail under way, with its stage as words. */
export function UnderWay(props: {
  readonly current: NonNullable<StatusView['current']>;
  readonly mail: MailRow | null;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { current, mail, onOpen } = props;
  const { today: texts, mails } = useTexts();
  return (
    <section class="card" aria-labelledby="under-way">
      <h2 id="under-way">{texts.underWay}</h2>
      {mail !== null && (
        <button
          type="button"
          id="under-way-mail"
          class="plain card-mail"
          onClick={() => onOpen({ kind: 'mail', id: mail.id })}
        >
          <span class="one-line strong">{mail.toName ?? mail.toAddress}</span>
          <span class="one-line quiet">{mail.subject === '' ? mails.mail.noSubject : mail.subject}</span>
        </button>
      )}
      <p class="mark tone-busy" role="status">
        <Icon name="send" />
        <span>
          {texts.stage[current.stage]}
          {current.attempt > 1 && ` · ${texts.attempt(current.attempt)}`}
        </span>
      </p>
    </section>
  );
}
