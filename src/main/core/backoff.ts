/** Bounds of a growing delay, milliseconds. */
export type Backoff = { readonly baseMs: number; readonly capMs: number };

/**
 * Delay before the next try. `attempt` from 1; `random` in [0, 1); answers milliseconds between half of the step and
 * the step, which doubles from `baseMs` up to `capMs`. Never throws. Source: RFC 5321 4.5.4.1; equal jitter, so that
 * agents do not return in step.
 */
export function backoffMs(attempt: number, random: number, { baseMs, capMs }: Backoff): number {
  const stepMs = Math.min(capMs, baseMs * 2 ** (Math.max(1, attempt) - 1));
  // Half is kept fixed: a delay near zero would meet the same trouble again.
  return Math.round(stepMs / 2 + (stepMs / 2) * random);
}

/** While there is work the cloud is asked for mails this often. */
export const POLL_BUSY_MS = 5_000;

/** When nothing is queued: from 5 to 10 s after the first empty claim, up to a minute. */
export const POLL_IDLE: Backoff = { baseMs: 2 * POLL_BUSY_MS, capMs: 60_000 };

/** A mail whose attachment is out of reach. */
export const PREPARE_BACKOFF: Backoff = { baseMs: 20_000, capMs: 10 * 60_000 };

/** A report the cloud could not take now. */
export const REPORT_BACKOFF: Backoff = { baseMs: 2_000, capMs: 5 * 60_000 };
