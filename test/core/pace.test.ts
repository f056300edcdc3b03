import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Allowed,
  drawGapMs,
  nextAllowed as nextAllowedWith,
  type PaceMemory,
  paceWithin,
  rampLimit,
  recentNeeded,
  upToNow,
} from '../../src/main/core/pace.ts';
import { Pace, USUAL_PACE } from '../../src/shared/settings.ts';

const NOW_MS = Date.UTC(2026, 10, 30, 12, 0);
const FREE: Pace = Pace.parse({ gapMinMs: 0, gapMaxMs: 0, perMinute: null, perHour: null, perDay: null });

const nextAllowed = (
  pace: Pace,
  recent: readonly number[],
  gapMs: number,
  nowMs: number,
  more: Partial<PaceMemory> = {},
): Allowed => nextAllowedWith(pace, { recent, gapMs, daysBefore: 0, toDomain: [], ...more }, nowMs);

const paces = fc
  .record({
    gapMinMs: fc.integer({ min: 0, max: 5000 }),
    gapMaxMs: fc.integer({ min: 5000, max: 90_000 }),
    perMinute: fc.option(fc.integer({ min: 1, max: 6 })),
    perHour: fc.option(fc.integer({ min: 1, max: 20 })),
    perDay: fc.option(fc.integer({ min: 1, max: 40 })),
  })
  .map((limits) => Pace.parse(limits));

const mostWithin = (instants: readonly number[], windowMs: number): number =>
  Math.max(0, ...instants.map((from) => instants.filter((at) => at >= from && at < from + windowMs).length));

describe('nextAllowed', () => {
  it('lets the first mail go at once', () => {
    expect(nextAllowed(Pace.parse({}), [], 20_000, NOW_MS)).toEqual({ atMs: NOW_MS, why: 'now' });
  });

  it.each([
    ['gap', { ...FREE }, 30_000, [NOW_MS - 10_000], NOW_MS + 20_000],
    ['per-minute', { ...FREE, perMinute: 2 }, 0, [NOW_MS - 1000, NOW_MS - 40_000], NOW_MS + 20_000],
    ['per-hour', { ...FREE, perHour: 1 }, 0, [NOW_MS - 60_000], NOW_MS + 59 * 60_000],
    ['per-day', { ...FREE, perDay: 3 }, 0, [NOW_MS - 1, NOW_MS - 2, NOW_MS - 3_600_000], NOW_MS + 23 * 3_600_000],
  ] as const)('names %s as what the mail waits for', (why, pace, gapMs, recent, atMs) => {
    expect(nextAllowed(pace, recent, gapMs, NOW_MS)).toEqual({ atMs, why });
  });

  it('names the limit that ends last where several hold', () => {
    const pace = { ...FREE, perMinute: 1, perHour: 1 };

    expect(nextAllowed(pace, [NOW_MS - 1000], 5000, NOW_MS).why).toBe('per-hour');
  });

  it('waits at most one window after the clock was set back', () => {
    const pace = { ...FREE, perMinute: 1 };
    const kept = upToNow([NOW_MS + 86_400_000, NOW_MS - 5], NOW_MS);

    expect(kept).toEqual([NOW_MS, NOW_MS - 5]);
    expect(nextAllowed(pace, kept, 0, NOW_MS)).toEqual({ atMs: NOW_MS + 60_000, why: 'per-minute' });
    expect(nextAllowed(pace, upToNow(kept, NOW_MS + 60_000), 0, NOW_MS + 60_000).why).toBe('now');
  });

  it('counts a limit that the working hours push further as theirs', () => {
    const workingHours = { from: '09:00', to: '12:30', days: [1, 2, 3, 4, 5], timeZone: 'UTC' };
    const pace = { ...FREE, perHour: 1, workingHours };

    // 30 November 2026 is a Monday; the hour ends at 12:59, after closing time.
    expect(nextAllowed(pace, [NOW_MS - 60_000], 0, NOW_MS)).toEqual({
      atMs: Date.UTC(2026, 11, 1, 9, 0),
      why: 'working-hours',
    });
  });

  it('is not held by the working hours within them', () => {
    const workingHours = { from: '09:00', to: '12:30', days: [1, 2, 3, 4, 5], timeZone: 'UTC' };
    const pace = { ...FREE, workingHours };

    expect(nextAllowed(pace, [], 0, NOW_MS)).toEqual({ atMs: NOW_MS, why: 'now' });
    expect(nextAllowed(pace, [NOW_MS], 5000, NOW_MS)).toEqual({ atMs: NOW_MS + 5000, why: 'gap' });
  });

  it('keeps every limit over any run of mails, and sends as soon as they allow', () => {
    fc.assert(
      fc.property(paces, fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 80 }), (pace, pauses) => {
        const sent: number[] = [];
        let nowMs = NOW_MS;
        for (const pauseMs of pauses) {
          nowMs += pauseMs;
          const recent = sent.slice(-recentNeeded(pace)).reverse();
          const { atMs, why } = nextAllowed(pace, recent, pace.gapMinMs, nowMs);
          expect(atMs > nowMs).toBe(why !== 'now');
          if (atMs > nowMs) expect(nextAllowed(pace, recent, pace.gapMinMs, atMs - 1).atMs).toBe(atMs);
          nowMs = atMs;
          sent.push(atMs);
        }
        expect(mostWithin(sent, 60_000)).toBeLessThanOrEqual(pace.perMinute ?? sent.length);
        expect(mostWithin(sent, 3_600_000)).toBeLessThanOrEqual(pace.perHour ?? sent.length);
        expect(mostWithin(sent, 86_400_000)).toBeLessThanOrEqual(pace.perDay ?? sent.length);
      }),
    );
  });
});

