import type { Pace } from '../../shared/settings.ts';

export type WorkingHours = NonNullable<Pace['workingHours']>;

const DAY_MS = 86_400_000;
/** Every weekday comes round within it, also where a zone once left a day out. */
const DAYS_AHEAD = 15;

/**
 * The first instant at or after `fromMs` that lies in the working hours: the zone's own clock shows an allowed day and
 * a time in [from, to). An opening is either an instant at which that clock shows `from`, or one at which the clock is
 * changed into the hours; so only these are looked at. Throws `RangeError` for an unknown time zone.
 */
export function nextWorkingInstant(hours: WorkingHours, fromMs: number): number {
  const zone = zoneOf(hours.timeZone);
  if (isOpen(hours, zone, fromMs)) return fromMs;
  const today = wallDay(zone, fromMs);
  let firstMs = Number.POSITIVE_INFINITY;
  // A clock set back over midnight shows yesterday once more.
  for (let day = today - 1; day < today + DAYS_AHEAD && firstMs === Number.POSITIVE_INFINITY; day += 1) {
    for (const candidateMs of openingsNear(day, hours, zone)) {
      const counts = candidateMs >= fromMs && candidateMs < firstMs && wallDay(zone, candidateMs) === day;
      if (counts && isOpen(hours, zone, candidateMs)) firstMs = candidateMs;
    }
  }
  return firstMs;
}

/** Offset of the zone's clock from UTC at an instant, milliseconds; positive east of Greenwich. */
type Zone = (atMs: number) => number;

/** Making one costs a hundred times what asking it does; there are only some hundred zones. */
const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  const zone = zones.get(timeZone) ?? createZone(timeZone);
  zones.set(timeZone, zone);
  return zone;
}

function createZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (atMs) => {
    const shown = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
    for (const { type, value } of format.formatToParts(atMs)) {
      Object.assign(shown, { [type]: Number(value) });
    }
    const wallMs = Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second);
    return wallMs - Math.floor(atMs / 1000) * 1000;
  };
}

/** The day the zone's calendar shows, counted since 1970-01-01. */
const wallDay = (zone: Zone, atMs: number): number => Math.floor((atMs + zone(atMs)) / DAY_MS);

function isOpen(hours: WorkingHours, zone: Zone, atMs: number): boolean {
  const day = wallDay(zone, atMs);
  const timeMs = atMs + zone(atMs) - day * DAY_MS;
  return hours.days.includes(weekday(day)) && timeMs >= clockMs(hours.from) && timeMs < clockMs(hours.to);
}

/** `day` counts days since 1970-01-01, a Thursday; answers 1 Monday to 7 Sunday. */
const weekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** `09:30` as milliseconds since midnight. */
const clockMs = (text: string): number => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * 60_000;

/** Instants at which the hours of that day may open, and perhaps one of a day beside it. */
function openingsNear(day: number, hours: WorkingHours, zone: Zone): readonly number[] {
  const wallMs = day * DAY_MS + clockMs(hours.from);
  // Two days reach past the hours of this day in every zone, though `wallMs` is read as UTC here.
  const [lowMs, highMs] = [wallMs - 2 * DAY_MS, wallMs + 2 * DAY_MS];
  const [before, after] = [zone(lowMs), zone(highMs)];
  if (before === after) return [wallMs - after];
  return [wallMs - before, wallMs - after, changeBetween(lowMs, highMs, zone)];
}

/** The instant at which the offset changes, found by halving; the offsets at both ends differ. */
function changeBetween(lowMs: number, highMs: number, zone: Zone): number {
  const old = zone(lowMs);
  let [before, after] = [lowMs, highMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone(middle) === old) before = middle;
    else after = middle;
  }
  return after;
}
