import { expect, it } from 'vitest';
import { createRenewals } from '../../src/main/window-host/renewals.ts';

it('A window whose page ended comes back three times in ten minutes, and again when they are over', () => {
  let nowMs = 0;
  const mayRenew = createRenewals(() => nowMs);

  expect([mayRenew(), mayRenew(), mayRenew(), mayRenew()]).toEqual([true, true, true, false]);
  nowMs = 10 * 60_000;
  expect(mayRenew()).toBe(true);
});
