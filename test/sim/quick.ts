import { expect } from 'vitest';
import { drawPlan } from './plan.ts';
import { failureText, runSeeds } from './report.ts';

/** Each of the two halves that run beside each other in `npm test`; together more than 200,000 mails. */
export const HALF_MAILS = 101_000;
const SEEDS_MAX = 10_000;

/** Longer than the slowest machine needs; the run itself looks at no clock. */
export const QUICK_TIMEOUT_MS = 20 * 60_000;

/** Runs the seeds from here until so many mails have come to rest; a failure shows its seed and its shortest trace. */
export async function expectPromisesKept(from: number, mails: number): Promise<void> {
  const sums = await runSeeds(from, SEEDS_MAX, 'quick', { isOver: (sofar) => sofar.mails >= mails });
  const [failed] = sums.failed;
  expect(failed === undefined ? 'every promise held' : await failureText(drawPlan(failed.seed, 'quick'))).toBe(
    'every promise held',
  );
  expect(sums.mails).toBeGreaterThanOrEqual(mails);
  // A world in which hardly anything is sent, or nothing goes wrong, would prove nothing.
  expect(sums.accepted).toBeGreaterThan(mails * 0.8);
  expect(sums.troubles).toBeGreaterThan(sums.seeds);
}
