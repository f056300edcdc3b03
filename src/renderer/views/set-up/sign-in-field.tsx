import type { JSX } from 'preact';
import { SIGN_IN_NAMES, type SignInProvider } from '../../../shared/sign-in-providers.ts';
import { useTexts } from '../../texts.ts';

/** In place of the password: what a sign-in on the provider's own page means for the person. */
export function SignInField(props: {
  readonly provider: SignInProvider;
  /** One is in the keychain already and may stay. */
  readonly isKept: boolean;
  /** Null where the provider takes no password. */
  readonly onPassword: (() => void) | null;
}): JSX.Element {
  const { provider, isKept, onPassword } = props;
  const texts = useTexts().setUp.account;
  const name = SIGN_IN_NAMES[provider];
  return (
    <div class="field">
      <p class="hint">{isKept ? texts.signInKept(name) : texts.signInHint(name)}</p>
      {onPassword !== null && (
        <button type="button" class="plain link" onClick={onPassword}>
          {texts.passwordInstead}
        </button>
      )}
    </div>
  );
}
