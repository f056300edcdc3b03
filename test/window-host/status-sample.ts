import type { MailCounts, StatusView } from '../../src/shared/status.ts';

const NO_MAILS: MailCounts = {
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

/** An idle agent, but for the change. */
export function statusWith(
  change: Partial<Omit<StatusView, 'counts'>> & { readonly counts?: Partial<MailCounts> } = {},
): StatusView {
  const { counts, ...rest } = change;
  return {
    state: 'idle',
    synced: true,
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
