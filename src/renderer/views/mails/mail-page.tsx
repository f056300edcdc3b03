import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { mailPreviewPath } from '../../../shared/ipc/mail-preview.ts';
import type { MailDetail } from '../../../shared/ipc/views.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { Timeline } from './timeline.tsx';

/** One mail: to whom, what, and everything that happened to it. */
export function MailPage(props: { readonly id: string; readonly onBack: () => void }): JSX.Element {
  const { id, onBack } = props;
  const { mails } = useTexts();
  const argument = useMemo(() => ({ id }), [id]);
  const [mail, ask] = useRequest('mail', argument);
  return (
    <Page title={mails.mail.title} onBack={onBack}>
      <LoadedView loaded={mail} onTryAgain={ask}>
        {(value) =>
          value === null ? (
            <Empty icon="mails" title={mails.mail.gone} text={mails.noneText} />
          ) : (
            <MailHere mail={value} />
          )
        }
      </LoadedView>
    </Page>
  );
}

function MailHere(props: { readonly mail: MailDetail }): JSX.Element {
  const { mail } = props;
  const { mails } = useTexts();
  const texts = mails.mail;
  return (
    <>
      <StateMark kind={mail.kind} />
      <dl class="facts">
        <dt>{texts.to}</dt>
        <dd>
          {mail.toName !== null && <span class="strong">{mail.toName} </span>}
          <span class="breaks">{mail.toAddress}</span>
        </dd>
        <dt>{texts.subject}</dt>
        <dd class="breaks">{mail.subject === '' ? texts.noSubject : mail.subject}</dd>
        <dt>{texts.task}</dt>
        <dd class="breaks">{mail.taskName}</dd>
      </dl>
      <section aria-labelledby="timeline">
        <h2 id="timeline">{texts.timeline}</h2>
        <Timeline entries={mail.timeline} />
      </section>
      <section aria-labelledby="preview">
        <h2 id="preview">{texts.preview}</h2>
        <Preview mail={mail} />
      </section>
      {mail.attachments.length > 0 && (
        <section aria-labelledby="attachments">
          <h2 id="attachments">{texts.attachments}</h2>
          <ul class="plain-list">
            {mail.attachments.map((attachment) => (
              <li key={attachment.name} class="attachment">
                <Icon name="attachment" />
                <span class="one-line" title={attachment.name}>
                  {attachment.name}
                </span>
                <span class="quiet numbers">
                  <Size bytes={attachment.sizeBytes} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <details class="fold">
        <summary>
          <span class="fold-name">{texts.details}</span>
        </summary>
        <dl class="facts fold-body">
          <dt>{texts.messageId}</dt>
          <dd class="breaks code">{mail.messageId}</dd>
          <dt>{texts.mailId}</dt>
          <dd class="breaks code">{mail.id}</dd>
        </dl>
      </details>
    </>
  );
}

function Preview(props: { readonly mail: MailDetail }): JSX.Element {
  const { mail } = props;
  const { mails } = useTexts();
  const texts = mails.mail;
  if (mail.html !== null) {
    return (
      <>
        <iframe class="preview" title={texts.preview} sandbox="" src={mailPreviewPath(mail.id)} />
        <p class="hint">{texts.previewNote}</p>
      </>
    );
  }
  return mail.text === null ? <p class="quiet">{texts.noPreview}</p> : <pre class="preview-text">{mail.text}</pre>;
}

const KILO = 1000;

function Size(props: { readonly bytes: number }): JSX.Element {
  const { language } = useTexts();
  const { bytes } = props;
  const isMega = bytes >= KILO * KILO;
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isMega ? 'megabyte' : 'kilobyte',
    unitDisplay: 'short',
    maximumFractionDigits: isMega ? 1 : 0,
  });
  return <>{format.format(isMega ? bytes / KILO / KILO : Math.max(1, bytes / KILO))}</>;
}
