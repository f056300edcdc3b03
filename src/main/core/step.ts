import { err, ok, type Result } from '../../shared/result.ts';
import type { NotSentRequest, ResultRequest } from '../../shared/wire/messages.ts';
import { type Failure, type MailEvent, type MailFacts, type MailState, MOVES, type Report } from './mail-state.ts';

export type Step = {
  readonly state: MailState;
  /** Goes into the outbox in the same transaction as the state; null where the cloud need not hear of it. */
  readonly report: Report | null;
};

export type IllegalMove = {
  readonly from: MailState['kind'];
  readonly event: MailEvent['kind'];
  readonly why: 'not-from-here' | 'other-attempt' | 'other-nonce' | 'settling';
};

/**
 * The one place where a mail moves: its next state and what the cloud must be told. An event that already had its
 * effect answers the same state and no report, so that a commit of unknown outcome can simply be repeated.
 * Never throws. Source: docs/state-machine.md is made from MOVES.
 */
export function step(mail: MailFacts, event: MailEvent): Result<Step, IllegalMove> {
  const { state } = mail;
  const illegal = (why: IllegalMove['why']) => err({ from: state.kind, event: event.kind, why });
  const next = target(state, event);
  if (sameState(state, next)) return ok({ state, report: null });
  if (!MOVES[event.kind].from.includes(state.kind)) return illegal('not-from-here');
  if ('attempt' in event && event.attempt !== expectedAttempt(state, event)) return illegal('other-attempt');
  if (event.kind === 'attempt-started' && state.kind === 'claimed' && state.settlingNonce !== null) {
    return illegal('settling');
  }
  if (event.kind === 'settled' && state.kind === 'claimed' && state.settlingNonce !== event.nonce) {
    return illegal('other-nonce');
  }
  return ok({ state: next, report: reportOf(mail, event) });
}

function target(state: MailState, event: MailEvent): MailState {
  switch (event.kind) {
    case 'attempt-started':
      return { kind: 'attempting', attempt: event.attempt };
    case 'handed-over':
      return { kind: 'handed-over', attempt: event.attempt };
    case 'accepted':
      return { kind: 'sent', attempt: event.attempt };
    case 'refused':
      return { kind: 'failed', attempt: event.attempt };
    case 'not-sent':
      return { kind: 'claimed', attempt: event.attempt, retryAtMs: event.retryAtMs, settlingNonce: event.nonce };
    case 'lost':
      return { kind: 'uncertain', attempt: event.attempt, nonce: event.nonce };
    case 'settled':
      return { ...waiting(state), settlingNonce: null };
    case 'postponed':
      return { ...waiting(state), retryAtMs: event.retryAtMs };
    case 'cleared':
      return { kind: 'claimed', attempt: state.attempt, retryAtMs: event.retryAtMs, settlingNonce: null };
    case 'reclaimed':
      return { kind: 'claimed', attempt: state.attempt, retryAtMs: 0, settlingNonce: null };
    case 'withdrawn':
    case 'resolved':
    case 'concluded':
      return { kind: event.as, attempt: state.attempt };
  }
}

function waiting(state: MailState): Extract<MailState, { kind: 'claimed' }> {
  return state.kind === 'claimed'
    ? state
    : { kind: 'claimed', attempt: state.attempt, retryAtMs: 0, settlingNonce: null };
}

/** Only `attempt-started` counts up; every other event belongs to the attempt the ledger knows. */
function expectedAttempt(state: MailState, event: MailEvent): number {
  return event.kind === 'attempt-started' ? state.attempt + 1 : state.attempt;
}

function sameState(a: MailState, b: MailState): boolean {
  if (a.kind !== b.kind || a.attempt !== b.attempt) return false;
  if (a.kind === 'claimed' && b.kind === 'claimed') {
    return a.retryAtMs === b.retryAtMs && a.settlingNonce === b.settlingNonce;
  }
  return a.kind !== 'uncertain' || b.kind !== 'uncertain' || a.nonce === b.nonce;
}

function reportOf(mail: MailFacts, event: MailEvent): Report | null {
  switch (event.kind) {
    case 'accepted':
      return result(mail, {
        outcome: 'sent',
        nonce: event.nonce,
        attempt: event.attempt,
        smtp_message_id: event.messageId,
        stage: 'handed-over',
        code: event.reply.code,
        enhanced_code: event.reply.enhanced,
        reply: event.reply.text,
      });
    case 'refused':
      return result(mail, {
        outcome: 'send_failed',
        nonce: event.nonce,
        attempt: event.attempt,
        ...failureFields(event.failure),
        error_message: event.failure.message,
      });
    case 'lost':
      return result(mail, {
        outcome: 'uncertain',
        nonce: event.nonce,
        attempt: event.attempt,
        smtp_message_id: event.messageId,
        ...failureFields(event.failure),
        error_message: event.failure.message,
      });
    case 'resolved':
      return result(mail, {
        outcome: event.as === 'sent' ? 'sent' : 'send_failed',
        nonce: mail.state.kind === 'uncertain' ? mail.state.nonce : null,
        attempt: mail.state.attempt,
        smtp_message_id: event.as === 'sent' ? event.messageId : null,
        error_message: event.as === 'sent' ? null : event.evidence.note,
        evidence: event.evidence,
      });
    case 'not-sent':
      return event.nonce === null
        ? null
        : { route: 'notSent', body: notSent(mail, event.nonce, event.attempt, event.failure) };
    case 'attempt-started':
    case 'handed-over':
    case 'settled':
    case 'postponed':
    case 'withdrawn':
    case 'cleared':
    case 'reclaimed':
    case 'concluded':
      return null;
  }
}

const NOTHING_MORE = {
  smtp_message_id: null,
  error_message: null,
  stage: null,
  class: null,
  code: null,
  enhanced_code: null,
  reply: null,
  evidence: null,
} as const;

function result(
  mail: MailFacts,
  known: Pick<ResultRequest, 'outcome' | 'nonce' | 'attempt'> & Partial<ResultRequest>,
): Report {
  const body = { idempotency_key: mail.idempotencyKey, payload_hash: mail.payloadHash, ...NOTHING_MORE, ...known };
  return { route: 'result', body };
}

function notSent(mail: MailFacts, nonce: string, attempt: number, failure: Failure): NotSentRequest {
  return { idempotency_key: mail.idempotencyKey, nonce, attempt, ...failureFields(failure) };
}

function failureFields(failure: Failure) {
  return {
    stage: failure.stage,
    class: failure.class,
    code: failure.reply?.code ?? null,
    enhanced_code: failure.reply?.enhanced ?? null,
    reply: failure.reply?.text ?? null,
  };
}
