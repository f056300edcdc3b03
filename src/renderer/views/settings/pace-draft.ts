import type { Pace } from '../../../shared/settings.ts';

/** The pace as it stands in the form: texts as typed. */
export type PaceDraft = {
  readonly gapFrom: string;
  readonly gapTo: string;
  readonly perMinute: string;
  readonly perHour: string;
  readonly perDay: string;
  readonly hoursOn: boolean;
  readonly from: string;
  readonly to: string;
  readonly days: readonly number[];
  readonly timeZone: string;
  /** What the form does not show stays as it is. */
  readonly unshown: Unshown;
};
type Unshown = Pick<Pace, 'perHourPerDomain' | 'rampUpDays' | 'pauseAfterEqualErrors' | 'pauseAboveRefusedPercent'>;
export type PaceFault = 'gap' | 'limit' | 'hours' | 'days';

const SECOND_MS = 1000;
const GAP_MAX_SECONDS = 3600;
const LIMIT_MAX = 100_000;
const WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5];

export function paceDraft(pace: Pace, timeZone: string): PaceDraft {
  const limit = (count: number | null): string => (count === null ? '' : String(count));
  const hours = pace.workingHours;
  const { perHourPerDomain, rampUpDays, pauseAfterEqualErrors, pauseAboveRefusedPercent } = pace;
  return {
    gapFrom: String(pace.gapMinMs / SECOND_MS),
    gapTo: String(pace.gapMaxMs / SECOND_MS),
    perMinute: limit(pace.perMinute),
    perHour: limit(pace.perHour),
    perDay: limit(pace.perDay),
    hoursOn: hours !== null,
    from: hours?.from ?? '09:00',
    to: hours?.to ?? '18:00',
    days: hours?.days ?? WEEKDAYS,
    timeZone: hours?.timeZone ?? timeZone,
    unshown: { perHourPerDomain, rampUpDays, pauseAfterEqualErrors, pauseAboveRefusedPercent },
  };
}

/** The pace that is meant, or what is wrong with it. */
export function readPace(
  draft: PaceDraft,
): { readonly ok: true; readonly pace: Pace } | { readonly ok: false; readonly faults: readonly PaceFault[] } {
  const faults: PaceFault[] = [];
  const gapMin = readSeconds(draft.gapFrom);
  const gapMax = readSeconds(draft.gapTo);
  if (gapMin === null || gapMax === null || gapMin > gapMax) faults.push('gap');
  const limits = [draft.perMinute, draft.perHour, draft.perDay].map(readLimit);
  if (limits.includes('wrong')) faults.push('limit');
  if (draft.hoursOn && !(draft.from !== '' && draft.from < draft.to)) faults.push('hours');
  if (draft.hoursOn && draft.days.length === 0) faults.push('days');
  if (faults.length > 0 || gapMin === null || gapMax === null) return { ok: false, faults };
  const [perMinute, perHour, perDay] = limits.map((limit) => (limit === 'wrong' ? null : limit));
  const { from, to, timeZone } = draft;
  const days = [...draft.days].sort((a, b) => a - b);
  return {
    ok: true,
    pace: {
      ...draft.unshown,
      gapMinMs: Math.round(gapMin * SECOND_MS),
      gapMaxMs: Math.round(gapMax * SECOND_MS),
      perMinute: perMinute ?? null,
      perHour: perHour ?? null,
      perDay: perDay ?? null,
      workingHours: draft.hoursOn ? { from, to, days, timeZone } : null,
    },
  };
}

function readSeconds(text: string): number | null {
  const seconds = Number(text.trim());
  return /^\d{1,4}(\.\d{1,3})?$/.test(text.trim()) && seconds <= GAP_MAX_SECONDS ? seconds : null;
}

function readLimit(text: string): number | null | 'wrong' {
  if (text.trim() === '') return null;
  const count = Number(text.trim());
  return /^\d{1,6}$/.test(text.trim()) && count >= 1 && count <= LIMIT_MAX ? count : 'wrong';
}
