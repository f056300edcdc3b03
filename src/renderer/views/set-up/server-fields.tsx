import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Security } from '../../../shared/texts/window-texts/set-up-texts.ts';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../texts.ts';
import type { Draft } from './draft.ts';

const SECURITIES: readonly Security[] = ['tls', 'starttls', 'none'];

/** The mail server: one line while it is known, open where it has to be named. */
export function ServerFields(props: {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly summary: string;
  readonly isAsked: boolean;
  readonly isHostWrong: boolean;
  readonly isPortWrong: boolean;
}): JSX.Element {
  const { draft, onDraft, summary, isAsked, isHostWrong, isPortWrong } = props;
  const texts = useTexts().setUp.account;
  const name = (part: Partial<Draft>): void => onDraft({ ...draft, ...part, serverFor: '' });
  const [isOpen, setOpen] = useState(isAsked);
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked]);
  return (
    <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="fold-name">{texts.server}</span>
        <span class="fold-value">{summary}</span>
      </summary>
      <div class="fold-body form">
        <Field id="account-host" label={texts.host} wrong={isHostWrong ? texts.hostWrong : null}>
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
          <Field id="account-port" label={texts.port} wrong={isPortWrong ? texts.portWrong : null}>
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
                onChange={(event) => name({ security: readSecurity(event.currentTarget.value) })}
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
        <Field id="account-user" label={texts.userName} hint={texts.userNameHint}>
          {(described) => (
            <input
              {...described}
              type="text"
              autoComplete="off"
              spellcheck={false}
              placeholder={draft.address}
              value={draft.userName}
              onInput={(event) => onDraft({ ...draft, userName: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}

const readSecurity = (text: string): Security => SECURITIES.find((security) => security === text) ?? 'tls';
