import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import { BigintText, rowId, storable, storableJson } from '../database/columns.ts';
import { type Database, oneRow, type Queries, type Statement } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { OPERATOR_ACTOR, RECIPIENT_STATUSES, type RecipientStatus } from '../queue/moves.ts';
import type { Resolve } from './routes.ts';

const IdRow = z.object({ id: BigintText });

/**
 * One update over everything that can still be stopped. A begin that holds a row's lock is waited for and then found
 * too late; a begin that comes later finds the mail cancelled.
 */
const CANCEL: Statement<{ readonly id: string }> = {
  name: 'cancel',
  text: `
UPDATE recipients
   SET status = 'cancelled', actor = $3
 WHERE (task_id = $1 OR id = ANY ($2::bigint[]))
   AND (status IN ('draft', 'queued')
        OR (status = 'sending' AND begun_nonce IS NULL AND uncertain_since IS NULL))
RETURNING id`,
  row: IdRow,
};

const COUNT_CHOSEN = {
  name: 'count-chosen',
  text: `
SELECT (count(*) FILTER (WHERE status = 'cancelled'))::integer AS cancelled,
       (count(*) FILTER (WHERE status <> 'cancelled'))::integer AS others
  FROM recipients WHERE task_id = $1 OR id = ANY ($2::bigint[])`,
  row: z.object({ cancelled: z.int(), others: z.int() }),
};

export async function cancelMails(
  database: Database,
  which: { readonly task_id: string } | { readonly ids: readonly string[] },
): Promise<{ stopped: number; too_late: number; already_cancelled: number }> {
  const chosen = 'task_id' in which ? [which.task_id, []] : [null, which.ids.map(rowId).filter((id) => id !== null)];
  return database.transaction(async (queries) => {
    const stopped = await queries.rows(CANCEL, [...chosen, OPERATOR_ACTOR]);
    const { cancelled, others } = await oneRow(queries, COUNT_CHOSEN, chosen);
    return { stopped: stopped.length, too_late: others, already_cancelled: cancelled - stopped.length };
  });
}

const GIVE_BACK: Statement<{ readonly id: string }> = {
  name: 'give-back',
  text: `
UPDATE recipients
   SET status = 'queued', agent_id = NULL, claim_id = NULL, actor = $2
 WHERE id = $1 AND status = 'sending' AND begun_nonce IS NULL AND uncertain_since IS NULL
RETURNING id`,
  row: IdRow,
};

export async function giveBack(
  queries: Queries,
  wanted: string,
): Promise<Result<{ id: string; status: 'queued' }, Failure>> {
  const id = rowId(wanted);
  if (id === null) return fail('not-found');
  const [back] = await queries.rows(GIVE_BACK, [id, OPERATOR_ACTOR]);
  if (back !== undefined) return ok({ id, status: 'queued' });
  return whyNot(queries, id, (mail) =>
    mail.status === 'sending'
      ? 'the mail has begun: only a result or evidence ends that'
      : `the mail is ${mail.status}`,
  );
}

const RESOLVE: Statement<{ readonly id: string }> = {
  name: 'resolve',
  text: `
UPDATE recipients
   SET status = $2, smtp_message_id = $3, error_message = $4, result = $5, actor = $6, note = $5
 WHERE id = $1 AND status = 'sending' AND uncertain_since IS NOT NULL
RETURNING id`,
  row: IdRow,
};

/** Settles a mail that is marked uncertain, and no other: where the agent may still tell, it is waited for. */
export async function resolveUncertain(
  queries: Queries,
  wanted: string,
  resolve: Resolve,
): Promise<Result<{ id: string; status: 'sent' | 'send_failed' }, Failure>> {
  const id = rowId(wanted);
  if (id === null) return fail('not-found');
  const [resolved] = await queries.rows(RESOLVE, [
    id,
    resolve.as,
    resolve.smtp_message_id ? storable(resolve.smtp_message_id) : null,
    resolve.as === 'send_failed' ? storable(resolve.evidence.note) : null,
    storableJson({ outcome: resolve.as, evidence: resolve.evidence }),
    OPERATOR_ACTOR,
  ]);
  if (resolved !== undefined) return ok({ id, status: resolve.as });
  return whyNot(queries, id, (mail) => `the mail is ${mail.status} and not marked uncertain`);
}

/**
 * The new mail goes to the queue at once, in the task of the old one. A mail that may have been sent is not sent again:
 * an uncertain one must first be resolved as send_failed. The unique `resend_of` makes the second click find nothing.
 */
const SEND_AGAIN = {
  name: 'send-again',
  text: `
WITH old AS (
  SELECT r.id, r.task_id, r.user_id, r.to_address, r.subject, r.payload_hash, r.payload_bytes, p.payload
    FROM recipients r JOIN payloads p ON p.recipient_id = r.id
   WHERE r.id = $1 AND r.status IN ('send_failed', 'cancelled')
), again AS (
  INSERT INTO recipients (task_id, user_id, status, to_address, subject, payload_hash, payload_bytes, resend_of, actor,
                          note)
  SELECT task_id, user_id, 'queued', to_address, subject, payload_hash, payload_bytes, id, $2,
         jsonb_build_object('resend_of', id::text)
    FROM old
  ON CONFLICT (resend_of) DO NOTHING
  RETURNING id, idempotency_key, resend_of
), kept AS (
  INSERT INTO payloads (recipient_id, payload) SELECT again.id, old.payload FROM again, old
)
SELECT id, idempotency_key, resend_of FROM again`,
  row: z.object({ id: BigintText, idempotency_key: z.string(), resend_of: BigintText }),
};

export async function sendAgain(
  queries: Queries,
  wanted: string,
): Promise<Result<{ id: string; idempotency_key: string; resend_of: string }, Failure>> {
  const id = rowId(wanted);
  if (id === null) return fail('not-found');
  const [again] = await queries.rows(SEND_AGAIN, [id, OPERATOR_ACTOR]);
  if (again !== undefined) return ok(again);
  return whyNot(queries, id, (mail) =>
    mail.resent_as === null
      ? `the mail is ${mail.status}: only a failed or cancelled one is sent again`
      : `the mail was already sent again as ${mail.resent_as}`,
  );
}

const STATUS = {
  name: 'recipient-status',
  text: `
SELECT status, (SELECT again.id FROM recipients again WHERE again.resend_of = r.id) AS resent_as
  FROM recipients r WHERE id = $1`,
  row: z.object({ status: z.enum(RECIPIENT_STATUSES), resent_as: BigintText.nullable() }),
};

async function whyNot(
  queries: Queries,
  id: string,
  detail: (mail: { readonly status: RecipientStatus; readonly resent_as: string | null }) => string,
): Promise<Result<never, Failure>> {
  const [mail] = await queries.rows(STATUS, [id]);
  return mail === undefined ? fail('not-found', 'there is no such mail') : fail('illegal-move', detail(mail));
}
