import type { MailCounts, StatusView, TaskProgress } from '../../src/shared/status.ts';

export const NO_MAILS: MailCounts = {
  waiting: 0,
  sending: 0,
  sent: 0,
  failed: 0,
  uncertain: 0,
  cancelled: 0,
  released: 0,
  untold: 0,
  conflicts: 0,
};

/** All mails in one task, as an agent shows them where the queue holds no more. */
function oneTask({ waiting, sending, sent, failed, uncertain }: MailCounts): TaskProgress {
  const total = waiting + sending + sent + failed + uncertain;
  return { taskId: 't', name: 'T', total, sent, failed, uncertain };
}

/** An idle agent, but for the change. */
export function statusWith(
  change: Partial<Omit<StatusView, 'counts'>> & { readonly counts?: Partial<MailCounts> } = {},
): StatusView {
  const { counts, ...rest } = change;
  return {
    state: 'idle',
    synced: true,
    tasks: [oneTask({ ...NO_MAILS, ...counts })],
    current: null,
    waiting: null,
    holds: [],
    lastHeartbeatAtMs: null,
    cloudReachable: true,
    ...rest,
    counts: { ...NO_MAILS, ...counts },
  };
}

export const hold = (kind: string, text = 'why') => ({ kind, sinceMs: 1, untilMs: null, text });
