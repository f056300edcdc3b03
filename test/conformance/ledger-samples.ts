import type { Failure, MailEvent } from '../../src/main/core/mail-state.ts';
import type { Ledger, LedgerChange, NewMail } from '../../src/main/engine/ports.ts';

/** A mail as the cloud would hand it over, told apart by its number. */
export function newMail(number: number, over: Partial<NewMail> = {}): NewMail {
  return {
    id: `${number}`,
    idempotencyKey: `email-recipient-${number}`,
    payloadHash: `sha256:${number.toString(16).padStart(64, '0')}`,
    taskId: 'task-1',
    taskName: '春季拜访 Spring visit',
    payload: { subject: `No. ${number}`, text: '你好\r\n"quoted" \u2028', unknown_field: [1.5, null, { deep: true }] },
    notBeforeMs: null,
    notAfterMs: null,
    claimedAtMs: 1_000 + number,
    ...over,
  };
}

export const nonceOf = (mailId: string, attempt: number): string => `nonce-${mailId}-${attempt}-${'x'.repeat(22)}`;

export const reply = { code: 250, enhanced: '2.0.0', text: 'Ok: queued as 4A7' };
export const failureAt = (stage: Failure['stage']): Failure => ({
  stage,
  class: 'connection',
  reply: stage === 'connect' ? null : { code: 451, enhanced: null, text: 'try later "please"' },
  message: 'The mail server did not answer. 服务器没有回应。',
});

export const claimed = (mails: readonly NewMail[], atMs = 2_000): LedgerChange => ({
  kind: 'mails-claimed',
  claimId: null,
  mails,
  atMs,
});
export const happened = (mailId: string, event: MailEvent, atMs = 3_000): LedgerChange => ({
  kind: 'mail',
  mailId,
  event,
  atMs,
});

export const started = (attempt: number): MailEvent => ({ kind: 'attempt-started', attempt });
export const handedOver = (attempt: number): MailEvent => ({ kind: 'handed-over', attempt });
export const accepted = (mailId: string, attempt: number): MailEvent => ({
  kind: 'accepted',
  attempt,
  nonce: nonceOf(mailId, attempt),
  messageId: `<${mailId}@example.com>`,
  reply,
});
export const refused = (mailId: string, attempt: number, stage: Failure['stage'] = 'envelope'): MailEvent => ({
  kind: 'refused',
  attempt,
  nonce: nonceOf(mailId, attempt),
  failure: failureAt(stage),
});
export const notSent = (
  mailId: string,
  attempt: number,
  retryAtMs = 9_000,
  stage: Failure['stage'] = 'connect',
): MailEvent => ({
  kind: 'not-sent',
  attempt,
  nonce: nonceOf(mailId, attempt),
  retryAtMs,
  failure: failureAt(stage),
});
export const lost = (mailId: string, attempt: number, stage: Failure['stage'] = 'handed-over'): MailEvent => ({
  kind: 'lost',
  attempt,
  nonce: nonceOf(mailId, attempt),
  messageId: `<${mailId}@example.com>`,
  failure: failureAt(stage),
});

/** Commits and expects it to happen. */
export function commitAll(ledger: Ledger, ...changes: readonly LedgerChange[]): void {
  const done = ledger.commit(changes);
  if (!done.ok) throw new Error(`the commit did not happen: ${JSON.stringify(done.error)}`);
}

/** Brings mail `mailId` from claimed to sent, one commit a step. */
export function sendMail(ledger: Ledger, mailId: string, atMs: number): void {
  commitAll(ledger, happened(mailId, started(1), atMs));
  commitAll(ledger, happened(mailId, handedOver(1), atMs + 1));
  commitAll(ledger, happened(mailId, accepted(mailId, 1), atMs + 2));
}

const INSTANTS = [0, 1, 5, 10, 50, 1_000, 1_000_000];

/** Everything the port answers, so that two ledgers can be compared. */
export function everythingIn(ledger: Ledger, mailIds: readonly string[], nonces: readonly string[]): unknown {
  return {
    mails: mailIds.map((id) => ledger.mail(id)),
    attempts: mailIds.map((id) => ledger.attempts(id)),
    nextDue: INSTANTS.map((nowMs) => ledger.nextDue(nowMs)?.id ?? null),
    nextDueAtMs: ledger.nextDueAtMs(),
    dueAfter: INSTANTS.map((atMs) => ledger.dueAfter(atMs)),
    held: ledger.held(3).map((mail) => mail.id),
    heldAll: ledger.held(1_000),
    heldIds: ledger.heldIds(2),
    listed: ledger.list({ kinds: null, limit: 1_000, offset: 0 }).map((mail) => mail.id),
    page: ledger.list({ kinds: ['sent', 'claimed'], limit: 2, offset: 1 }).map((mail) => mail.id),
    counts: ledger.counts(),
    tasks: INSTANTS.map((sinceMs) => ledger.tasks(sinceMs)),
    untold: INSTANTS.map((nowMs) => ledger.untold(nowMs, 1_000)),
    untoldTwo: ledger.untold(1_000_000, 2).map((row) => row.seq),
    nextUntoldAtMs: ledger.nextUntoldAtMs(),
    reports: mailIds.flatMap((id) => [null, ...nonces].map((nonce) => ledger.reportFor(id, nonce))),
    openClaim: ledger.openClaim(),
    holds: ledger.holds(),
    facts: mailIds.map((id) => ledger.facts(id)),
    named: ['<a@x>', '<b@x>'].map((id) => ledger.mailNamed(id)),
    lackingCopy: [0, 5].map((sinceMs) => ledger.lackingCopy(sinceMs, 2)),
    heldAddress: ['a@x', 'b@x'].map((address) => ledger.heldAddress(address)),
    heldAddresses: ledger.heldAddresses(2),
    recentSubmissions: ledger.recentSubmissions(4, 1e12),
    submissionsSince: ledger.submissionsSince(0, 1_000).map(({ atMs }) => atMs),
    submissionDays: ledger.submissionDays(0),
    recentEnds: ledger.recentEnds(5),
    settings: ['pairing', 'pace'].map((key) => ledger.setting(key)),
  };
}
