import type { JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { PasswordKind } from '../../../shared/texts/window-texts/set-up-texts.ts';
import { type Described, Field } from '../../parts/field.tsx';
import { useTexts } from '../../texts.ts';

/** The account's secret, by the name its provider gives it; shown only while the person wants to see it. */
export function PasswordField(props: {
  readonly kind: PasswordKind;
  readonly value: string;
  /** One is in the keychain already and may stay. */
  readonly isKept: boolean;
  readonly isWrong: boolean;
  readonly onInput: (value: string) => void;
}): JSX.Element {
  const { kind, value, isKept, isWrong, onInput } = props;
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
    <Field
      id="account-password"
      label={texts.secret[kind]}
      hint={isKept ? texts.secretKept : texts.secretHint[kind]}
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
  );
}
