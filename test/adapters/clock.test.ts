import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/main/adapters/clock.ts';
import { systemRandom } from '../../src/main/adapters/random.ts';

describe('the system clock', () => {
  it('sleeps until the time is over', async () => {
    const beforeMs = systemClock.monotonicMs();

    await systemClock.sleep(5, new AbortController().signal);

    expect(systemClock.monotonicMs()).toBeGreaterThan(beforeMs);
  });

  it('wakes as soon as the signal aborts, and at once where it already has', async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(3_600_000, stop.signal);

    stop.abort();

    await expect(sleeping).resolves.toBeUndefined();
    await expect(systemClock.sleep(3_600_000, stop.signal)).resolves.toBeUndefined();
  });

  it('does not wake at once from a sleep longer than a timer can count', async () => {
    const stop = new AbortController();
    let awake = false;
    const sleeping = systemClock.sleep(2 ** 40, stop.signal).then(() => {
      awake = true;
    });

    await systemClock.sleep(30, new AbortController().signal);

    expect(awake).toBe(false);
    stop.abort();
    await sleeping;
  });

  it('tells the wall clock in epoch milliseconds', () => {
    expect(new Date(systemClock.nowMs()).getUTCFullYear()).toBeGreaterThan(2024);
  });
});

describe('the system random source', () => {
  it('makes nonces the contract accepts, each another', () => {
    const nonces = Array.from({ length: 1_000 }, () => systemRandom.nonce());

    expect(new Set(nonces).size).toBe(1_000);
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9A-Za-z_-]{22,64}$/);
  });

  it('draws fractions from 0 up to but not including 1', () => {
    const fractions = Array.from({ length: 1_000 }, () => systemRandom.fraction());

    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
    expect(new Set(fractions).size).toBeGreaterThan(990);
  });

  it('makes UUIDs', () => {
    expect(systemRandom.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
