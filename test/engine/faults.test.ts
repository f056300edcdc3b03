import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSafe, isSettled, Storm } from '../support/fakes-storm.ts';

describe('the agent under faults', () => {
  it('keeps every promise in a storm, and brings every mail to rest after it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 - 1 }), async (seed) => {
        const storm = new Storm(seed);
        await storm.live();
        await storm.calm();
        expectSafe(storm);
        const { cloud, ledger } = storm.world;
        expect(
          [...cloud.mails.values()].filter((mail) => !isSettled(mail)).map(({ id, status }) => `${id} ${status}`),
        ).toEqual([]);
        expect(
          ledger
            .held(100)
            .filter(({ state }) => state.kind !== 'uncertain')
            .map(({ id, state }) => ({ id, state })),
        ).toEqual([]);
        expect(ledger.counts().untold).toBe(0);
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });
});
