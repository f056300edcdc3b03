import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import {
  CloudStatus,
  type HeldItemHead,
  type OtherItem,
  type SyncReplyEnvelope,
  type SyncRequest,
} from '../../src/shared/wire/messages.ts';
import { BigintText, rowId } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { CLAIMED_COLUMNS, claimedColumns, claimedItem, REPLY_PAYLOAD_BYTES } from '../queue/claimed-mail.ts';
import type { AgentIdentity } from '../queue/moves.ts';

/** The mails in `sending` with this agent, by id; one page is bounded by count and by payload bytes like a claim. */
const HELD_PAGE = {
  name: 'held-page',
  text: `
WITH page AS (
  SELECT id,
         row_number() OVER (ORDER BY id) AS place,
         sum(payload_bytes) OVER (ORDER BY id) AS bytes,
         count(*) OVER () AS found
    FROM (SELECT id, payload_bytes FROM recipients
           WHERE agent_id = $1 AND status = 'sending' AND id > $2
           ORDER BY id LIMIT $3::integer + 1) AS candidates
)
SELECT ${CLAIMED_COLUMNS}, r.begun_nonce, r.uncertain_since IS NOT NULL AS uncertain, page.found > page.place AS more
  FROM page JOIN recipients r ON r.id = page.id
  JOIN tasks t ON t.id = r.task_id JOIN payloads p ON p.recipient_id = r.id
 WHERE page.place <= $3 AND (page.place = 1 OR page.bytes <= $4)
 ORDER BY r.id`,
  row: z.object({
    ...claimedColumns,
    begun_nonce: z.string().nullable(),
    uncertain: z.boolean(),
    more: z.boolean(),
  }),
};

const OTHERS = {
  name: 'others',
  text: `
SELECT id, status, smtp_message_id, error_message, status = 'sending' AND agent_id = $2 AS held
  FROM recipients
 WHERE user_id = $1 AND id = ANY ($3::bigint[]) AND status <> 'draft'`,
  row: z.object({
    id: BigintText,
    status: CloudStatus,
    smtp_message_id: z.string().nullable(),
    error_message: z.string().nullable(),
    held: z.boolean(),
  }),
};

/** One page of what the cloud holds for this agent, and what became of the known mails it does not hold. */
export async function syncPage(
  queries: Queries,
  agent: AgentIdentity,
  request: SyncRequest,
): Promise<Result<Omit<SyncReplyEnvelope, 'items'> & { items: HeldItemHead[] }, Failure>> {
  const after = request.after === null ? '0' : rowId(request.after);
  if (after === null) return fail('invalid-request', 'after is not a cursor of an earlier page');
  const page = await queries.rows(HELD_PAGE, [agent.agentId, after, request.limit, REPLY_PAYLOAD_BYTES]);
  const last = page.at(-1);
  return ok({
    items: page.map((row) => ({ ...claimedItem(row), begun_nonce: row.begun_nonce, uncertain: row.uncertain })),
    next_after: last?.more === true ? last.id : null,
    others: await otherMails(queries, agent, request.known),
  });
}

async function otherMails(queries: Queries, agent: AgentIdentity, known: readonly string[]): Promise<OtherItem[]> {
  if (known.length === 0) return [];
  const ids = known.map(rowId).filter((id) => id !== null);
  const rows = await queries.rows(OTHERS, [agent.userId, agent.agentId, ids]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(known)].flatMap((id): OtherItem[] => {
    const row = found.get(id);
    if (row === undefined) return [{ id, status: 'unknown', smtp_message_id: null, error_message: null }];
    if (row.held) return [];
    return [{ id, status: row.status, smtp_message_id: row.smtp_message_id, error_message: row.error_message }];
  });
}
