import type { BrokenCause, Submission } from '../../engine/ports.ts';

/** Why no complete reply came. `text` is for a person; it never holds a secret or a mail address. */
export type Broken = { readonly cause: BrokenCause; readonly text: string };

/** A dialogue that ended before a message was under way. */
export type OpeningFailure = Extract<Submission, { readonly kind: 'replied' | 'broken' }>;

export const broken = (cause: BrokenCause, text: string): Broken => ({ cause, text });

export const STOPPED = broken('stopped', 'Stopped before the mail was handed over.');
export const timedOut = (waitedFor: string): Broken =>
  broken('timeout', `The mail server took too long: ${waitedFor}.`);
export const outOfStep = (what: string): Broken => broken('out-of-step', `The mail server is out of step: ${what}.`);

/** Reads the error of a socket that never connected. Source: getaddrinfo(3), connect(2). */
export function connectBroken(error: Error, where: string): Broken {
  const code = errorCode(error);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
      return broken('dns', `The name ${where} cannot be looked up (${code}).`);
    case 'ETIMEDOUT':
      return broken('timeout', `No connection to ${where} in time.`);
    case 'ECONNRESET':
    case 'EPIPE':
      return broken('dropped', `${where} dropped the connection.`);
    default:
      return broken('refused', `No connection to ${where} (${code}).`);
  }
}

/** Reads the error, if any, with which an open connection closed. */
export function closedBroken(error: Error | null): Broken {
  if (error !== null && errorCode(error) === 'ETIMEDOUT') {
    return broken('timeout', 'The connection to the mail server went silent.');
  }
  return broken('dropped', 'The connection to the mail server was closed without a complete reply.');
}

export const errorCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;
