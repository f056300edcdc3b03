import type { BrokenCause, Submission } from '../../engine/ports.ts';
import { errorCode } from '../tunnel/tcp.ts';
import type { TunnelFailure } from '../tunnel/tunnel.ts';

/** Why no complete reply came. `text` is for a person; it never holds a secret or a mail address. */
export type Broken = { readonly cause: BrokenCause; readonly text: string };

/** A dialogue that ended before a message was under way. */
export type OpeningFailure = Extract<Submission, { readonly kind: 'replied' | 'broken' }>;

export const broken = (cause: BrokenCause, text: string): Broken => ({ cause, text });

export const STOPPED = broken('stopped', 'Stopped before the mail was handed over.');
export const timedOut = (waitedFor: string): Broken =>
  broken('timeout', `The mail server took too long: ${waitedFor}.`);
export const outOfStep = (what: string): Broken => broken('out-of-step', `The mail server is out of step: ${what}.`);

/** Why no connection came about, in the words of a dialogue. */
export function tunnelBroken({ cause, text }: TunnelFailure): Broken {
  if (cause === 'stopped') return STOPPED;
  // Only attachments forbid addresses.
  return broken(cause === 'forbidden' ? 'refused' : cause, text);
}

/** Reads the error, if any, with which an open connection closed. */
export function closedBroken(error: Error | null): Broken {
  if (error !== null && errorCode(error) === 'ETIMEDOUT') {
    return broken('timeout', 'The connection to the mail server went silent.');
  }
  return broken('dropped', 'The connection to the mail server was closed without a complete reply.');
}
