import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import type { BeginRequest } from '../../src/shared/wire/messages.ts';
import { BigintText } from '../database/columns.ts';
import type { Queries, Statement } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { readMail } from './mail-facts.ts';
import { type AgentIdentity, agentActor, RACE_TURNS } from './moves.ts';
import { refuseBegin } from './rules.ts';

/**
 * The fence, in one statement: permission for (mail, nonce) where nobody else has begun, and again for the same nonce.
 * The update waits for the row's lock and then judges the latest row, so a cancel and a begin never both succeed.
 */
const BEGIN: Statement<{ readonly id: string }> = {
  name: 'begin',
  text: `
UPDATE recipients
   SET begun_nonce = $6,
       begun_at = coalesce(begun_at, now()),
       attempt = greatest(attempt, $7),
       actor = $8,
       note = jsonb_build_object('nonce', $6::text, 'attempt', $7::integer)
 WHERE id = $1 AND user_id = $2 AND agent_id = $3 AND status = 'sending'
   AND idempotency_key = $4 AND payload_hash = $5
   AND $6 <> ALL (retired_nonces)
   AND (begun_nonce = $6
        OR (begun_nonce IS NULL AND uncertain_since IS NULL AND (not_after IS NULL OR not_after > now())))
RETURNING id`,
  row: z.object({ id: BigintText }),
};

export async function beginMail(
  queries: Queries,
  agent: AgentIdentity,
  id: string,
  request: BeginRequest,
): Promise<Result<{ id: string; nonce: string; granted: true }, Failure>> {
  for (let turn = 0; turn < RACE_TURNS; turn += 1) {
    const granted = await queries.rows(BEGIN, [
      id,
      agent.userId,
      agent.agentId,
      request.idempotency_key,
      request.payload_hash,
      request.nonce,
      request.attempt,
      agentActor(agent),
    ]);
    if (granted.length > 0) return ok({ id, nonce: request.nonce, granted: true });
    const mail = await readMail(queries, agent, id);
    if (mail === null) return fail('not-found');
    // Null where the row as it is now would be granted: it changed after the refusal.
    const why = refuseBegin(mail, agent, request);
    if (why !== null) return fail(why);
  }
  return fail('unavailable', 'the mail is changing too quickly');
}
