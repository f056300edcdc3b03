import type { MailCounts, StatusView, TaskProgress } from '../../shared/status.ts';
import { agentState } from '../core/plan.ts';
import { taskProgress } from '../core/progress.ts';
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

/** A task that was done longer ago is no longer looked at daily. */
const RECENT_MS = 12 * 3_600_000;

/** The tasks a person looks at now; the latest one where nothing is to be sent and nothing was done lately. */
export function currentTasks(ledger: Pick<Ledger, 'tasks' | 'list'>, nowMs: number): readonly TaskProgress[] {
  const recent = ledger.tasks(nowMs - RECENT_MS);
  if (recent.length > 0) return recent.map(taskProgress);
  const [last] = ledger.list({ kinds: ['sent', 'failed', 'uncertain'], limit: 1, offset: 0 });
  return last === undefined ? [] : ledger.tasks(last.changedAtMs).map(taskProgress);
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
    tasks: currentTasks(ports.ledger, ports.clock.nowMs()),
    current,
    waiting: current === null ? waiting : null,
    holds,
    lastHeartbeatAtMs,
    cloudReachable,
  };
}
