import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/main/adapters/cloud-http/retry-after.ts';

const NOW_MS = Date.parse('2026-01-02T03:04:05Z');

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    ['0', 1_000],
    ['1000000000000', 900_000],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 1_000],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 900_000],
  ])('reads %s as %d ms, between a second and a quarter of an hour', (value, expected) => {
    expect(retryAfterMs(value, undefined, NOW_MS)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '-1',
    '1e12',
    'tomorrow',
    '1.5',
    '2026-01-02T03:05:05Z',
    'Fri, 99 Foo 2026 03:05:05 GMT',
    '9'.repeat(400),
  ])('takes %s for no wish at all', (value) => {
    expect(retryAfterMs(value, undefined, NOW_MS)).toBeNull();
  });

  it('takes forty of them for no wish at all', () => {
    expect(
      retryAfterMs(
        Array.from({ length: 40 }, () => '5'),
        undefined,
        NOW_MS,
      ),
    ).toBeNull();
  });

  it('counts a date from the server’s own clock, however wrong ours is', () => {
    const wait = retryAfterMs('Fri, 02 Jan 2026 08:00:20 GMT', 'Fri, 02 Jan 2026 08:00:00 GMT', NOW_MS);

    expect(wait).toBe(20_000);
  });

  it('counts from our clock where the server’s date is garbage', () => {
    expect(retryAfterMs('Fri, 02 Jan 2026 03:04:25 GMT', 'yesterday', NOW_MS)).toBe(20_000);
  });
});
