import { err, ok, type Result } from '../../../shared/result.ts';
import type { SecretFailure, Secrets } from '../../engine/ports.ts';
import type { SignInPlace } from './providers.ts';
import { askForTokens, Tokens } from './tokens.ts';

/** `sign-in-again`: only a person can go on. `unreachable`: worth another try. `keychain`: it cannot be read or written. */
export type AccessTokenFailure = {
  readonly kind: 'sign-in-again' | 'unreachable' | 'keychain';
  readonly text: string;
};

export type TokenSource = {
  /** A token that is good for minutes. `fresh` asks the provider even so: the mail server refused the one before. */
  get(want: 'any' | 'fresh'): Promise<Result<string, AccessTokenFailure>>;
};

/** A token is renewed this long before its end, so that none ends on its way. */
const EARLY_MS = 5 * 60_000;
const NEVER = new AbortController().signal;

/**
 * Access tokens for one account out of the keychain, renewed in time. Callers that come while one is being renewed wait for
 * that one: a provider that replaces refresh tokens takes each only once. The new one is stored before it is used.
 */
export function createTokenSource(options: {
  readonly secrets: Pick<Secrets, 'get' | 'set'>;
  /** Null where the settings name no client: then nothing can be renewed. */
  readonly place: SignInPlace | null;
  readonly nowMs?: () => number;
}): TokenSource {
  const { secrets, place, nowMs = Date.now } = options;
  let known: Tokens | null = null;
  let isSaved = true;
  let renewing: Promise<Result<string, AccessTokenFailure>> | null = null;

  const isGood = (tokens: Tokens): boolean => tokens.expiresAtMs - EARLY_MS > nowMs();

  const stored = async (): Promise<Result<Tokens, AccessTokenFailure>> => {
    if (known !== null) return ok(known);
    const text = await secrets.get('mail-sign-in');
    if (!text.ok) return err(keychainFailure(text.error));
    const tokens = readTokens(text.value);
    if (tokens === null) return err({ kind: 'sign-in-again', text: 'The stored sign-in cannot be read.' });
    known = tokens;
    return ok(tokens);
  };

  const renew = async (want: 'any' | 'fresh'): Promise<Result<string, AccessTokenFailure>> => {
    const tokens = await stored();
    if (!tokens.ok) return tokens;
    const saved = await save(tokens.value);
    if (!saved.ok) return saved;
    if (want === 'any' && isGood(tokens.value)) return ok(tokens.value.accessToken);
    if (place === null) return err({ kind: 'sign-in-again', text: 'No client id is set for this sign-in.' });
    const grant = { kind: 'refresh', refreshToken: tokens.value.refreshToken } as const;
    const renewed = await askForTokens(place, grant, nowMs, NEVER);
    if (!renewed.ok) {
      const { kind, text } = renewed.error;
      return err({ kind: kind === 'refused' ? 'sign-in-again' : 'unreachable', text });
    }
    known = renewed.value;
    isSaved = false;
    const kept = await save(renewed.value);
    return kept.ok ? ok(renewed.value.accessToken) : kept;
  };

  /** Until a new refresh token is stored nothing is sent with what came along: after a restart it would be lost. */
  const save = async (tokens: Tokens): Promise<Result<void, AccessTokenFailure>> => {
    if (isSaved) return ok(undefined);
    const kept = await secrets.set('mail-sign-in', JSON.stringify(tokens));
    if (!kept.ok) return err({ kind: 'keychain', text: kept.error.text });
    isSaved = true;
    return ok(undefined);
  };

  return {
    get(want) {
      if (renewing === null) {
        renewing = renew(want).finally(() => {
          renewing = null;
        });
      }
      return renewing;
    },
  };
}

function readTokens(text: string): Tokens | null {
  try {
    const parsed = Tokens.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const keychainFailure = ({ kind, text }: SecretFailure): AccessTokenFailure => ({
  kind: kind === 'missing' ? 'sign-in-again' : 'keychain',
  text,
});
