import type { MailCounts, StatusView } from '../../shared/status.ts';
import { agentState } from '../core/plan.ts';
import type { Context } from './context.ts';
import { heldMails } from './held-addresses.ts';
import { currentHolds } from './next-mail.ts';
import type { Ledger } from './ports.ts';

export function mailCounts(ledger: Pick<Ledger, 'counts'>): MailCounts {
  const counts = ledger.counts();
  return {
    waiting: counts.claimed,
    sending: counts.attempting + counts['handed-over'],
    sent: counts.sent,
    failed: counts.failed,
    uncertain: counts.uncertain,
    cancelled: counts.cancelled,
    released: counts.released,
    untold: counts.untold,
    conflicts: counts.conflicts,
  };
}

export function statusOf(context: Context): StatusView {
  const { ports, live } = context;
  const holds = currentHolds(context);
  const counts = mailCounts(ports.ledger);
  const { current, cloudReachable, synced, waiting, lastHeartbeatAtMs } = live;
  return {
    state: agentState({
      holds,
      cloudReachable,
      sending: current !== null,
      openQuestions: counts.uncertain + counts.conflicts + heldMails(ports.ledger).length,
      nowMs: ports.clock.nowMs(),
    }),
    synced,
    counts,
    current,
    waiting: current === null ? waiting : null,
    holds,
    lastHeartbeatAtMs,
    cloudReachable,
  };
}
