import type { CheckStep } from '../../../shared/account-check.ts';
import { assertNever } from '../../../shared/result.ts';
import type { CheckTrouble } from '../../../shared/texts/check-trouble.ts';
import type { SmtpReply, Stage } from '../../../shared/wire/messages.ts';
import type { BrokenCause } from '../attempt-end.ts';
import type { RefusedCertificate } from './facts.ts';
import { interceptorOf } from './interceptors.ts';
import { troubleOfReply } from './reply-trouble.ts';

/** How a dialogue ended before it was through: by a complete negative reply, or without one. */
export type CheckEnd =
  | { readonly kind: 'replied'; readonly stage: Stage; readonly reply: SmtpReply }
  | { readonly kind: 'broken'; readonly stage: Stage; readonly cause: BrokenCause; readonly text: string };

/**
 * What stands in the way, from the end of the dialogue, the step that was under way, and a second look at a
 * certificate that was refused.
 */
export function troubleOf(end: CheckEnd, step: CheckStep, certificate: RefusedCertificate | null): CheckTrouble {
  if (end.kind === 'replied') return troubleOfReply(end.stage, end.reply, step);
  switch (end.cause) {
    case 'dns':
      return { kind: 'name-unknown' };
    case 'refused':
      return { kind: 'no-answer' };
    case 'timeout':
      return step === 'dns' || step === 'tcp' ? { kind: 'no-answer' } : { kind: 'too-slow' };
    case 'dropped':
      return step === 'login' ? { kind: 'dropped-at-login' } : { kind: 'dropped' };
    case 'certificate':
      return certificate === null ? { kind: 'certificate-refused' } : troubleOfCertificate(certificate);
    case 'starttls-missing':
    case 'tls':
      return { kind: 'not-protected' };
    case 'auth-not-offered':
      return { kind: 'no-password-login' };
    case 'smtputf8-missing':
      return { kind: 'address-letters' };
    case 'no-credentials':
      return { kind: 'no-password' };
    case 'sign-in-again':
      return { kind: 'sign-in-again' };
    case 'sign-in-unreachable':
      return { kind: 'sign-in-unreachable' };
    case 'size-exceeded':
    case 'out-of-step':
    case 'too-much':
      return { kind: 'no-mail-server' };
    case 'proxy-unreachable':
    case 'proxy-login':
    case 'proxy-refused':
      return { kind: end.cause };
    case 'stopped':
      return { kind: 'stopped' };
    default:
      return assertNever(end.cause);
  }
}

/** The same trouble where the login was by a sign-in with the browser: there is no password to look at. */
export function troubleOfSignIn(trouble: CheckTrouble): CheckTrouble {
  if (trouble.kind === 'no-password-login') return { kind: 'no-sign-in-at-server' };
  return trouble.kind === 'login-refused' ? { kind: 'token-refused' } : trouble;
}

const EXPIRED = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'];

function troubleOfCertificate(certificate: RefusedCertificate): CheckTrouble {
  const { code, issuer, names, validToMs } = certificate;
  const by = interceptorOf(issuer);
  if (by !== null) return { kind: 'intercepted', by };
  if (EXPIRED.includes(code)) return { kind: 'certificate-expired', issuer, validToMs };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return { kind: 'certificate-other-name', names };
  return { kind: 'certificate-untrusted', issuer };
}

/** The step of the check that a stage of the dialogue belongs to. */
export function stepOfStage(stage: Stage): CheckStep {
  switch (stage) {
    case 'prepare':
    case 'connect':
      return 'dns';
    case 'tls':
      return 'tls';
    case 'auth':
      return 'login';
    case 'envelope':
    case 'body':
    case 'handed-over':
      return 'test-mail';
    default:
      return assertNever(stage);
  }
}
