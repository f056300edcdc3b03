import type { JSX } from 'preact';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../texts.ts';
import type { ProxyDraft, ProxyFault } from './proxy-draft.ts';

/** What a proxy of the chosen kind needs: its place, its login, and whether mails go through it too. */
export function ProxyFields(props: {
  readonly draft: ProxyDraft;
  readonly faults: readonly ProxyFault[];
  /** A password is in the keychain already and may stay. */
  readonly isPasswordKept: boolean;
  readonly onChange: (part: Partial<ProxyDraft>) => void;
}): JSX.Element | null {
  const { draft, faults, isPasswordKept, onChange } = props;
  const { proxy: texts } = useTexts();
  const wrong = (fault: ProxyFault): string | null => (faults.includes(fault) ? texts.wrong[fault] : null);
  const text = (
    name: 'url' | 'host' | 'port' | 'userName',
    id: string,
    label: string,
    fault: ProxyFault,
    hint?: string,
  ) => (
    <Field id={id} label={label} hint={hint} wrong={wrong(fault)}>
      {(described) => (
        <input
          {...described}
          type="text"
          {...(name === 'port' ? { inputMode: 'numeric' } : {})}
          autoComplete="off"
          spellcheck={false}
          value={draft[name]}
          onInput={(event) => onChange({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  if (draft.kind === 'none') return null;
  const hasPlace = draft.kind !== 'system' && draft.kind !== 'pac';
  return (
    <>
      {draft.kind === 'pac' && text('url', 'proxy-url', texts.url, 'url', texts.urlHint)}
      {hasPlace && text('host', 'proxy-host', texts.host, 'host')}
      {hasPlace && text('port', 'proxy-port', texts.port, 'port')}
      {text('userName', 'proxy-user-name', texts.userName, 'user-name', texts.userNameHint)}
      {draft.userName.trim() !== '' && (
        <Field id="proxy-password" label={texts.password} hint={isPasswordKept ? texts.passwordKept : undefined}>
          {(described) => (
            <input
              {...described}
              type="password"
              autoComplete="off"
              value={draft.password}
              onInput={(event) => onChange({ password: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <label class="check">
        <input
          id="proxy-mail"
          type="checkbox"
          checked={draft.mail === 'through-proxy'}
          onChange={(event) => onChange({ mail: event.currentTarget.checked ? 'through-proxy' : 'direct' })}
        />
        <span>
          {texts.mail}
          <span class="hint">{texts.mailHint}</span>
        </span>
      </label>
    </>
  );
}
