import type { Pace } from '../../shared/settings.ts';
import { nextWorkingInstant } from './working-hours.ts';

export type PaceReason = 'now' | 'gap' | 'per-minute' | 'per-hour' | 'per-day' | 'working-hours';

/** When the next mail may leave, epoch milliseconds, and what holds it until then; `now` where nothing does. */
export type Allowed = { readonly atMs: number; readonly why: PaceReason };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The first instant at which one more mail keeps every limit: in no window of a minute, an hour or 24 hours do more
 * mails leave than allowed. `recentNewestFirst` holds the instants of the latest submissions, none in the
 * future, at least `recentNeeded(pace)` of them where there were so many; `gapMs` is the drawn pause after the newest.
 * Throws `RangeError` for a time zone the settings should have refused.
 */
export function nextAllowed(pace: Pace, recentNewestFirst: readonly number[], gapMs: number, nowMs: number): Allowed {
  let allowed: Allowed = { atMs: nowMs, why: 'now' };
  const wait = (why: PaceReason, nth: number | null, windowMs: number): void => {
    const submittedAtMs = nth === null ? undefined : recentNewestFirst[nth - 1];
    if (submittedAtMs === undefined) return;
    const atMs = submittedAtMs + windowMs;
    if (atMs > allowed.atMs) allowed = { atMs, why };
  };
  wait('gap', 1, gapMs);
  wait('per-minute', pace.perMinute, MINUTE_MS);
  wait('per-hour', pace.perHour, HOUR_MS);
  wait('per-day', pace.perDay, DAY_MS);
  if (pace.workingHours === null) return allowed;
  const openAtMs = nextWorkingInstant(pace.workingHours, allowed.atMs);
  return openAtMs > allowed.atMs ? { atMs: openAtMs, why: 'working-hours' } : allowed;
}

/**
 * Submissions in the future were written before the clock was set back: they count as of this moment. To be kept, not
 * asked again: what counts as of every moment holds the next mail for ever.
 */
export function upToNow(submissions: readonly number[], nowMs: number): readonly number[] {
  return submissions.some((atMs) => atMs > nowMs) ? submissions.map((atMs) => Math.min(atMs, nowMs)) : submissions;
}

/** How many of the latest submissions `nextAllowed` looks at. */
export const recentNeeded = (pace: Pace): number =>
  Math.max(1, pace.perMinute ?? 0, pace.perHour ?? 0, pace.perDay ?? 0);

/** The pause after one mail, milliseconds; `random` in [0, 1). */
export const drawGapMs = (pace: Pace, random: number): number =>
  pace.gapMinMs + Math.floor(random * (pace.gapMaxMs - pace.gapMinMs + 1));
