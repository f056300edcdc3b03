import type { Pace } from '../../shared/settings.ts';
import { nextWorkingInstant } from './working-hours.ts';

export type PaceReason =
  | 'now'
  | 'gap'
  | 'per-minute'
  | 'per-hour'
  | 'per-day'
  | 'ramp-up'
  | 'per-domain'
  | 'working-hours';

/** When the next mail may leave, epoch milliseconds, and what holds it until then; `now` where nothing does. */
export type Allowed = { readonly atMs: number; readonly why: PaceReason };

/** What was sent before, as far as the pace looks at it. */
export type PaceMemory = {
  /** Instants of the latest submissions, newest first: at least `recentNeeded(pace)` where there were so many. */
  readonly recent: readonly number[];
  /** The drawn pause after the newest, milliseconds. */
  readonly gapMs: number;
  /** Days on which the account sent anything so far, today not counted. */
  readonly daysBefore: number;
  /** Submissions to the domain of the mail in question, newest first. */
  readonly toDomain: readonly number[];
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Where a ramp begins, unless its share of the day is more: enough for a salesperson to be of use on the first day. */
const RAMP_MIN_COUNT = 20;

/**
 * The first instant at which one more mail keeps every limit: in no window of a minute, an hour or 24 hours do more
 * mails leave than allowed. Throws `RangeError` for a time zone the settings should have refused.
 */
export function nextAllowed(pace: Pace, memory: PaceMemory, nowMs: number): Allowed {
  let allowed: Allowed = { atMs: nowMs, why: 'now' };
  const wait = (why: PaceReason, submissions: readonly number[], nth: number | null, windowMs: number): void => {
    const submittedAtMs = nth === null ? undefined : submissions[nth - 1];
    if (submittedAtMs === undefined) return;
    const atMs = submittedAtMs + windowMs;
    if (atMs > allowed.atMs) allowed = { atMs, why };
  };
  const { recent } = memory;
  wait('gap', recent, 1, memory.gapMs);
  wait('per-domain', memory.toDomain, pace.perHourPerDomain, HOUR_MS);
  wait('per-minute', recent, pace.perMinute, MINUTE_MS);
  wait('per-hour', recent, pace.perHour, HOUR_MS);
  wait('ramp-up', recent, rampLimit(pace, memory.daysBefore), DAY_MS);
  wait('per-day', recent, pace.perDay, DAY_MS);
  if (pace.workingHours === null) return allowed;
  const openAtMs = nextWorkingInstant(pace.workingHours, allowed.atMs);
  return openAtMs > allowed.atMs ? { atMs: openAtMs, why: 'working-hours' } : allowed;
}

/** The day's limit of an account still new to sending, growing evenly; null once the pace's own limit is reached. */
export function rampLimit({ perDay, rampUpDays }: Pace, daysBefore: number): number | null {
  if (perDay === null || rampUpDays === null) return null;
  const limit = Math.max(RAMP_MIN_COUNT, Math.ceil((perDay * (daysBefore + 1)) / (rampUpDays + 1)));
  return limit < perDay ? limit : null;
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

/** What a provider itself allows; null where nobody knows. */
export type ProviderLimits = Pick<Pace, 'perMinute' | 'perHour' | 'perDay'>;

/** The pace within what the provider allows, for a person who chose none. */
export function paceWithin(pace: Pace, limits: ProviderLimits): Pace {
  const within = (usual: number | null, most: number | null): number | null =>
    usual === null || most === null ? (usual ?? most) : Math.min(usual, most);
  return {
    ...pace,
    perMinute: within(pace.perMinute, limits.perMinute),
    perHour: within(pace.perHour, limits.perHour),
    perDay: within(pace.perDay, limits.perDay),
  };
}
