import { assertNever } from '../../src/shared/result.ts';
import type { BeginRequest, CloudStatus, NotSentRequest, ResultRequest } from '../../src/shared/wire/messages.ts';
import type { ProblemCode } from '../../src/shared/wire/problem.ts';
import { type AgentIdentity, RECIPIENT_MOVES, type RecipientStatus } from './moves.ts';

/**
 * What the queue decides, as pure functions over one row. The statements beside decide the same in SQL, under the row's
 * lock; these say why a statement did nothing, and they are the whole of the model cloud in the simulator. A test runs
 * both on the same calls (test/conformance/cloud-equality.test.ts).
 */

/** A mail's row, as far as it decides anything. */
export type MailFacts = {
  readonly status: CloudStatus;
  readonly agent_id: string | null;
  readonly idempotency_key: string;
  readonly payload_hash: string;
  readonly begun_nonce: string | null;
  readonly retired_nonces: readonly string[];
  readonly smtp_message_id: string | null;
  readonly error_message: string | null;
  readonly uncertain: boolean;
  /** Its time is over, by the database's clock. */
  readonly expired: boolean;
};

/** Nobody can have sent it: the condition of every way back. */
const hasNotBegun = (mail: Pick<MailFacts, 'begun_nonce' | 'uncertain'>): boolean =>
  mail.begun_nonce === null && !mail.uncertain;

/** Whether the transition table lets a mail go there; the trigger asks the same of every statement. */
export function mayMove(
  mail: Pick<MailFacts, 'begun_nonce' | 'uncertain'> & { readonly status: RecipientStatus },
  to: RecipientStatus,
): boolean {
  const move = RECIPIENT_MOVES.find((known) => known.from === mail.status && known.to === to);
  if (move === undefined || (move.needsNotBegun && !hasNotBegun(mail))) return false;
  return to !== 'sent' || !hasNotBegun(mail);
}

/** Null where `begin` is granted. */
export function refuseBegin(mail: MailFacts, agent: AgentIdentity, request: BeginRequest): ProblemCode | null {
  if (mail.idempotency_key !== request.idempotency_key || mail.payload_hash !== request.payload_hash) {
    return 'payload-changed';
  }
  if (mail.status === 'cancelled') return 'cancelled';
  if (mail.status === 'sent' || mail.status === 'send_failed') return 'already-final';
  if (mail.status === 'queued' || mail.agent_id !== agent.agentId) return 'not-holder';
  if (mail.retired_nonces.includes(request.nonce)) return 'nonce-retired';
  if (mail.begun_nonce === request.nonce) return null;
  // A mail marked uncertain may have been sent by somebody: nobody begins it any more.
  if (mail.begun_nonce !== null || mail.uncertain) return 'already-begun';
  return mail.expired ? 'expired' : null;
}

/** What a "not sent" does: retires the nonce of an open mail, clears the mark where it stood under this nonce. */
export type NotSentEffect =
  | { readonly kind: 'retire'; readonly clears: boolean }
  /** The mail is final: no `begin` is granted any more anyway. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly code: ProblemCode };

export function judgeNotSent(
  mail: MailFacts,
  request: Pick<NotSentRequest, 'idempotency_key' | 'nonce'>,
): NotSentEffect {
  if (mail.idempotency_key !== request.idempotency_key) return { kind: 'refused', code: 'payload-changed' };
  if (mail.status !== 'queued' && mail.status !== 'sending') return { kind: 'nothing' };
  return { kind: 'retire', clears: mail.begun_nonce === request.nonce };
}

/** What a result does. `finish` and `mark-uncertain` write; the others answer from the row as it stands. */
export type ResultEffect =
  | { readonly kind: 'finish'; readonly as: 'sent' | 'send_failed' }
  | { readonly kind: 'mark-uncertain' | 'repeated' }
  | { readonly kind: 'refused'; readonly code: ProblemCode };

/**
 * `sent` needs the nonce that began; `send_failed` may come without any begin. A mail marked uncertain is also settled
 * by evidence, which need not name the nonce. Who knows the nonce that began is believed even under another agent of
 * this user: it is the same computer, paired anew with an outcome still to tell.
 */
export function judgeResult(mail: MailFacts, agent: AgentIdentity, result: ResultRequest): ResultEffect {
  const refused = (code: ProblemCode) => ({ kind: 'refused', code }) as const;
  if (mail.idempotency_key !== result.idempotency_key || mail.payload_hash !== result.payload_hash) {
    return refused('payload-changed');
  }
  switch (mail.status) {
    case 'sent':
    case 'send_failed':
    case 'cancelled':
      return isStored(mail, result) ? { kind: 'repeated' } : refused('conflicting-result');
    case 'queued':
      return refused('not-sending');
    case 'sending':
      if (mail.agent_id !== agent.agentId && !hasBegunNonce(mail, result)) return refused('not-holder');
      if (result.outcome === 'uncertain' && mail.uncertain) return { kind: 'repeated' };
      if (!isTellable(mail, result)) return refused('wrong-nonce');
      return result.outcome === 'uncertain' ? { kind: 'mark-uncertain' } : { kind: 'finish', as: result.outcome };
    default:
      return assertNever(mail.status);
  }
}

const isStored = (mail: MailFacts, result: ResultRequest): boolean =>
  mail.status === result.outcome &&
  mail.smtp_message_id === result.smtp_message_id &&
  mail.error_message === result.error_message;

const hasBegunNonce = (mail: MailFacts, result: ResultRequest): boolean =>
  result.nonce !== null && mail.begun_nonce === result.nonce;

function isTellable(mail: MailFacts, result: ResultRequest): boolean {
  if (hasBegunNonce(mail, result)) return true;
  switch (result.outcome) {
    case 'uncertain':
      return result.nonce === null;
    case 'send_failed':
      if (mail.begun_nonce === null) return true;
      break;
    case 'sent':
      break;
    default:
      return assertNever(result.outcome);
  }
  return result.evidence !== null && mail.uncertain && result.nonce === null;
}

/** Null where the agent may give the mail back; a mail that is queued again counts as given back. */
export function refuseRelease(
  mail: MailFacts,
  agent: AgentIdentity,
  request: { readonly idempotency_key: string },
): ProblemCode | null {
  if (mail.idempotency_key !== request.idempotency_key) return 'payload-changed';
  if (mail.status === 'queued') return null;
  if (mail.status !== 'sending') return 'not-sending';
  if (mail.agent_id !== agent.agentId) return 'not-holder';
  return hasNotBegun(mail) ? null : 'already-begun';
}

/** What an operator may do to a mail. A final word is never taken back; `send-again` makes a new mail, once. */
export function operatorMay(
  act: 'cancel' | 'give-back' | 'resolve' | 'send-again',
  mail: Pick<MailFacts, 'begun_nonce' | 'uncertain'> & { readonly status: RecipientStatus; readonly isResent: boolean },
): boolean {
  switch (act) {
    case 'cancel':
      return mayMove(mail, 'cancelled');
    case 'give-back':
      return mayMove(mail, 'queued') && mail.status === 'sending';
    case 'resolve':
      return mail.status === 'sending' && mail.uncertain;
    case 'send-again':
      return (mail.status === 'send_failed' || mail.status === 'cancelled') && !mail.isResent;
    default:
      return assertNever(act);
  }
}
