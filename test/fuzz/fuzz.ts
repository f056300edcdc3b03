import fc from 'fast-check';
import { it } from 'vitest';
import { Chance } from './chance.ts';

/** Far above what any of them takes, also where the machine is busy with everything else. */
const LIMIT_MS = 600_000;

/** How often each property is tried in `npm test`. */
const RUNS = 100_000;

/**
 * Holds a property against many seeds. A run costs one number, from which it makes all it needs; a failure names the
 * number as its counterexample, beside the seed of the whole.
 */
export function fuzz(title: string, property: (chance: Chance) => void, runs = RUNS): void {
  it(
    title,
    () => {
      fc.assert(
        fc.property(fc.nat({ max: 0xffffffff }), (seed) => {
          property(new Chance(seed));
        }),
        { numRuns: runs, endOnFailure: true },
      );
    },
    LIMIT_MS,
  );
}

/** The same for what answers later. */
export function fuzzLater(title: string, property: (chance: Chance) => Promise<void>, runs = RUNS): void {
  it(
    title,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 0xffffffff }), async (seed) => {
          await property(new Chance(seed));
        }),
        { numRuns: runs, endOnFailure: true },
      );
    },
    LIMIT_MS,
  );
}

/** A failed property says what is wrong; cheaper than an assertion library a million times over. */
export function must(holds: boolean, what: () => string): void {
  if (!holds) throw new Error(what());
}
