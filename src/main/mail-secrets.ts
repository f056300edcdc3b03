import { ok, type Result } from '../shared/result.ts';
import type { MailLogin } from '../shared/sign-in-providers.ts';
import type { AskMailSecret, MailSecret } from './adapters/oauth/mail-secret.ts';
import { signInPlace } from './adapters/oauth/providers.ts';
import { createSignInTokens } from './adapters/oauth/sign-in-tokens.ts';
import type { Tokens } from './adapters/oauth/tokens.ts';
import type { OpenTunnel } from './adapters/tunnel/tunnel.ts';
import type { Ledger, SecretFailure, Secrets } from './engine/ports.ts';
import { signInClients } from './engine/sign-in-clients.ts';

/** What a person gave for the account to log in with, not yet stored. */
export type NewLogin =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'sign-in'; readonly tokens: Tokens };

/** What is said to the mail server. */
export const secretFor = (login: NewLogin): MailSecret =>
  login.kind === 'password'
    ? { kind: 'password', value: login.password }
    : { kind: 'access-token', value: login.tokens.accessToken };

/** What mail accounts log in with. One in each process: renewing a sign-in twice at once would lose it. */
export type MailSecrets = {
  of(login: MailLogin): AskMailSecret;
  keep(login: NewLogin): Promise<Result<void, SecretFailure>>;
  /** Removes what an account that logs in this way no longer needs; what cannot be removed now stays. */
  forgetOthers(login: MailLogin): Promise<void>;
};

export function createMailSecrets(parts: {
  readonly secrets: Secrets;
  readonly ledger: Pick<Ledger, 'setting'>;
  /** The way to a provider's sign-in. */
  readonly tunnel: () => OpenTunnel;
}): MailSecrets {
  const { secrets, ledger, tunnel } = parts;
  const tokens = createSignInTokens({
    secrets,
    tunnel,
    place(provider) {
      const client = signInClients(ledger)[provider];
      return client === null ? null : signInPlace(provider, client);
    },
  });
  return {
    of: (login) => async (refused) => {
      if (login !== 'password') {
        const token = await tokens.get(refused);
        return token.ok ? ok({ kind: 'access-token', value: token.value }) : token;
      }
      const stored = await secrets.get('smtp-password');
      return stored.ok
        ? ok({ kind: 'password', value: stored.value })
        : { ok: false, error: { kind: 'keychain', text: stored.error.text } };
    },
    keep: (login) =>
      login.kind === 'password' ? secrets.set('smtp-password', login.password) : tokens.keep(login.tokens),
    async forgetOthers(login) {
      await secrets.delete(login === 'password' ? 'mail-sign-in' : 'smtp-password');
    },
  };
}
