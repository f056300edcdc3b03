import type { TaskProgress } from '../../../shared/ipc/views.ts';
import type { MailCounts } from '../../../shared/status.ts';

export type Totals = {
  readonly sent: number;
  readonly total: number;
  readonly failed: number;
  readonly uncertain: number;
};

/** What "12 of 40" counts: the batches that are shown, or every mail here where no batch is. */
export function totals(tasks: readonly TaskProgress[], counts: MailCounts): Totals {
  if (tasks.length === 0) {
    const { waiting, sending, sent, failed, uncertain } = counts;
    return { sent, failed, uncertain, total: waiting + sending + sent + failed + uncertain };
  }
  return tasks.reduce<Totals>(
    (sum, task) => ({
      sent: sum.sent + task.sent,
      total: sum.total + task.total,
      failed: sum.failed + task.failed,
      uncertain: sum.uncertain + task.uncertain,
    }),
    { sent: 0, total: 0, failed: 0, uncertain: 0 },
  );
}
