import { describe, expect, it } from 'vitest';
import { provesNotSent } from '../../src/main/core/evidence.ts';

const HOUR_MS = 3_600_000;

describe('a mail that is not in Sent', () => {
  it.each([
    ['yes', 4, 6 * HOUR_MS, true],
    ['yes', 5, 7 * HOUR_MS, true],
    ['yes', 3, 99 * HOUR_MS, false],
    ['yes', 99, 6 * HOUR_MS - 1, false],
    ['no', 99, 99 * HOUR_MS, false],
    ['unknown', 99, 99 * HOUR_MS, false],
  ] as const)(
    'of an account that saves its mails: %s, after %i looks in %i ms: %s',
    (saves, provenLooks, ms, proves) => {
      expect(provesNotSent({ provenLooks, lookedForMs: ms, savesSentCopy: saves })).toBe(proves);
    },
  );
});
