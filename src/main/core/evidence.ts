import type { Backoff } from './backoff.ts';

/** Between two looks for an uncertain mail: providers often list a sent mail only after a while. */
export const LOOK_BACKOFF: Backoff = { baseMs: 60_000, capMs: 6 * 3_600_000 };

/** A mailbox out of reach or busy, and one that refuses the login: many failed logins lock an account. */
export const MAILBOX_BACKOFF: Backoff = { baseMs: 60_000, capMs: 2 * 3_600_000 };
export const LOGIN_BACKOFF: Backoff = { baseMs: 30 * 60_000, capMs: 6 * 3_600_000 };

/** What the looks for an uncertain mail came to so far. */
export type Absence = {
  /** Complete looks that did not find it while another mail of this agent was found in the same folder. */
  readonly provenLooks: number;
  /** Since the first look, by a clock that nobody sets: a jump of the wall clock is no waiting. */
  readonly lookedForMs: number;
  /** A fact of the account: its provider was seen to save a sent mail by itself. */
  readonly savesSentCopy: 'yes' | 'no' | 'unknown';
};

const LOOKS_MIN = 4;
const ABSENT_FOR_MS = 6 * 3_600_000;

/**
 * Whether a mail that is not in Sent was not sent. Absence proves something only where the account saves what it sends by
 * itself; even then the same look must find another sent mail, so that the search and the saving are known to
 * work, again and again over hours.
 */
export const provesNotSent = ({ provenLooks, lookedForMs, savesSentCopy }: Absence): boolean =>
  savesSentCopy === 'yes' && provenLooks >= LOOKS_MIN && lookedForMs >= ABSENT_FOR_MS;
