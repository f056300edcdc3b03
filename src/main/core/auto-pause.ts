import type { Pace } from '../../shared/settings.ts';
import type { Failure } from './mail-state.ts';

/** One ended attempt, as far as a pause by itself looks at it. */
export type EndNote = {
  readonly outcome: 'accepted' | 'refused' | 'not-sent' | 'lost';
  readonly failure: Failure | null;
};

/** Why sending pauses by itself. */
export type AutoPause =
  | { readonly kind: 'equal-errors'; readonly count: number; readonly last: Failure }
  | { readonly kind: 'refused-share'; readonly refused: number; readonly of: number; readonly last: Failure };

/** The latest mails among which the refused ones are counted, and how many there must be to judge. */
const SHARE_OF = 20;
const SHARE_MIN = 10;

/** How many of the latest ends `autoPause` looks at. */
export const endsNeeded = (pace: Pace): number => Math.max(SHARE_OF, pace.pauseAfterEqualErrors ?? 0);

/**
 * True for an end that says something about the mails or the account's name. What has a pause of its own (login, the
 * provider's limits, the connection) and what this computer did itself do not count.
 */
export function counts({ outcome, failure }: EndNote): boolean {
  if (outcome === 'accepted' || outcome === 'lost') return true;
  if (failure === null || failure.reply === null) return false;
  return failure.class !== 'auth' && failure.class !== 'rate-limit' && failure.class !== 'connection';
}

/** Whether to pause after the newest of these ends, all of which count; newest first. */
export function autoPause(pace: Pace, ends: readonly EndNote[]): AutoPause | null {
  const [newest] = ends;
  const last = newest?.failure ?? null;
  if (newest === undefined || last === null) return null;
  const equal = pace.pauseAfterEqualErrors;
  const run = ends.findIndex((end) => likeness(end) !== likeness(newest));
  if (equal !== null && (run === -1 ? ends.length : run) >= equal) return { kind: 'equal-errors', count: equal, last };
  const share = pace.pauseAboveRefusedPercent;
  const latest = ends.slice(0, SHARE_OF);
  const refused = latest.filter(({ outcome }) => outcome === 'refused').length;
  if (share === null || latest.length < SHARE_MIN || newest.outcome !== 'refused') return null;
  return refused * 100 > share * latest.length ? { kind: 'refused-share', refused, of: latest.length, last } : null;
}

/** Equal for failures that a person would call the same. */
const likeness = ({ outcome, failure }: EndNote): string =>
  outcome === 'lost'
    ? outcome
    : JSON.stringify([outcome, failure?.class, failure?.reply?.code, failure?.reply?.enhanced]);
