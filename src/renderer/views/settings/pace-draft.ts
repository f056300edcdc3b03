import type { Pace } from '../../../shared/settings.ts';

/** The pace as it stands in the form: texts as typed. */
export type PaceDraft = {
  readonly gapFrom: string;
  readonly gapTo: string;
  readonly perMinute: string;
  readonly perHour: string;
  readonly perDay: string;
  readonly perHourPerDomain: string;
  readonly rampUpDays: string;
  readonly equalErrors: string;
  readonly refusedPercent: string;
  readonly hoursOn: boolean;
  readonly from: string;
  readonly to: string;
  readonly days: readonly number[];
  readonly timeZone: string;
};
export type PaceFault = 'gap' | 'limit' | 'ramp' | 'pause' | 'hours' | 'days';
/** The fields of whole numbers that may be empty, with their least and greatest. */
const COUNTS = {
  perMinute: [1, 1_000],
  perHour: [1, 10_000],
  perDay: [1, 100_000],
  perHourPerDomain: [1, 10_000],
  rampUpDays: [1, 90],
  equalErrors: [2, 100],
  refusedPercent: [5, 95],
} as const satisfies Partial<Record<keyof PaceDraft, readonly [number, number]>>;
export type CountField = keyof typeof COUNTS;

const SECOND_MS = 1000;
const GAP_MAX_SECONDS = 3600;
const WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5];

export function paceDraft(pace: Pace, timeZone: string): PaceDraft {
  const limit = (count: number | null): string => (count === null ? '' : String(count));
  const hours = pace.workingHours;
  return {
    gapFrom: String(pace.gapMinMs / SECOND_MS),
    gapTo: String(pace.gapMaxMs / SECOND_MS),
    perMinute: limit(pace.perMinute),
    perHour: limit(pace.perHour),
    perDay: limit(pace.perDay),
    perHourPerDomain: limit(pace.perHourPerDomain),
    rampUpDays: limit(pace.rampUpDays),
    equalErrors: limit(pace.pauseAfterEqualErrors),
    refusedPercent: limit(pace.pauseAboveRefusedPercent),
    hoursOn: hours !== null,
    from: hours?.from ?? '09:00',
    to: hours?.to ?? '18:00',
    days: hours?.days ?? WEEKDAYS,
    timeZone: hours?.timeZone ?? timeZone,
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
  const count = (field: CountField, fault: PaceFault): number | null => {
    const read = readCount(draft[field], COUNTS[field]);
    if (read !== 'wrong') return read;
    if (!faults.includes(fault)) faults.push(fault);
    return null;
  };
  const counts = {
    perMinute: count('perMinute', 'limit'),
    perHour: count('perHour', 'limit'),
    perDay: count('perDay', 'limit'),
    perHourPerDomain: count('perHourPerDomain', 'limit'),
    rampUpDays: count('rampUpDays', 'ramp'),
    pauseAfterEqualErrors: count('equalErrors', 'pause'),
    pauseAboveRefusedPercent: count('refusedPercent', 'pause'),
  };
  if (draft.hoursOn && !(draft.from !== '' && draft.from < draft.to)) faults.push('hours');
  if (draft.hoursOn && draft.days.length === 0) faults.push('days');
  if (faults.length > 0 || gapMin === null || gapMax === null) return { ok: false, faults };
  const { from, to, timeZone } = draft;
  const days = [...draft.days].sort((a, b) => a - b);
  return {
    ok: true,
    pace: {
      ...counts,
      gapMinMs: Math.round(gapMin * SECOND_MS),
      gapMaxMs: Math.round(gapMax * SECOND_MS),
      workingHours: draft.hoursOn ? { from, to, days, timeZone } : null,
    },
  };
}

function readSeconds(text: string): number | null {
  const seconds = Number(text.trim());
  return /^\d{1,4}(\.\d{1,3})?$/.test(text.trim()) && seconds <= GAP_MAX_SECONDS ? seconds : null;
}

function readCount(text: string, [least, most]: readonly [number, number]): number | null | 'wrong' {
  if (text.trim() === '') return null;
  const count = Number(text.trim());
  return /^\d{1,6}$/.test(text.trim()) && count >= least && count <= most ? count : 'wrong';
}
