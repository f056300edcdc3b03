import type { TaskProgress } from './status.ts';

// Apart from the schemas: the page takes it in, and no schema library.

/** What "12 of 40" counts: all these tasks together. */
export function taskSum(tasks: readonly TaskProgress[]): Omit<TaskProgress, 'taskId' | 'name'> {
  const sum = (of: 'total' | 'sent' | 'failed' | 'uncertain') => tasks.reduce((count, task) => count + task[of], 0);
  return { total: sum('total'), sent: sum('sent'), failed: sum('failed'), uncertain: sum('uncertain') };
}
