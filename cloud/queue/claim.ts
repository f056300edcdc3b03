import { z } from 'zod';
import type { ClaimedItemHead } from '../../src/shared/wire/messages.ts';
import { oneRow, type Queries } from '../database/database.ts';
import { CLAIMED_COLUMNS, claimedColumns, claimedItem, REPLY_PAYLOAD_BYTES } from './claimed-mail.ts';
import { type AgentIdentity, agentActor } from './moves.ts';

const ClaimedMail = z.object(claimedColumns);

/**
 * The claim: the oldest due mails of this user, locked, moved from `queued` to `sending` and bound to the claim, in one
 * statement and so one short transaction. Rows another claim has locked are skipped, so no mail is taken twice. The
 * claim row is written only when mails are taken; where it is there already (an earlier try, or one that runs at the
 * same time and is waited for), nothing is taken here and HELD_BY_CLAIM answers. The ids go through an array, because
 * a plan made for any limit would join by reading the whole table.
 */
const CLAIM = {
  name: 'claim',
  text: `
WITH oldest AS MATERIALIZED (
  SELECT id, created_at, payload_bytes
    FROM recipients
   WHERE user_id = $1 AND status = 'queued' AND (not_before IS NULL OR not_before <= now())
   ORDER BY created_at, id
   LIMIT $4
     FOR UPDATE SKIP LOCKED
), fitting AS (
  SELECT id
    FROM (SELECT id,
                 row_number() OVER in_order AS place,
                 sum(payload_bytes) OVER in_order AS bytes
            FROM oldest WINDOW in_order AS (ORDER BY created_at, id)) AS summed
   WHERE place = 1 OR bytes <= $5
), claim AS (
  INSERT INTO claims (agent_id, claim_id)
  SELECT $2::uuid, $3::uuid WHERE EXISTS (SELECT FROM fitting)
  ON CONFLICT (agent_id, claim_id) DO NOTHING
  RETURNING claim_id
), taken AS (
  UPDATE recipients
     SET status = 'sending', agent_id = $2::uuid, claim_id = $3::uuid, actor = $6
   WHERE EXISTS (SELECT FROM claim) AND id = ANY (ARRAY(SELECT id FROM fitting))
  RETURNING *
)
SELECT ${CLAIMED_COLUMNS}
  FROM taken r JOIN tasks t ON t.id = r.task_id JOIN payloads p ON p.recipient_id = r.id
 ORDER BY r.created_at, r.id`,
  row: ClaimedMail,
};

/** The mails of a claim that its agent still holds, oldest first. */
const HELD_BY_CLAIM = {
  name: 'held-by-claim',
  text: `
SELECT ${CLAIMED_COLUMNS}
  FROM recipients r JOIN tasks t ON t.id = r.task_id JOIN payloads p ON p.recipient_id = r.id
 WHERE r.agent_id = $1 AND r.status = 'sending' AND r.claim_id = $2
 ORDER BY r.created_at, r.id`,
  row: ClaimedMail,
};

const CLAIM_EXISTS = {
  name: 'claim-exists',
  text: 'SELECT EXISTS (SELECT FROM claims WHERE agent_id = $1 AND claim_id = $2) AS known',
  row: z.object({ known: z.boolean() }),
};

/** `nothing-due` may be asked again with the same claim_id; a claim that was answered always answers its own mails. */
export type ClaimAnswer =
  | { readonly kind: 'claimed'; readonly items: readonly ClaimedItemHead[] }
  | { readonly kind: 'nothing-due' };

export async function claimMails(
  queries: Queries,
  agent: AgentIdentity,
  claim: { readonly claimId: string; readonly limit: number },
): Promise<ClaimAnswer> {
  const taken = await queries.rows(CLAIM, [
    agent.userId,
    agent.agentId,
    claim.claimId,
    claim.limit,
    REPLY_PAYLOAD_BYTES,
    agentActor(agent),
  ]);
  if (taken.length > 0) return { kind: 'claimed', items: taken.map(claimedItem) };
  const { known } = await oneRow(queries, CLAIM_EXISTS, [agent.agentId, claim.claimId]);
  if (!known) return { kind: 'nothing-due' };
  const held = await queries.rows(HELD_BY_CLAIM, [agent.agentId, claim.claimId]);
  return { kind: 'claimed', items: held.map(claimedItem) };
}
