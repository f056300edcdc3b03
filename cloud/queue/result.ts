import { z } from 'zod';
import { assertNever, ok, type Result } from '../../src/shared/result.ts';
import { CloudStatus, type ResultReply, type ResultRequest } from '../../src/shared/wire/messages.ts';
import { storable, storableJson } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { readMail } from './mail-facts.ts';
import { type AgentIdentity, agentActor, RACE_TURNS } from './moves.ts';
import { judgeResult, type MailFacts } from './rules.ts';

const Moved = z.object({ status: CloudStatus });

/** A final result, by the rule of `judgeResult`. */
const FINISH = {
  name: 'result-final',
  text: `
UPDATE recipients
   SET status = $7, smtp_message_id = $8, error_message = $9, result = $10,
       attempt = greatest(attempt, $11), actor = $12, note = $10
 WHERE id = $1 AND user_id = $2 AND (agent_id = $3 OR begun_nonce = $6::text) AND status = 'sending'
   AND idempotency_key = $4 AND payload_hash = $5
   AND (begun_nonce = $6::text
        OR ($7 = 'send_failed' AND begun_nonce IS NULL)
        OR ($13 AND uncertain_since IS NOT NULL AND $6::text IS NULL))
RETURNING status`,
  row: Moved,
};

/** The mark on a mail whose end was handed over and whose reply was not read; it stays in `sending`. */
const MARK_UNCERTAIN = {
  name: 'result-uncertain',
  text: `
UPDATE recipients
   SET uncertain_since = now(), uncertain_reason = $7, attempt = greatest(attempt, $8), actor = $9, note = $10
 WHERE id = $1 AND user_id = $2 AND (agent_id = $3 OR begun_nonce = $6::text) AND status = 'sending'
   AND uncertain_since IS NULL
   AND idempotency_key = $4 AND payload_hash = $5
   AND ($6::text IS NULL OR begun_nonce = $6)
RETURNING status`,
  row: Moved,
};

export async function storeResult(
  queries: Queries,
  agent: AgentIdentity,
  id: string,
  request: ResultRequest,
): Promise<Result<ResultReply, Failure>> {
  const result = {
    ...request,
    smtp_message_id: clean(request.smtp_message_id),
    error_message: clean(request.error_message),
  };
  for (let turn = 0; turn < RACE_TURNS; turn += 1) {
    const moved = await write(queries, agent, id, result);
    if (moved !== undefined) return ok({ id, status: moved.status, deduplicated: false });
    const mail = await readMail(queries, agent, id);
    if (mail === null) return fail('not-found');
    const answer = answerFrom(mail, agent, id, result);
    if (answer !== null) return answer;
  }
  return fail('unavailable', 'the mail is changing too quickly');
}

const clean = (text: string | null): string | null => (text === null ? null : storable(text));

async function write(queries: Queries, agent: AgentIdentity, id: string, result: ResultRequest) {
  const { idempotency_key, payload_hash, smtp_message_id, error_message, ...told } = result;
  const which = [id, agent.userId, agent.agentId, idempotency_key, payload_hash, result.nonce];
  switch (result.outcome) {
    case 'sent':
    case 'send_failed': {
      const values = [result.outcome, smtp_message_id, error_message, storableJson(told), result.attempt];
      const [moved] = await queries.rows(FINISH, [...which, ...values, agentActor(agent), result.evidence !== null]);
      return moved;
    }
    case 'uncertain': {
      const note = storableJson({ ...told, smtp_message_id, error_message });
      const [moved] = await queries.rows(MARK_UNCERTAIN, [
        ...which,
        error_message ?? 'the mail may have been sent',
        result.attempt,
        agentActor(agent),
        note,
      ]);
      return moved;
    }
    default:
      return assertNever(result.outcome);
  }
}

/** The answer to a result that was not written, from the row as it stands; null where it could be written now. */
function answerFrom(
  mail: MailFacts,
  agent: AgentIdentity,
  id: string,
  result: ResultRequest,
): Result<ResultReply, Failure> | null {
  const effect = judgeResult(mail, agent, result);
  switch (effect.kind) {
    case 'finish':
    case 'mark-uncertain':
      return null;
    case 'repeated':
      return ok({ id, status: mail.status, deduplicated: true });
    case 'refused':
      return effect.code === 'conflicting-result'
        ? { ok: false, error: { code: effect.code, stored: stored(mail) } }
        : fail(effect.code);
    default:
      return assertNever(effect);
  }
}

const stored = ({ status, smtp_message_id, error_message }: MailFacts) => ({ status, smtp_message_id, error_message });
