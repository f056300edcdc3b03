import { err, ok, type Result } from '../../../shared/result.ts';
import type { SignInProvider } from '../../../shared/sign-in-providers.ts';
import type { SecretFailure, Secrets } from '../../engine/ports.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import type { MailSecretFailure } from './mail-secret.ts';
import type { SignInPlace } from './providers.ts';
import { askForTokens, Tokens } from './tokens.ts';

/** The one place that reads and writes the stored sign-in. */
export type SignInTokens = {
  /** An access token that is good for minutes, and another one than the mail server refused. */
  get(refused: string | null): Promise<Result<string, MailSecretFailure>>;
  /** A new sign-in takes the place of the one before. */
  keep(tokens: Tokens): Promise<Result<void, SecretFailure>>;
};

/** A token is renewed this long before its end, so that none ends on its way. */
const EARLY_MS = 5 * 60_000;
const NEVER = new AbortController().signal;

/**
 * Access tokens out of the keychain, renewed in time. One caller at a time: those that come while a token is being renewed
 * get the new one. A provider that replaces refresh tokens takes each only once, and takes a second use for a theft; what
 * replaces one is stored before anything is done with it. A renewal under way is not stopped: its answer would be lost.
 */
export function createSignInTokens(options: {
  readonly secrets: Pick<Secrets, 'get' | 'set'>;
  /** Null where no client is set for this sign-in: then nothing can be renewed. */
  readonly place: (provider: SignInProvider) => SignInPlace | null;
  readonly tunnel: () => OpenTunnel;
  readonly nowMs?: () => number;
}): SignInTokens {
  const { secrets, nowMs = Date.now } = options;
  let known: { readonly tokens: Tokens; readonly isStored: boolean } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** One after another, whatever came of the one before. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  const read = async (): Promise<Result<Tokens, MailSecretFailure>> => {
    if (known !== null) return ok(known.tokens);
    const text = await secrets.get('mail-sign-in');
    if (!text.ok)
      return err({ kind: text.error.kind === 'missing' ? 'sign-in-again' : 'keychain', text: text.error.text });
    const tokens = readTokens(text.value);
    if (tokens === null) return err({ kind: 'sign-in-again', text: 'The stored sign-in cannot be read.' });
    known = { tokens, isStored: true };
    return ok(tokens);
  };

  const store = async (tokens: Tokens): Promise<Result<void, SecretFailure>> => {
    const stored = await secrets.set('mail-sign-in', JSON.stringify(tokens));
    if (stored.ok) known = { tokens, isStored: true };
    return stored;
  };

  const current = async (refused: string | null): Promise<Result<string, MailSecretFailure>> => {
    const tokens = await read();
    if (!tokens.ok) return tokens;
    if (known?.isStored === false) {
      const stored = await store(tokens.value);
      if (!stored.ok) return err({ kind: 'keychain', text: stored.error.text });
    }
    const { provider, accessToken, refreshToken, expiresAtMs } = tokens.value;
    if (accessToken !== refused && expiresAtMs - EARLY_MS > nowMs()) return ok(accessToken);
    const place = options.place(provider);
    if (place === null) return err({ kind: 'sign-in-again', text: 'No client id is set for this sign-in.' });
    const grant = { kind: 'refresh', refreshToken } as const;
    const renewed = await askForTokens(place, grant, { tunnel: options.tunnel(), nowMs, signal: NEVER });
    if (!renewed.ok) {
      const { kind, text } = renewed.error;
      return err({ kind: kind === 'unreachable' ? 'unreachable' : 'sign-in-again', text });
    }
    // The one before is used up: this one stays even where it cannot be stored yet.
    known = { tokens: renewed.value, isStored: false };
    const stored = await store(renewed.value);
    return stored.ok ? ok(renewed.value.accessToken) : err({ kind: 'keychain', text: stored.error.text });
  };

  return {
    get: (refused) => inTurn(() => current(refused)),
    keep: (tokens) => inTurn(() => store(tokens)),
  };
}

function readTokens(text: string): Tokens | null {
  try {
    const parsed = Tokens.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    // JSON.parse's only way to say that the stored text is damaged.
    return null;
  }
}
