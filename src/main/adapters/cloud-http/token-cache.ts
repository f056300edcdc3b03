import { err, ok, type Result } from '../../../shared/result.ts';
import type { CloudFailure, SecretFailure } from '../../engine/ports.ts';
import { causeText } from './failure-text.ts';

type TokenResult = Result<string, Extract<CloudFailure, { readonly kind: 'no-credentials' }>>;
export type TokenCache = {
  /** The token in memory, null before the first good reading. */
  known(): string | null;
  /** The token in memory, else the keychain's. */
  get(): Promise<TokenResult>;
  /** Forgets `refused` and asks the keychain again, unless another token is in memory already. */
  renew(refused: string): Promise<TokenResult>;
};

/** Visible ASCII: what a header carries unchanged. Source: RFC 6750 2.1, wider. */
const HEADER_SAFE = /^[\x21-\x7E]{1,4096}$/;

/** Keeps the agent's token in memory after its first good reading; several callers at once share one reading. */
export function cacheToken(read: () => Promise<Result<string, SecretFailure>>): TokenCache {
  let cached: string | null = null;
  let reading: Promise<TokenResult> | null = null;
  const readOnce = async (): Promise<TokenResult> => {
    try {
      const token = await read();
      if (!token.ok) {
        const why = token.error.kind === 'missing' ? 'missing' : 'unreadable';
        return err({ kind: 'no-credentials', why, text: token.error.text });
      }
      if (!HEADER_SAFE.test(token.value)) {
        const text = 'the stored agent token is damaged; pair this agent again';
        return err({ kind: 'no-credentials', why: 'missing', text });
      }
      cached = token.value;
      return ok(token.value);
    } catch (cause) {
      const text = `the agent token could not be read: ${causeText(cause)}`;
      return err({ kind: 'no-credentials', why: 'unreadable', text });
    } finally {
      reading = null;
    }
  };
  const get = async (): Promise<TokenResult> => {
    if (cached !== null) return ok(cached);
    reading ??= readOnce();
    return reading;
  };
  return {
    known: () => cached,
    get,
    renew: (refused) => {
      if (cached === refused) cached = null;
      return get();
    },
  };
}
