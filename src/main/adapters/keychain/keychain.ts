import { err, ok, type Result } from '../../../shared/result.ts';
import type { SecretFailure, SecretName, Secrets } from '../../engine/ports.ts';
import { askKeychain } from './ask-keychain.ts';
import type { KeychainRequest } from './keychain-messages.ts';
import { isSealedEntry, needsSeal, type Place, removeSealed, seal, unseal } from './sealed-secret.ts';
import { notStored, whyUnfit } from './secret-value.ts';
import { forkKeychainChild, type StartChild } from './start-child.ts';

const DEADLINE_MS = 10_000;
/** Callers that may wait at once; each waits for those before it. */
const WAITING_MAX = 8;

export type KeychainOptions = {
  /** Keeps the secrets of several agents on one computer apart. */
  readonly profile: string;
  /** Where a value too long for a keychain is kept, encrypted. */
  readonly folder: string;
  readonly startChild?: StartChild;
  readonly deadlineMs?: number;
};

/**
 * Secrets in the operating system's keychain, service "Mail Agent", account `<profile>:<secret name>`. One request at a
 * time, each in a child process that is killed at the deadline. Values too long for a keychain are encrypted to a file
 * under a key that is kept there. Never rejects.
 */
export function createKeychain(options: KeychainOptions): Secrets {
  const { profile, folder, startChild = forkKeychainChild, deadlineMs = DEADLINE_MS } = options;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = async <T>(work: () => Promise<Result<T, SecretFailure>>): Promise<Result<T, SecretFailure>> => {
    if (waiting >= WAITING_MAX) return err({ kind: 'timeout', text: 'The keychain is busy with earlier requests.' });
    waiting += 1;
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting -= 1;
    }
  };
  const ask = (request: KeychainRequest) => askKeychain(startChild, request, deadlineMs);
  const placeOf = (name: SecretName): Place => ({ folder, name, account: `${profile}:${name}` });

  return {
    get: (name) =>
      inTurn(async () => {
        const place = placeOf(name);
        const entry = await ask({ do: 'get', account: place.account });
        if (!entry.ok) return entry;
        if (entry.value === null) return err(notStored(name));
        if (!isSealedEntry(entry.value)) return ok(entry.value);
        const value = await unseal(place, entry.value);
        return value.ok
          ? value
          : err({ kind: 'missing', text: `The stored secret is lost (${value.error}). Enter it again.` });
      }),

    set: (name, value) =>
      inTurn(async () => {
        const unfit = whyUnfit(value);
        if (unfit !== null) return err(unfit);
        const place = placeOf(name);
        const entry = needsSeal(value) ? await seal(place, value) : ok(value);
        if (!entry.ok) return err({ kind: 'unavailable', text: `The secret cannot be stored: ${entry.error}` });
        const stored = await ask({ do: 'set', account: place.account, value: entry.value });
        if (!stored.ok) return stored;
        await removeSealed(place, entry.value);
        return ok(undefined);
      }),

    delete: (name) =>
      inTurn(async () => {
        const place = placeOf(name);
        const gone = await ask({ do: 'delete', account: place.account });
        if (!gone.ok) return gone;
        await removeSealed(place, null);
        return ok(undefined);
      }),
  };
}
