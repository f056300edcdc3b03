import { describe, it } from 'vitest';
import { expectPromisesKept, HALF_MAILS, QUICK_TIMEOUT_MS } from './quick.ts';

describe('the simulator', () => {
  it('keeps every promise and brings every mail to rest: the first half', { timeout: QUICK_TIMEOUT_MS }, () =>
    expectPromisesKept(1, HALF_MAILS),
  );
});