describe("a recipient's domain", () => {
  it('gets only so many mails an hour', () => {
    const pace = { ...FREE, perHourPerDomain: 2 };
    const toDomain = [NOW_MS - 1000, NOW_MS - 60_000, NOW_MS - 70_000];

    expect(nextAllowed(pace, [NOW_MS - 1000], 0, NOW_MS, { toDomain })).toEqual({
      atMs: NOW_MS + 59 * 60_000,
      why: 'per-domain',
    });
    expect(nextAllowed(pace, [NOW_MS - 1000], 0, NOW_MS)).toEqual({ atMs: NOW_MS, why: 'now' });
  });
});

describe('an account new to sending', () => {
  const pace = Pace.parse({ ...FREE, perDay: 300, rampUpDays: 9 });

  it('gets a little more every day until it has the whole', () => {
    const limits = Array.from({ length: 11 }, (_, days) => rampLimit(pace, days));

    expect(limits).toEqual([30, 60, 90, 120, 150, 180, 210, 240, 270, null, null]);
    expect(rampLimit({ ...pace, perDay: 100 }, 0)).toBe(20);
    expect(rampLimit({ ...pace, perDay: 15 }, 0)).toBe(null);
    expect(rampLimit({ ...pace, perDay: 20 }, 0)).toBe(null);
    expect(rampLimit({ ...pace, perDay: null }, 0)).toBe(null);
    expect(rampLimit({ ...pace, rampUpDays: null }, 0)).toBe(null);
  });

  it('is held by its ramp, and says so', () => {
    const recent = Array.from({ length: 30 }, (_, index) => NOW_MS - index * 1000);

    expect(nextAllowed(pace, recent, 0, NOW_MS)).toMatchObject({ why: 'ramp-up' });
    expect(nextAllowed(pace, recent, 0, NOW_MS, { daysBefore: 1 })).toMatchObject({ why: 'now' });
  });
});

describe('a clock that was set back', () => {
  it('holds mails for one window and no longer', () => {
    const pace = { ...FREE, perMinute: 1 };
    const recent = upToNow([NOW_MS + 400 * 86_400_000], NOW_MS);

    expect(nextAllowed(pace, recent, 5_000, NOW_MS).atMs).toBe(NOW_MS + 60_000);
    expect(nextAllowed(pace, recent, 5_000, NOW_MS + 60_000).why).toBe('now');
  });
});

describe('paceWithin', () => {
  it("takes the provider's limit where it is the smaller one", () => {
    const limits = { perMinute: null, perHour: 40, perDay: 1000 };

    expect(paceWithin(USUAL_PACE, limits)).toEqual({ ...USUAL_PACE, perHour: 40 });
    expect(paceWithin({ ...USUAL_PACE, perDay: null }, limits).perDay).toBe(1000);
  });
});

describe('recentNeeded', () => {
  it('is the largest limit, and one for the pause alone', () => {
    expect(recentNeeded(Pace.parse({ perMinute: 3, perHour: 60, perDay: 20 }))).toBe(60);
    expect(recentNeeded({ ...FREE, perMinute: 3 })).toBe(3);
    expect(recentNeeded({ ...FREE, perDay: 9 })).toBe(9);
    expect(recentNeeded(FREE)).toBe(1);
  });
});

describe('drawGapMs', () => {
  it('draws every pause between both ends, the ends included', () => {
    const pace = { ...FREE, gapMinMs: 10, gapMaxMs: 12 };

    expect([0, 0.34, 0.999_999].map((random) => drawGapMs(pace, random))).toEqual([10, 11, 12]);
    expect(drawGapMs(FREE, 0.9)).toBe(0);
  });
});
