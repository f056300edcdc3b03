import type { AttemptEnd } from '../core/attempt-end.ts';
import { backoffMs, PREPARE_BACKOFF } from '../core/backoff.ts';
import { conclude, isPutOff } from '../core/conclude.ts';
import type { MailEvent } from '../core/mail-state.ts';
import { otherNameIn } from '../core/message-id.ts';
import { type Context, type StopSignals, wantSync } from './context.ts';
import { isRefusal, LEDGER_PAUSE_MS } from './journal.ts';
import { pauseByItself, rememberSubmission } from './pace-memory.ts';
import type { LedgerChange, LedgerFailure, LedgerMail } from './ports.ts';
import type { Prepared } from './prepare-mail.ts';

/** What an attempt's end changes: the mail, and the holds on the account. */
export function concluded(
  context: Context,
  mail: LedgerMail,
  attempt: number,
  messageId: string,
  end: AttemptEnd,
): readonly LedgerChange[] {
  const { ports, config, bells } = context;
  const backOff = ports.ledger.holds().find((hold) => hold.kind === 'back-off');
  const { event, hold } = conclude(end, {
    attempt,
    messageId,
    language: config.language,
    nowMs: ports.clock.nowMs(),
    random: ports.random.fraction(),
    putOffCount: putOffCount(context, mail, attempt),
    backOff: backOff ?? null,
  });
  ports.log.info('mail.attempt-ended', { mail: mail.id, attempt, outcome: event.kind, ...endFields(end) });
  // The cloud knows more than `begin` could say: where the mail went, or who began it.
  if (event.kind === 'withdrawn') bells.claim.ring();
  const changes: LedgerChange[] = [mailChange(context, mail.id, event)];
  const named = event.kind === 'accepted' ? otherNameIn(event.reply.text) : null;
  if (named !== null && named !== messageId) changes.push({ kind: 'mail-named', mailId: mail.id, messageId: named });
  if (event.kind === 'lost') bells.mailbox.ring();
  // A reply that stops the account says more than that it was not the first: its hold comes last and stands.
  changes.push(...pauseByItself(context, context.live.pace, event));
  if (hold === 'lift-back-off') {
    if (backOff !== undefined) changes.push({ kind: 'hold-lifted', holdKind: 'back-off' });
  } else if (hold !== null) changes.push({ kind: 'hold-set', hold });
  return changes;
}

/** Only a mail that was tried before can have been put off before; the first attempt asks the ledger nothing. */
function putOffCount(context: Context, mail: LedgerMail, attempt: number): number {
  if (attempt === 1) return 0;
  const rows = context.ports.ledger.attempts(mail.id);
  return rows.filter(({ failure }) => failure !== null && isPutOff(failure)).length;
}

function endFields(end: AttemptEnd): { readonly [field: string]: string | number | null } {
  const { submission } = end;
  switch (submission.kind) {
    case 'accepted':
      return { code: submission.reply.code };
    case 'replied':
      return { stage: submission.stage, code: submission.reply.code, enhanced: submission.reply.enhanced };
    case 'broken':
      return { stage: submission.stage, cause: submission.cause };
    case 'held-back':
      return { begin: end.begin?.kind ?? null };
  }
}

/** True where the mail counts for the pace. */
export const mayHaveArrived = ({ submission }: AttemptEnd): boolean =>
  submission.kind === 'accepted' || ('stage' in submission && submission.stage === 'handed-over');

export const noteSubmission = ({ live, config, ports }: Context, mail: LedgerMail): void =>
  rememberSubmission(live.pace, config.pace, mail, ports.clock.nowMs());

/** A mail that cannot be prepared: for good, or for now. */
export function unready(
  context: Context,
  mail: LedgerMail,
  prepared: Exclude<Prepared, { kind: 'ready' }>,
): LedgerChange {
  const { attempt } = mail.state;
  const { failure } = prepared;
  context.ports.log.warn('mail.not-ready', { mail: mail.id, kind: prepared.kind, class: failure.class });
  if (prepared.kind === 'permanent') {
    return mailChange(context, mail.id, { kind: 'refused', attempt, nonce: null, failure });
  }
  const { ports, live } = context;
  const count = (live.postponedCounts.get(mail.id) ?? 0) + 1;
  live.postponedCounts.set(mail.id, count);
  const retryAtMs = ports.clock.nowMs() + backoffMs(count, ports.random.fraction(), PREPARE_BACKOFF);
  return mailChange(context, mail.id, { kind: 'postponed', retryAtMs });
}

/** Writes what must not be lost, again and again until it is on disk; false where the agent was told to give up. */
export async function written(context: Context, changes: readonly LedgerChange[], stop: StopSignals): Promise<boolean> {
  const { journal, ports, live } = context;
  if (changes.length === 0) return true;
  let isPerhapsWritten = false;
  for (;;) {
    const commit = journal.commit(changes);
    if (commit.ok) break;
    if (isRefusal(commit.error)) {
      if (!isPerhapsWritten) throw new Error(`the ledger refused an outcome: ${JSON.stringify(commit.error)}`);
      // It was written after all, and the mail has moved on since; the cloud's view settles what is left.
      wantSync(context);
      break;
    }
    isPerhapsWritten ||= isUnknown(commit.error);
    live.waiting = { why: 'held', untilMs: null };
    context.changed();
    if (stop.abandon.aborted) return false;
    await ports.clock.sleep(LEDGER_PAUSE_MS, stop.abandon);
  }
  outcomeWritten(context);
  context.changed();
  return true;
}

/** True where the commit may be on disk nevertheless: the file could not be looked at. */
export const isUnknown = (failure: LedgerFailure): boolean => failure.kind === 'io' && !failure.reopened;

/** Tells the other loops that an outcome is in the ledger. */
export function outcomeWritten({ live, bells }: Context): void {
  live.unwritten = false;
  bells.report.ring();
  live.mailsUntilRoom -= 1;
  if (live.mailsUntilRoom === 0) bells.claim.ring();
}

export const mailChange = ({ ports }: Context, mailId: string, event: MailEvent): LedgerChange => ({
  kind: 'mail',
  mailId,
  event,
  atMs: ports.clock.nowMs(),
});
