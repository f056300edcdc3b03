import type { AttemptEnd, Submission } from '../../src/main/core/attempt-end.ts';

export const NONCE = 'n'.repeat(22);

/** How an attempt ended whose begin was granted and whose mark is on disk, but for the change. */
export const attemptEnd = (submission: Submission, over: Partial<AttemptEnd> = {}): AttemptEnd => ({
  nonce: NONCE,
  begin: { kind: 'granted' },
  marked: true,
  submission,
  ...over,
});
