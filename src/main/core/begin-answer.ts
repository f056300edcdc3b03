import type { ProblemCode } from '../../shared/wire/problem.ts';

/** What the cloud's word on `begin` means for the mail. */
export type BeginMeaning =
  /** Ask again with the same nonce. */
  | 'ask-again'
  | 'cancelled'
  | 'released'
  | 'expired'
  | 'payload-changed'
  /** Another process or disk began this mail: it may have been sent. */
  | 'begun-elsewhere'
  | 'token-refused'
  /** Not granted, for a reason that says nothing about the mail. */
  | 'unknown';

/** Only a problem of the contract is a definite answer; whatever else came back may have worked, so it is asked again. */
export function beginMeaning(code: ProblemCode): BeginMeaning {
  switch (code) {
    case 'cancelled':
      return 'cancelled';
    case 'not-holder':
    case 'already-final':
    case 'not-found':
    case 'not-sending':
      return 'released';
    case 'expired':
      return 'expired';
    case 'payload-changed':
      return 'payload-changed';
    case 'already-begun':
      return 'begun-elsewhere';
    case 'unauthorized':
      return 'token-refused';
    case 'rate-limited':
    case 'internal':
    case 'unavailable':
      return 'ask-again';
    case 'nonce-retired':
    case 'invalid-request':
    case 'too-large':
    case 'pairing-code-invalid':
    case 'wrong-nonce':
    case 'conflicting-result':
    case 'illegal-move':
      return 'unknown';
  }
}
