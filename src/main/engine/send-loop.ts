import { deferred } from '../../shared/deferred.ts';
import { drawGapMs } from '../core/pace.ts';
import { type Context, type StopSignals, wantSync } from './context.ts';
import { holdBack } from './held-addresses.ts';
import { LEDGER_PAUSE_MS } from './journal.ts';
import { rememberMessage } from './keep-copies.ts';
import { NEAR_MS, planNext, prepareUpcoming, startPreparing, type Upcoming, waitFor } from './next-mail.ts';
import {
  concluded,
  isUnknown,
  mailChange,
  mayHaveArrived,
  noteSubmission,
  outcomeWritten,
  unready,
  written,
} from './outcome.ts';
import type { LedgerChange } from './ports.ts';
import { submitMail } from './submit-mail.ts';

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
    const heldBack = holdBack(context, next.mail);
    if (heldBack !== null) {
      if (!(await written(context, [...outcome, heldBack], stop))) return;
      outcome = [];
      continue;
    }
    if (upcoming?.mailId !== next.mail.id) upcoming = startPreparing(context, next.mail, stop);
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
      // Perhaps it is on disk nevertheless: then the mail stands as attempting and nobody moves it on.
      if (isUnknown(started.error)) wantSync(context);
      if (!(await written(context, outcome, stop))) return;
      outcome = [];
      await ports.clock.sleep(LEDGER_PAUSE_MS, stop.drain);
      continue;
    }
    if (outcome.length > 0) outcomeWritten(context);

    live.waiting = null;
    live.current = { mailId: next.mail.id, attempt, stage: 'connect' };
    const envelope = deferred<void>();
    const submitting = submitMail(context, next.mail, ready.message, attempt, stop, envelope.resolve);
    // Only once the envelope and `begin` are on their way: composing the next mail would hold them up.
    await Promise.race([envelope.promise, submitting]);
    await ports.clock.turn();
    upcoming = prepareUpcoming(context, stop);
    const end = await submitting;
    if (mayHaveArrived(end)) noteSubmission(context, next.mail);
    outcome = concluded(context, next.mail, attempt, ready.message.messageId, end);
    if (end.submission.kind === 'accepted') rememberMessage(context, next.mail.id, ready.message);
    live.current = null;
    live.unwritten = true;
    gapMs = drawGapMs(context.config.pace, ports.random.fraction());
    if (end.submission.kind !== 'accepted') {
      // A mail that goes back, or a hold on the account, changes what comes next: it is written before that is planned.
      if (!(await written(context, outcome, stop))) return;
      outcome = [];
    }
  }
  await written(context, outcome, stop);
}
