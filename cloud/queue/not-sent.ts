import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import type { NotSentReply, NotSentRequest } from '../../src/shared/wire/messages.ts';
import { storableJson } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { readMail } from './mail-facts.ts';
import { type AgentIdentity, agentActor } from './moves.ts';
import { judgeNotSent } from './rules.ts';

/**
 * Retires the nonce, whether it began or not, so that a `begin` on its way is refused when it arrives; clears the mark
 * where it stood under this nonce, and with it the doubt about that attempt. Written only while the mail is open:
 * afterwards no `begin` is granted anyway.
 */
const RETIRE = {
  name: 'not-sent',
  text: `
WITH before AS (
  SELECT id, begun_nonce IS NOT DISTINCT FROM $4 AS begun, $4 = ANY (retired_nonces) AS retired
    FROM recipients
   WHERE id = $1 AND user_id = $2 AND idempotency_key = $3 AND status IN ('queued', 'sending')
     FOR UPDATE
)
UPDATE recipients AS r
   SET begun_nonce = CASE WHEN before.begun THEN NULL ELSE r.begun_nonce END,
       begun_at = CASE WHEN before.begun THEN NULL ELSE r.begun_at END,
       uncertain_since = CASE WHEN before.begun THEN NULL ELSE r.uncertain_since END,
       uncertain_reason = CASE WHEN before.begun THEN NULL ELSE r.uncertain_reason END,
       retired_nonces = CASE WHEN before.retired THEN r.retired_nonces ELSE r.retired_nonces || $4::text END,
       attempt = greatest(r.attempt, $5),
       actor = $6,
       note = $7
  FROM before
 WHERE r.id = before.id
RETURNING before.begun AS cleared`,
  row: z.object({ cleared: z.boolean() }),
};

export async function retireNonce(
  queries: Queries,
  agent: AgentIdentity,
  id: string,
  request: NotSentRequest,
): Promise<Result<NotSentReply, Failure>> {
  const { idempotency_key, nonce, attempt, ...told } = request;
  const [retired] = await queries.rows(RETIRE, [
    id,
    agent.userId,
    idempotency_key,
    nonce,
    attempt,
    agentActor(agent),
    storableJson({ nonce, attempt, ...told }),
  ]);
  if (retired !== undefined) return ok({ id, nonce, cleared: retired.cleared });
  const mail = await readMail(queries, agent, id);
  if (mail === null) return fail('not-found');
  const effect = judgeNotSent(mail, request);
  return effect.kind === 'refused' ? fail(effect.code) : ok({ id, nonce, cleared: false });
}
