import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextWorkingInstant, type WorkingHours } from '../../src/main/core/working-hours.ts';

const OFFICE: WorkingHours = { from: '09:00', to: '18:00', days: [1, 2, 3, 4, 5], timeZone: 'Asia/Shanghai' };
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const MINUTE_MS = 60_000;

const next = (hours: WorkingHours, from: string): string =>
  new Date(nextWorkingInstant(hours, Date.parse(from))).toISOString();

/** The slow way: is the zone's wall clock inside the hours, minute by minute. */
function firstOpenMinute(hours: WorkingHours, fromMs: number, limitMinutes: number): number | null {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: hours.timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  for (let step = 0; step <= limitMinutes; step += 1) {
    const atMs = fromMs + step * MINUTE_MS;
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.get('weekday') ?? '') + 1;
    const clock = `${parts.get('hour')}:${parts.get('minute')}`;
    if (hours.days.includes(day) && clock >= hours.from && clock < hours.to) return atMs;
  }
  return null;
}

describe('nextWorkingInstant', () => {
  it.each([
    ['within the hours', '2026-11-30T02:00:00.000Z', '2026-11-30T02:00:00.000Z'],
    ['before they begin', '2026-11-30T00:59:59.999Z', '2026-11-30T01:00:00.000Z'],
    ['as they end', '2026-11-30T10:00:00.000Z', '2026-12-01T01:00:00.000Z'],
    ['on a Friday night', '2026-12-04T15:00:00.000Z', '2026-12-07T01:00:00.000Z'],
  ])('answers the first instant %s', (_when, from, expected) => {
    expect(next(OFFICE, from)).toBe(expected);
  });

  it('waits almost a week for the only day', () => {
    const hours = { ...OFFICE, days: [1] };

    expect(next(hours, '2026-11-30T10:00:00.000Z')).toBe('2026-12-07T01:00:00.000Z');
  });

  it('opens at the first minute there is when the clock jumps over the beginning', () => {
    // Berlin, 28 March 2027: 02:00 becomes 03:00.
    const hours = { from: '02:30', to: '05:00', days: EVERY_DAY, timeZone: 'Europe/Berlin' };

    expect(next(hours, '2027-03-27T23:00:00.000Z')).toBe('2027-03-28T01:00:00.000Z');
  });

  it('lets a day out whose hours the clock jumps over', () => {
    const hours = { from: '02:10', to: '02:50', days: EVERY_DAY, timeZone: 'Europe/Berlin' };

    expect(next(hours, '2027-03-27T23:00:00.000Z')).toBe('2027-03-29T00:10:00.000Z');
  });

  it('opens twice when the clock shows the hours twice', () => {
    // Berlin, 25 October 2026: 03:00 becomes 02:00.
    const hours = { from: '02:00', to: '02:30', days: EVERY_DAY, timeZone: 'Europe/Berlin' };

    expect(next(hours, '2026-10-25T00:30:00.000Z')).toBe('2026-10-25T01:00:00.000Z');
    expect(next(hours, '2026-10-25T01:30:00.000Z')).toBe('2026-10-26T01:00:00.000Z');
  });

  it('keeps the wall clock of the zone through the year', () => {
    const hours = { ...OFFICE, timeZone: 'America/New_York' };

    expect(next(hours, '2027-01-04T10:00:00.000Z')).toBe('2027-01-04T14:00:00.000Z');
    expect(next(hours, '2027-07-05T10:00:00.000Z')).toBe('2027-07-05T13:00:00.000Z');
  });

  it('finds the instant that a search minute by minute finds, near every kind of clock change', () => {
    const around = [
      ['Europe/Berlin', '2026-10-25T01:00:00.000Z'],
      ['Europe/Berlin', '2027-03-28T01:00:00.000Z'],
      ['America/New_York', '2026-11-01T06:00:00.000Z'],
      ['Australia/Lord_Howe', '2027-04-03T15:00:00.000Z'],
      ['Pacific/Auckland', '2027-04-03T14:00:00.000Z'],
      ['America/Havana', '2026-11-01T05:00:00.000Z'],
      ['Pacific/Apia', '2011-12-30T10:00:00.000Z'],
      ['Asia/Kathmandu', '2026-11-30T00:00:00.000Z'],
    ] as const;
    const clock = fc.integer({ min: 0, max: 1439 });
    const twoDigits = (value: number) => String(value).padStart(2, '0');
    const written = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
    fc.assert(
      fc.property(
        fc.constantFrom(...around),
        fc.integer({ min: -2000, max: 500 }),
        clock,
        clock,
        fc.subarray(EVERY_DAY, { minLength: 1 }),
        ([timeZone, change], minutesOff, a, b, days) => {
          fc.pre(a !== b);
          const hours = { from: written(Math.min(a, b)), to: written(Math.max(a, b)), days, timeZone };
          const fromMs = Date.parse(change) + minutesOff * MINUTE_MS;

          const found = nextWorkingInstant(hours, fromMs);

          const slow = firstOpenMinute(hours, fromMs, 3000);
          if (slow === null) expect(found).toBeGreaterThan(fromMs + 3000 * MINUTE_MS);
          else expect(found).toBe(slow);
        },
      ),
      { numRuns: 300 },
    );
  });
});
