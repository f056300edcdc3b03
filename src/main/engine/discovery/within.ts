import type { Clock } from '../ports.ts';

/**
 * Runs a piece of work for at most `limitMs`; then its signal aborts and `late` is the answer, whether the work heard
 * it or not. The work must not reject.
 */
export async function within<T>(
  clock: Pick<Clock, 'sleep'>,
  limits: { readonly limitMs: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
  late: T,
): Promise<T> {
  const over = new AbortController();
  const either = AbortSignal.any([limits.signal, over.signal]);
  try {
    return await Promise.race([work(either), clock.sleep(limits.limitMs, either).then(() => late)]);
  } finally {
    over.abort();
  }
}

/** The first answer of the list that is not null, in the order of the list; waits for none behind it. */
export async function firstInOrder<T>(asked: readonly Promise<T | null>[]): Promise<T | null> {
  for (const one of asked) {
    const answer = await one;
    if (answer !== null) return answer;
  }
  return null;
}
