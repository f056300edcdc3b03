import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import type { FactReply, FactRequest } from '../../src/shared/wire/messages.ts';
import { storable } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { readMail } from './mail-facts.ts';
import type { AgentIdentity } from './moves.ts';

/** Beside the result, whatever it is: any agent of the mail's user may have read the letter. */
const ADD = {
  name: 'fact-add',
  text: `
INSERT INTO recipient_facts (recipient_id, fact_id, kind, at, agent_id, hard, status_code, text)
SELECT id, $5, $6, $7, $8, $9, $10, $11
  FROM recipients
 WHERE id = $1 AND user_id = $2 AND idempotency_key = $3 AND payload_hash = $4 AND status <> 'draft'
ON CONFLICT (recipient_id, fact_id) DO NOTHING
RETURNING fact_id`,
  row: z.object({ fact_id: z.string() }),
};

export async function storeFact(
  queries: Queries,
  agent: AgentIdentity,
  id: string,
  request: FactRequest,
): Promise<Result<FactReply, Failure>> {
  const { idempotency_key, payload_hash, fact_id, kind, at, bounce } = request;
  const [added] = await queries.rows(ADD, [
    id,
    agent.userId,
    idempotency_key,
    payload_hash,
    fact_id,
    kind,
    at,
    agent.agentId,
    bounce?.hard ?? null,
    bounce?.status ?? null,
    bounce === null ? null : storable(bounce.text),
  ]);
  if (added !== undefined) return ok({ id, fact_id, deduplicated: false });
  const mail = await readMail(queries, agent, id);
  if (mail === null) return fail('not-found');
  if (mail.idempotency_key !== idempotency_key || mail.payload_hash !== payload_hash) return fail('payload-changed');
  return ok({ id, fact_id, deduplicated: true });
}
