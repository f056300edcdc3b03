import { z } from 'zod';
import { TASKS_TOLD_MAX, type TaskTotals } from '../../src/shared/wire/messages.ts';
import type { Queries } from '../database/database.ts';

/** An older task is done, or waits for a person who knows why. */
const CONFIRMED_WITHIN = '30 days';

/** The user's latest confirmed tasks, newest first, each counted over all agents; cancelled mails count nowhere. */
const TASK_TOTALS = {
  name: 'task-totals',
  text: `
SELECT t.id, t.name, counted.*
  FROM (SELECT id, name, confirmed_at FROM tasks
         WHERE user_id = $1 AND status = 'sending' AND confirmed_at > now() - interval '${CONFIRMED_WITHIN}'
         ORDER BY confirmed_at DESC LIMIT $2) t
 CROSS JOIN LATERAL (
  SELECT count(*)::integer AS total,
         (count(*) FILTER (WHERE status = 'queued'))::integer AS queued,
         (count(*) FILTER (WHERE status = 'sent'))::integer AS sent,
         (count(*) FILTER (WHERE status = 'send_failed'))::integer AS failed
    FROM recipients WHERE task_id = t.id AND status IN ('queued', 'sending', 'sent', 'send_failed')) counted
 ORDER BY t.confirmed_at DESC, t.id`,
  row: z.object({
    id: z.string(),
    name: z.string(),
    total: z.int(),
    queued: z.int(),
    sent: z.int(),
    failed: z.int(),
  }),
};

export async function taskTotals(queries: Queries, userId: string): Promise<TaskTotals[]> {
  return [...(await queries.rows(TASK_TOTALS, [userId, TASKS_TOLD_MAX]))];
}
