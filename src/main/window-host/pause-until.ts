import { assertNever } from '../../shared/result.ts';

const HOUR_MS = 3_600_000;

/** When a pause ends (epoch milliseconds); null where only a person ends it. `today` ends at this machine's midnight. */
export function pauseUntilMs(until: 'hour' | 'today' | 'resume', nowMs: number): number | null {
  switch (until) {
    case 'hour':
      return nowMs + HOUR_MS;
    case 'today': {
      const day = new Date(nowMs);
      return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
    }
    case 'resume':
      return null;
    default:
      return assertNever(until);
  }
}
