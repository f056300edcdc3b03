import { deferred } from '../../shared/deferred.ts';
import type { WaitReason } from '../../shared/status.ts';
import type { AttemptEnd } from '../core/attempt-end.ts';
import { backoffMs, PREPARE_BACKOFF } from '../core/backoff.ts';
import { conclude, isPutOff, localFailure } from '../core/conclude.ts';
import type { Hold } from '../core/hold.ts';
import { drawGapMs, nextAllowed, recentNeeded } from '../core/pace.ts';
import { plan } from '../core/plan.ts';
import type { Context, StopSignals } from './context.ts';
import { isRefusal } from './journal.ts';
import type { LedgerChange, LedgerFailure, LedgerMail } from './ports.ts';
import { type Prepared, prepareMail } from './prepare-mail.ts';
import { submitMail } from './submit-mail.ts';

/** Looks again at least this often, whatever it waits for: a changed clock or a setting must not be slept through. */
const LOOK_AGAIN_MS = 60_000;
const LEDGER_PAUSE_MS = 2_000;
/** A kept mail whose turn is this near is composed while the one before it waits for its reply. */
const NEAR_MS = 1_000;

/**
 * One mail after another: plan, prepare, attempt, conclude. The outcome of one mail is written together with the start
 * of the next where both are at hand, so a mail costs two disk flushes.
 */
export async function sendLoop(context: Context, stop: StopSignals): Promise<void> {
  const { ports, journal, live } = context;
  let outcome: readonly LedgerChange[] = [];
  let upcoming: Upcoming | null = null;
  let gapMs = drawGapMs(context.config.pace, ports.random.fraction());

  while (!stop.drain.aborted) {
    const next = planNext(context, gapMs);
    if (next.kind === 'wait') {
      if (!(await written(context, outcome, stop))) return;
      outcome = [];
      // A message composed long before it is sent would carry an old date.
      if (next.untilMs === null || next.untilMs > ports.clock.nowMs() + NEAR_MS) upcoming = null;
      await waitFor(context, next, stop.drain);
      continue;
    }
    if (upcoming?.mailId !== next.mail.id) upcoming = prepare(context, next.mail, stop);
    const ready = upcoming.done.prepared;
    if (ready === null) {
      // Composing may take long. A known outcome does not wait for it, and what came meanwhile (a pause, a comparison
      // with the cloud) is planned with.
      if (!(await written(context, outcome, stop))) return;
      outcome = [];
      await upcoming.done.preparing;
      continue;
    }
    upcoming = null;
    if (ready.kind !== 'ready') {
      if (!(await written(context, [...outcome, unready(context, next.mail, ready)], stop))) return;
      outcome = [];
      continue;
    }
    live.postponedCounts.delete(next.mail.id);
    const attempt = next.mail.state.attempt + 1;
    const start = mailChange(context, next.mail.id, { kind: 'attempt-started', attempt });
    const started = journal.commit([...outcome, start]);
    if (!started.ok) {
      // The outcome is kept and written alone; the mail is looked at afresh.
      if (isUnknown(started.error)) wantSync(context);
      if (!(await written(context, outcome, stop))) return;
      outcome = [];
      await ports.clock.sleep(LEDGER_PAUSE_MS, stop.drain);
      continue;
    }
    if (outcome.length > 0) outcomeWritten(context);

    live.waiting = null;
    live.current = { mailId: next.mail.id, attempt, stage: 'connect' };
    context.changed();
    const envelope = deferred<void>();
    const submitting = submitMail(context, next.mail, ready.message, attempt, stop, envelope.resolve);
    // Only once the envelope is on its way: composing the next mail would hold it up.
    await Promise.race([envelope.promise, submitting]);
    upcoming = prepareUpcoming(context, stop);
    const end = await submitting;
    if (mayHaveArrived(end)) noteSubmission(context);
    outcome = concluded(context, next.mail, attempt, ready.message.messageId, end);
    live.current = null;
    live.unwritten = true;
    gapMs = drawGapMs(context.config.pace, ports.random.fraction());
    context.changed();
    if (end.submission.kind !== 'accepted' || outcome.length > 1) {
      // A mail that goes back, or a hold on the account, changes what comes next: it is written before that is planned.
      if (!(await written(context, outcome, stop))) return;
      outcome = [];
    }
  }
  await written(context, outcome, stop);
}

// ---- what comes next

type Next = { readonly kind: 'send'; readonly mail: LedgerMail } | Waiting;
type Waiting = { readonly kind: 'wait'; readonly untilMs: number | null; readonly why: WaitReason };

function planNext(context: Context, gapMs: number): Next {
  const { ports, live } = context;
  const nowMs = ports.clock.nowMs();
  const mail = ports.ledger.nextDue(nowMs);
  const decided = plan({
    holds: currentHolds(context),
    synced: live.synced,
    next: mail === null || mail.state.kind !== 'claimed' ? null : { mailId: mail.id },
    nextDueAtMs: ports.ledger.nextDueAtMs(),
    allowed: nextAllowed(context.config.pace, live.recentSubmissions, gapMs, nowMs),
    nowMs,
  });
  if (decided.kind === 'wait') return decided;
  return mail === null ? { kind: 'wait', untilMs: null, why: 'nothing-to-send' } : { kind: 'send', mail };
}

