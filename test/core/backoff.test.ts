import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, POLL_BUSY_MS, POLL_IDLE, PREPARE_BACKOFF, REPORT_BACKOFF } from '../../src/main/core/backoff.ts';
import { LOGIN_BACKOFF, LOOK_BACKOFF, MAILBOX_BACKOFF } from '../../src/main/core/evidence.ts';

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const bounds = fc.record({ baseMs: fc.integer({ min: 1, max: 60_000 }), capMs: fc.integer({ min: 60_000, max: 1e8 }) });

describe('backoffMs', () => {
  it('stays between half of the step and the step, and below the cap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fraction, bounds, (attempt, random, { baseMs, capMs }) => {
        const stepMs = Math.min(capMs, baseMs * 2 ** (attempt - 1));

        const delayMs = backoffMs(attempt, random, { baseMs, capMs });

        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(stepMs / 2));
        expect(delayMs).toBeLessThanOrEqual(Math.min(capMs, Math.ceil(stepMs)));
      }),
    );
  });

  it('never shrinks from one attempt to the next for the same chance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fraction, bounds, (attempt, random, limits) => {
        expect(backoffMs(attempt + 1, random, limits)).toBeGreaterThanOrEqual(backoffMs(attempt, random, limits));
      }),
    );
  });

  it('doubles, and takes an attempt below the first as the first', () => {
    const limits = { baseMs: 1000, capMs: 60_000 };

    expect([0, 1, 2, 3, 4, 99].map((attempt) => backoffMs(attempt, 0, limits))).toEqual([
      500, 500, 1000, 2000, 4000, 30_000,
    ]);
  });
});

describe('what is waited for', () => {
  it.each([
    ['an attachment', PREPARE_BACKOFF, '20 s', '10 min'],
    ['a report', REPORT_BACKOFF, '2 s', '5 min'],
    ['a look for an uncertain mail', LOOK_BACKOFF, '60 s', '360 min'],
    ['a mailbox out of reach', MAILBOX_BACKOFF, '60 s', '120 min'],
    ['a mailbox that refuses the login', LOGIN_BACKOFF, '1800 s', '360 min'],
  ])('%s: at first and at last', (_, bounds, first, last) => {
    const longest = (attempt: number): number => Math.round(backoffMs(attempt, 1 - Number.EPSILON, bounds) / 1000);

    expect([`${longest(1)} s`, `${longest(99) / 60} min`]).toEqual([first, last]);
  });
});

describe('polling', () => {
  it('is never quicker when idle than while there is work, and at most a minute apart', () => {
    for (let quiet = 1; quiet < 50; quiet += 1) {
      expect(backoffMs(quiet, 0, POLL_IDLE)).toBeGreaterThanOrEqual(POLL_BUSY_MS);
      expect(backoffMs(quiet, 0.999_999, POLL_IDLE)).toBeLessThanOrEqual(60_000);
    }
  });
});
