import type { TaskProgress } from '../../shared/status.ts';

/** The mails of one task in this ledger, and what the cloud last told of it. Mails given back or cancelled are not in it. */
export type TaskCounts = {
  readonly taskId: string;
  readonly name: string;
  /** Claimed and not yet settled. */
  readonly open: number;
  readonly sent: number;
  readonly failed: number;
  readonly uncertain: number;
  readonly told: {
    readonly total: number;
    readonly queued: number;
    readonly sent: number;
    readonly failed: number;
  } | null;
};

/**
 * How far a task is. Whichever side counts more is the later word: the ledger is ahead of the cloud by what is still to
 * be told, and the cloud knows what waits in the queue and what other computers of the same user have sent.
 */
export function taskProgress({ taskId, name, open, sent, failed, uncertain, told }: TaskCounts): TaskProgress {
  const here = open + sent + failed + uncertain;
  return {
    taskId,
    name,
    total: Math.max(here, told?.total ?? 0),
    sent: Math.max(sent, told?.sent ?? 0),
    failed: Math.max(failed, told?.failed ?? 0),
    uncertain,
  };
}
