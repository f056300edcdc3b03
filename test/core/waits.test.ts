import { describe, expect, it } from 'vitest';
import { standsAt } from '../../src/main/core/hold.ts';
import { isOver } from '../../src/main/core/waits.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 2, 2);

describe('a wait', () => {
  it.each([
    ['is over at its end', 0, true],
    ['lasts until its end', 1, false],
    ['may be a day long', 24 * HOUR_MS, false],
    ['may be an hour longer', 25 * HOUR_MS, false],
    ['is over beyond that', 25 * HOUR_MS + 1, true],
    ['is over where a clock that ran ahead set its end years away', 10 * 365 * 24 * HOUR_MS, true],
  ])('%s', (_, aheadMs, isItOver) => {
    expect(isOver(NOW_MS + aheadMs, NOW_MS)).toBe(isItOver);
    expect(standsAt({ kind: 'back-off', untilMs: NOW_MS + aheadMs }, NOW_MS)).toBe(!isItOver);
  });

  it('that a person chose may be as long as they like', () => {
    expect(standsAt({ kind: 'user', untilMs: NOW_MS + 365 * 24 * HOUR_MS }, NOW_MS)).toBe(true);
    expect(standsAt({ kind: 'user', untilMs: NOW_MS }, NOW_MS)).toBe(false);
  });

  it('without an end stands', () => {
    expect(standsAt({ kind: 'account', untilMs: null }, NOW_MS)).toBe(true);
  });
});
