import type { WaitReason } from '../../shared/status.ts';
import { localFailure } from '../core/conclude.ts';
import type { Hold } from '../core/hold.ts';
import { nextAllowed, upToNow } from '../core/pace.ts';
import { plan } from '../core/plan.ts';
import type { Context, StopSignals } from './context.ts';
import { LEDGER_PAUSE_MS } from './journal.ts';
import type { LedgerMail } from './ports.ts';
import { type Prepared, prepareMail } from './prepare-mail.ts';

/** Looks again at least this often, whatever it waits for: a changed clock or a setting must not be slept through. */
const LOOK_AGAIN_MS = 60_000;
/** A mail whose turn is this near is composed while the one before it waits for its reply. */
export const NEAR_MS = 1_000;

type Next = { readonly kind: 'send'; readonly mail: LedgerMail } | Waiting;
type Waiting = { readonly kind: 'wait'; readonly untilMs: number | null; readonly why: WaitReason };

/** What the send loop does now: which mail, or how long to wait and why. */
export function planNext(context: Context, gapMs: number): Next {
  const { ports, live } = context;
  const nowMs = ports.clock.nowMs();
  live.recentSubmissions = upToNow(live.recentSubmissions, nowMs);
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

/** Waits for what the plan says, a ring, or a while; tries the disk again where it failed. */
export async function waitFor(context: Context, waiting: Waiting, signal: AbortSignal): Promise<void> {
  const { ports, bells, live, journal } = context;
  live.waiting = { why: waiting.why, untilMs: waiting.untilMs };
  context.changed();
  const pauseMs = journal.trouble() === null ? LOOK_AGAIN_MS : LEDGER_PAUSE_MS;
  const ms = waiting.untilMs === null ? pauseMs : Math.min(pauseMs, Math.max(0, waiting.untilMs - ports.clock.nowMs()));
  await bells.send.wait(ports.clock, ms, signal);
  // After a failed write the only way to learn that the disk is back is to write again.
  if (journal.trouble() !== null) journal.probe();
}

/** A mail being composed; `prepared` is set, for a look without waiting, before `preparing` resolves. */
export type Upcoming = {
  readonly mailId: string;
  readonly done: { prepared: Prepared | null; preparing: Promise<void> };
};

/** Begins to compose a mail. */
export function startPreparing(context: Context, mail: LedgerMail, stop: StopSignals): Upcoming {
  const done: Upcoming['done'] = { prepared: null, preparing: Promise.resolve() };
  done.preparing = prepareMail(context, mail, stop.drain).then((prepared) => {
    done.prepared = prepared;
  });
  // A fault of ours rejects where it is waited for; a mail that is never waited for must not end the process.
  done.preparing.catch(() => undefined);
  return { mailId: mail.id, done };
}

/** Composes the next mail beside the one under way, where its turn comes at once. */
export function prepareUpcoming(context: Context, stop: StopSignals): Upcoming | null {
  const { ports, config, live } = context;
  const nowMs = ports.clock.nowMs();
  const mail = config.pace.gapMaxMs <= NEAR_MS ? ports.ledger.nextDue(nowMs) : null;
  if (mail === null || nextAllowed(config.pace, [nowMs, ...live.recentSubmissions], 0, nowMs).atMs > nowMs + NEAR_MS)
    return null;
  return startPreparing(context, mail, stop);
}
