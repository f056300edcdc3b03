import type { WaitReason } from '../../shared/status.ts';
import { localFailure } from '../core/conclude.ts';
import type { Hold } from '../core/hold.ts';
import type { Allowed } from '../core/pace.ts';
import { type Plan, plan } from '../core/plan.ts';
import { recipientDomain } from '../core/recipient-domain.ts';
import type { Context, StopSignals } from './context.ts';
import { LEDGER_PAUSE_MS } from './journal.ts';
import { allowedTo, settleClock } from './pace-memory.ts';
import type { LedgerMail } from './ports.ts';
import { type Prepared, prepareMail } from './prepare-mail.ts';

/** Looks again at least this often, whatever it waits for: a changed clock or a setting must not be slept through. */
const LOOK_AGAIN_MS = 60_000;
/** A mail whose turn is this near is composed while the one before it waits for its reply. */
export const NEAR_MS = 1_000;

type Waiting = { readonly kind: 'wait'; readonly untilMs: number | null; readonly why: WaitReason };

/** What the send loop does now: which mail, or how long to wait and why. */
export function planNext(context: Context, gapMs: number): Plan<LedgerMail> {
  const { ports, live } = context;
  const nowMs = ports.clock.nowMs();
  settleClock(live.pace, nowMs);
  const { mail, allowed } = nextInLine(context, gapMs, nowMs);
  return plan({
    holds: currentHolds(context),
    synced: live.synced,
    next: mail,
    nextDueAtMs: ports.ledger.nextDueAtMs(),
    allowed,
    nowMs,
  });
}

/**
 * The first mail that may be tried; where its recipient's domain has had enough for this hour, the first behind it that
 * goes elsewhere, so that one company does not hold up the others.
 */
function nextInLine(
  { ports, config, live }: Context,
  gapMs: number,
  nowMs: number,
): { readonly mail: LedgerMail | null; readonly allowed: Allowed } {
  const first = ports.ledger.nextDue(nowMs);
  const judge = (mail: LedgerMail | null): Allowed =>
    allowedTo(config, live.pace, mail === null ? null : recipientDomain(mail.payload), gapMs, nowMs);
  const allowed = judge(first);
  if (allowed.why !== 'per-domain') return { mail: first, allowed };
  let best = { mail: first, allowed };
  for (const mail of ports.ledger.held(config.holdMax)) {
    if (!isDue(mail, nowMs)) continue;
    const other = judge(mail);
    if (other.atMs < best.allowed.atMs) best = { mail, allowed: other };
    if (other.why !== 'per-domain') break;
  }
  return best;
}

/** As the ledger's `nextDue` means it: claimed, not settling, and neither its start nor its next try is still to come. */
const isDue = ({ state, notBeforeMs }: LedgerMail, nowMs: number): boolean =>
  state.kind === 'claimed' && state.settlingNonce === null && Math.max(state.retryAtMs, notBeforeMs ?? 0) <= nowMs;

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
  if (mail === null) return null;
  const soon = { ...live.pace, recent: [nowMs, ...live.pace.recent] };
  if (allowedTo(config, soon, recipientDomain(mail.payload), 0, nowMs).atMs > nowMs + NEAR_MS) return null;
  return startPreparing(context, mail, stop);
}
