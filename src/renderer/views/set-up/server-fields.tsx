import type { JSX } from 'preact';
import type { Security } from '../../../shared/texts/window-texts/set-up-texts.ts';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../texts.ts';
import type { AccountField } from './account-draft.ts';
import type { Draft } from './draft.ts';
import { Fold } from './fold.tsx';

const SECURITIES: readonly Security[] = ['tls', 'starttls', 'none'];

/** The mail server: one line while it is known, open where it has to be named; what is seldom needed stays folded in it. */
export function ServerFields(props: {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly summary: string;
  readonly isAsked: boolean;
  readonly isWrong: (field: AccountField) => boolean;
}): JSX.Element {
  const { draft, onDraft, summary, isAsked, isWrong } = props;
  const texts = useTexts().setUp.account;
  const name = (part: Partial<Draft>): void => onDraft({ ...draft, ...part, serverFor: '' });
  const text = (field: 'userName' | 'imapHost' | 'caFile', value: string): void =>
    onDraft({ ...draft, [field]: value });
  return (
    <Fold
      name={texts.server}
      value={summary}
      isAsked={isAsked || isWrong('host') || isWrong('port') || isWrong('imap')}
    >
      <Field id="account-host" label={texts.host} wrong={isWrong('host') ? texts.hostWrong : null}>
        {(described) => (
          <input
            {...described}
            type="text"
            autoComplete="off"
            spellcheck={false}
            value={draft.host}
            onInput={(event) => name({ host: event.currentTarget.value })}
          />
        )}
      </Field>
      <div class="pair">
        <Field id="account-port" label={texts.port} wrong={isWrong('port') ? texts.portWrong : null}>
          {(described) => (
            <input
              {...described}
              type="text"
              inputMode="numeric"
              class="number"
              value={draft.port}
              onInput={(event) => name({ port: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field id="account-security" label={texts.security}>
          {(described) => (
            <select
              {...described}
              value={draft.security}
              onChange={(event) => name(protectedBy(readSecurity(event.currentTarget.value), draft.port))}
            >
              {SECURITIES.map((security) => (
                <option key={security} value={security}>
                  {texts.securityKinds[security]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Fold name={texts.more} value="" isAsked={isWrong('imap')}>
        <SeldomField id="account-user" label={texts.userName} hint={texts.userNameHint} wrong={null}>
          {{ value: draft.userName, placeholder: draft.address, onText: (value) => text('userName', value) }}
        </SeldomField>
        <SeldomField
          id="account-imap"
          label={texts.imapHost}
          hint={texts.imapHostHint}
          wrong={isWrong('imap') ? texts.imapHostWrong : null}
        >
          {{ value: draft.imapHost, placeholder: '', onText: (value) => text('imapHost', value) }}
        </SeldomField>
        <SeldomField id="account-ca-file" label={texts.caFile} hint={texts.caFileHint} wrong={null}>
          {{ value: draft.caFile, placeholder: '', onText: (value) => text('caFile', value) }}
        </SeldomField>
      </Fold>
    </Fold>
  );
}

function SeldomField(props: {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly wrong: string | null;
  readonly children: {
    readonly value: string;
    readonly placeholder: string;
    readonly onText: (text: string) => void;
  };
}): JSX.Element {
  const { id, label, hint, wrong, children } = props;
  const { value, placeholder, onText } = children;
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      {(described) => (
        <input
          {...described}
          type="text"
          autoComplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

const readSecurity = (text: string): Security => SECURITIES.find((security) => security === text) ?? 'tls';

/** The usual port goes with the protection; one of the person's own stays. */
function protectedBy(security: Security, port: string): Partial<Draft> {
  const usual = security === 'starttls' ? '587' : '465';
  return { security, port: ['465', '587', ''].includes(port.trim()) ? usual : port };
}
