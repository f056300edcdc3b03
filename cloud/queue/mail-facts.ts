import { z } from 'zod';
import { CloudStatus } from '../../src/shared/wire/messages.ts';
import type { Queries } from '../database/database.ts';
import type { AgentIdentity } from './moves.ts';
import type { MailFacts } from './rules.ts';

/** What decides about a mail, read after a statement found that it could not act. A draft is not there for agents. */
const MAIL_FACTS = {
  name: 'mail-facts',
  text: `
SELECT status, agent_id, idempotency_key, payload_hash, begun_nonce, retired_nonces, smtp_message_id, error_message,
       uncertain_since IS NOT NULL AS uncertain,
       coalesce(not_after <= now(), false) AS expired
  FROM recipients
 WHERE id = $1 AND user_id = $2 AND status <> 'draft'`,
  row: z.object({
    status: CloudStatus,
    agent_id: z.string().nullable(),
    idempotency_key: z.string(),
    payload_hash: z.string(),
    begun_nonce: z.string().nullable(),
    retired_nonces: z.array(z.string()),
    smtp_message_id: z.string().nullable(),
    error_message: z.string().nullable(),
    uncertain: z.boolean(),
    expired: z.boolean(),
  }),
};

/** Null where this user has no such mail. */
export async function readMail(queries: Queries, agent: AgentIdentity, id: string): Promise<MailFacts | null> {
  const [mail] = await queries.rows(MAIL_FACTS, [id, agent.userId]);
  return mail ?? null;
}
