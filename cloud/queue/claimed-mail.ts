import { z } from 'zod';
import type { ClaimedItemHead } from '../../src/shared/wire/messages.ts';
import { BigintText, InstantText } from '../database/columns.ts';

/** Payload text of one reply, all its mails together; a larger mail still comes, alone. */
export const REPLY_PAYLOAD_BYTES = 4 * 1024 * 1024;

/** Columns of a mail as an agent gets it, from `recipients r`, `tasks t` and `payloads p`. */
export const CLAIMED_COLUMNS = `r.id, r.user_id, r.idempotency_key, r.payload_hash, r.not_before, r.not_after,
  t.id AS task_id, t.name AS task_name, p.payload`;

export const claimedColumns = {
  id: BigintText,
  user_id: z.string(),
  idempotency_key: z.string(),
  payload_hash: z.string(),
  not_before: InstantText.nullable(),
  not_after: InstantText.nullable(),
  task_id: z.string(),
  task_name: z.string(),
  payload: z.string(),
};
const ClaimedRow = z.object(claimedColumns);

export function claimedItem(row: z.infer<typeof ClaimedRow>): ClaimedItemHead {
  const payload: unknown = JSON.parse(row.payload);
  return {
    id: row.id,
    user_id: row.user_id,
    idempotency_key: row.idempotency_key,
    payload_hash: row.payload_hash,
    payload,
    task: { id: row.task_id, name: row.task_name },
    not_before: row.not_before,
    not_after: row.not_after,
  };
}
