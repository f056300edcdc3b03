import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../support/fakes-clock.ts';
import { judge } from './growth.ts';

/** The same noise on each, whatever ran before. */
function series(value: (part: number) => number) {
  const noise = new SeededRandom(3);
  const values = Array.from({ length: 240 }, (_, index) => value(index / 240) + noise.fraction() * 10);
  return { name: 'memory', unit: 'MB', values };
}
const ALLOWED = { factor: 1.1, plus: 0 };

describe('The rule for growth', () => {
  it('sees a steady leak', () => {
    expect(
      judge(
        series((part) => 100 + 60 * part),
        ALLOWED,
      ).grows,
    ).toBe(true);
  });

  it('sees a leak that is hardly more than is allowed', () => {
    expect(
      judge(
        series((part) => 100 + 25 * part),
        ALLOWED,
      ).grows,
    ).toBe(true);
  });

  it('lets pass what swings, warms up, or reaches a new level once', () => {
    expect(
      judge(
        series(() => 100),
        ALLOWED,
      ).grows,
    ).toBe(false);
    expect(
      judge(
        series((part) => 100 + 40 * Math.sin(part * 60)),
        ALLOWED,
      ).grows,
    ).toBe(false);
    expect(
      judge(
        series((part) => Math.min(150, 50 + 800 * part)),
        ALLOWED,
      ).grows,
    ).toBe(false);
    expect(
      judge(
        series((part) => (part < 0.6 ? 100 : 130)),
        ALLOWED,
      ).grows,
    ).toBe(false);
  });
});