/** The ledger's holds, and one of this moment while the ledger itself cannot be written. */
export function currentHolds({ ports, journal, config }: Context): readonly Hold[] {
  const trouble = journal.trouble();
  if (trouble === null) return ports.ledger.holds();
  const { message } = localFailure(config.language, 'ledger-unwritable', 'local');
  return [{ kind: 'ledger', sinceMs: trouble.sinceMs, untilMs: null, text: message, repeat: 1 }];
}

async function waitFor(context: Context, waiting: Waiting, signal: AbortSignal): Promise<void> {
  const { ports, bells, live, journal } = context;
  live.waiting = { why: waiting.why, untilMs: waiting.untilMs };
  context.changed();
  const pauseMs = journal.trouble() === null ? LOOK_AGAIN_MS : LEDGER_PAUSE_MS;
  const ms = waiting.untilMs === null ? pauseMs : Math.min(pauseMs, Math.max(0, waiting.untilMs - ports.clock.nowMs()));
  await bells.send.wait(ports.clock, ms, signal);
  // After a failed write the only way to learn that the disk is back is to write again.
  if (journal.trouble() !== null) journal.probe();
}

// ---- the mail after this one

/** A mail being composed; `prepared` is set, for a look without waiting, before `preparing` resolves. */
type Upcoming = {
  readonly mailId: string;
  readonly done: { prepared: Prepared | null; preparing: Promise<void> };
};

function prepare(context: Context, mail: LedgerMail, stop: StopSignals): Upcoming {
  const done: Upcoming['done'] = { prepared: null, preparing: Promise.resolve() };
  done.preparing = prepareMail(context, mail, stop.drain).then((prepared) => {
    done.prepared = prepared;
  });
  // A fault of ours rejects where it is waited for; a mail that is never waited for must not end the process.
  done.preparing.catch(() => undefined);
  return { mailId: mail.id, done };
}

/** Composes the next mail beside the one under way, where its turn comes at once. */
function prepareUpcoming(context: Context, stop: StopSignals): Upcoming | null {
  const { ports, config, live } = context;
  const nowMs = ports.clock.nowMs();
  const mail = config.pace.gapMaxMs <= NEAR_MS ? ports.ledger.nextDue(nowMs) : null;
  if (mail === null || nextAllowed(config.pace, [nowMs, ...live.recentSubmissions], 0, nowMs).atMs > nowMs + NEAR_MS)
    return null;
  return prepare(context, mail, stop);
}

function unready(context: Context, mail: LedgerMail, prepared: Exclude<Prepared, { kind: 'ready' }>): LedgerChange {
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

// ---- after the attempt

function concluded(
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
    backOffRepeat: backOff?.repeat ?? 0,
  });
  ports.log.info('mail.attempt-ended', { mail: mail.id, attempt, outcome: event.kind, ...endFields(end) });
  // The cloud knows more than `begin` could say: where the mail went, or who began it.
  if (event.kind === 'withdrawn') bells.claim.ring();
  const changes: LedgerChange[] = [mailChange(context, mail.id, event)];
  if (hold === 'lift-back-off') {
    if (backOff !== undefined) changes.push({ kind: 'hold-lifted', holdKind: 'back-off' });
  } else if (hold !== null) changes.push({ kind: 'hold-set', hold });
  return changes;
}

/** Only a mail that was tried before can have been put off before; the first attempt asks the ledger nothing. */
function putOffCount(context: Context, mail: LedgerMail, attempt: number): number {
  if (attempt === 1) return 0;
  const rows = context.ports.ledger.attempts(mail.id);
  return rows.filter((row) => row.outcome === 'not-sent' && row.failure !== null && isPutOff(row.failure)).length;
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

const mayHaveArrived = ({ submission }: AttemptEnd): boolean =>
  submission.kind === 'accepted' || ('stage' in submission && submission.stage === 'handed-over');

function noteSubmission({ live, config, ports }: Context): void {
  live.recentSubmissions.unshift(ports.clock.nowMs());
  const needed = recentNeeded(config.pace);
  if (live.recentSubmissions.length > needed) live.recentSubmissions.length = needed;
}

// ---- writing

/** Writes what must not be lost, again and again until it is on disk; false where the agent was told to give up. */
async function written(context: Context, changes: readonly LedgerChange[], stop: StopSignals): Promise<boolean> {
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
const isUnknown = (failure: LedgerFailure): boolean => failure.kind === 'io' && !failure.reopened;

/** After a write of unknown outcome a mail may stand in the ledger where nobody moves it on. */
function wantSync({ live, bells }: Context): void {
  live.syncWanted = true;
  bells.sync.ring();
}

function outcomeWritten({ live, bells }: Context): void {
  live.unwritten = false;
  bells.report.ring();
  live.mailsUntilRoom -= 1;
  if (live.mailsUntilRoom === 0) bells.claim.ring();
}

const mailChange = (
  { ports }: Context,
  mailId: string,
  event: Extract<LedgerChange, { kind: 'mail' }>['event'],
): LedgerChange => ({ kind: 'mail', mailId, event, atMs: ports.clock.nowMs() });
