import type { Result } from '../../../shared/result.ts';

/** What a mail account logs in with: its password, or an access token of its provider's sign-in. */
export type MailSecret = { readonly kind: 'password' | 'access-token'; readonly value: string };

/**
 * `sign-in-again`: only a person can go on. `unreachable`: the provider's sign-in gave no answer, worth another try.
 * `keychain`: it cannot be read or written. `text` holds no secret.
 */
export type MailSecretFailure = {
  readonly kind: 'sign-in-again' | 'unreachable' | 'keychain';
  readonly text: string;
};

/** Asked for each connection; `refused` is a token that the mail server has just refused. Never rejects. */
export type AskMailSecret = (refused: string | null) => Promise<Result<MailSecret, MailSecretFailure>>;
