import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import { BigintText } from '../database/columns.ts';
import type { Queries, Statement } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { readMail } from './mail-facts.ts';
import { type AgentIdentity, agentActor, RACE_TURNS } from './moves.ts';
import { refuseRelease } from './rules.ts';

const RELEASE: Statement<{ readonly id: string }> = {
  name: 'release',
  text: `
UPDATE recipients
   SET status = 'queued', agent_id = NULL, claim_id = NULL, actor = $5
 WHERE id = $1 AND user_id = $2 AND agent_id = $3 AND idempotency_key = $4
   AND status = 'sending' AND begun_nonce IS NULL AND uncertain_since IS NULL
RETURNING id`,
  row: z.object({ id: BigintText }),
};

/** Back in the queue, at its old place. Repeating it is harmless: a mail that is queued is answered as released. */
export async function releaseMail(
  queries: Queries,
  agent: AgentIdentity,
  id: string,
  request: { readonly idempotency_key: string },
): Promise<Result<{ id: string; status: 'queued' }, Failure>> {
  for (let turn = 0; turn < RACE_TURNS; turn += 1) {
    const released = await queries.rows(RELEASE, [
      id,
      agent.userId,
      agent.agentId,
      request.idempotency_key,
      agentActor(agent),
    ]);
    if (released.length > 0) return ok({ id, status: 'queued' });
    const mail = await readMail(queries, agent, id);
    if (mail === null) return fail('not-found');
    const why = refuseRelease(mail, agent, request);
    if (why !== null) return fail(why);
    if (mail.status === 'queued') return ok({ id, status: 'queued' });
  }
  return fail('unavailable', 'the mail is changing too quickly');
}
