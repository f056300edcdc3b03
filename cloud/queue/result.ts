import { z } from 'zod';
import { assertNever, ok, type Result } from '../../src/shared/result.ts';
import { CloudStatus, type ResultReply, type ResultRequest } from '../../src/shared/wire/messages.ts';
import { storable, storableJson } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { type MailFacts, readMail } from './mail-facts.ts';
import { type AgentIdentity, agentActor, RACE_TURNS } from './moves.ts';

const Moved = z.object({ status: CloudStatus });

/**
 * A final result. `sent` needs the nonce that began; `send_failed` may come without any begin. A mail marked uncertain
 * is also settled by evidence, which need not name the nonce. Who knows the nonce that began is believed even under
 * another agent of this user: it is the same computer, paired anew with an outcome still to tell.
 */
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
    const answer = judge(mail, agent, id, result);
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
function judge(
  mail: MailFacts,
  agent: AgentIdentity,
  id: string,
  result: ResultRequest,
): Result<ResultReply, Failure> | null {
  if (mail.idempotency_key !== result.idempotency_key || mail.payload_hash !== result.payload_hash) {
    return fail('payload-changed');
  }
  switch (mail.status) {
    case 'sent':
    case 'send_failed':
    case 'cancelled':
      return isStored(mail, result)
        ? ok({ id, status: mail.status, deduplicated: true })
        : { ok: false, error: { code: 'conflicting-result', stored: stored(mail) } };
    case 'queued':
      return fail('not-sending');
    case 'sending':
      if (mail.agent_id !== agent.agentId && !hasBegunNonce(mail, result)) return fail('not-holder');
      if (result.outcome === 'uncertain' && mail.uncertain) return ok({ id, status: 'sending', deduplicated: true });
      return isTellable(mail, result) ? null : fail('wrong-nonce');
    default:
      return assertNever(mail.status);
  }
}

const isStored = (mail: MailFacts, result: ResultRequest): boolean =>
  mail.status === result.outcome &&
  mail.smtp_message_id === result.smtp_message_id &&
  mail.error_message === result.error_message;

const stored = ({ status, smtp_message_id, error_message }: MailFacts) => ({ status, smtp_message_id, error_message });

const hasBegunNonce = (mail: MailFacts, result: ResultRequest): boolean =>
  result.nonce !== null && mail.begun_nonce === result.nonce;

/** The nonce conditions of FINISH and MARK_UNCERTAIN. */
function isTellable(mail: MailFacts, result: ResultRequest): boolean {
  if (hasBegunNonce(mail, result)) return true;
  switch (result.outcome) {
    case 'uncertain':
      return result.nonce === null;
    case 'send_failed':
      if (mail.begun_nonce === null) return true;
      break;
    case 'sent':
      break;
    default:
      return assertNever(result.outcome);
  }
  return result.evidence !== null && mail.uncertain && result.nonce === null;
}
