import type { JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ServerGuess } from '../../../shared/ipc/views.ts';
import type { SecretKind } from '../../../shared/providers/provider.ts';
import { request } from '../../bridge.ts';
import { type Described, Field } from '../../parts/field.tsx';
import { useTexts } from '../../texts.ts';

/** The account's secret, by the name its provider gives it; shown only while the person wants to see it. */
export function PasswordField(props: {
  readonly kind: SecretKind;
  /** What the provider wants here and how to come by it; empty where nobody knows. */
  readonly advice: readonly string[];
  /** Where its provider makes it; null where nobody knows or there is no such page. */
  readonly page: NonNullable<ServerGuess>['page'];
  readonly value: string;
  /** One is in the keychain already and may stay. */
  readonly isKept: boolean;
  readonly isWrong: boolean;
  readonly onInput: (value: string) => void;
}): JSX.Element {
  const { kind, advice, page, value, isKept, isWrong, onInput } = props;
  const texts = useTexts().setUp.account;
  const [isShown, setShown] = useState(false);
  const input = (described: Described) => ({
    ...described,
    autoComplete: 'off' as const,
    spellcheck: false,
    value,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => onInput(event.currentTarget.value),
  });
  return (
    <div class="field">
      <Field
        id="account-password"
        label={texts.secret[kind]}
        hint={isKept ? texts.secretKept : advice.length > 0 ? advice.join('\n') : texts.secretHint[kind]}
        wrong={isWrong ? texts.secretMissing : null}
      >
        {(described) => (
          <div class="with-button">
            {isShown ? <input {...input(described)} type="text" /> : <input {...input(described)} type="password" />}
            <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {texts.showSecret}
            </button>
          </div>
        )}
      </Field>
      {page !== null && (
        <button
          type="button"
          class="plain link"
          onClick={() => void request('open-provider-page', { provider: page.provider })}
        >
          {texts.openPage(page.host)}
        </button>
      )}
    </div>
  );
}
