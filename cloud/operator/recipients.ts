import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import { FACT_KINDS } from '../../src/shared/wire/messages.ts';
import { BigintText, InstantText, rowId, storable } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { RECIPIENT_STATUSES } from '../queue/moves.ts';
import type { Recipient, RecipientQuery, RecipientWithHistory } from './routes.ts';

const Status = z.enum(RECIPIENT_STATUSES);

const columns = {
  id: BigintText,
  idempotency_key: z.string(),
  task_id: z.string(),
  task_name: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  to_address: z.string(),
  subject: z.string(),
  status: Status,
  status_since: InstantText,
  created_at: InstantText,
  not_before: InstantText.nullable(),
  not_after: InstantText.nullable(),
  agent_id: z.string().nullable(),
  agent_name: z.string().nullable(),
  attempt: z.int(),
  begun_at: InstantText.nullable(),
  uncertain_since: InstantText.nullable(),
  uncertain_reason: z.string().nullable(),
  smtp_message_id: z.string().nullable(),
  error_message: z.string().nullable(),
  resend_of: BigintText.nullable(),
  bounced_at: InstantText.nullable(),
  replied_at: InstantText.nullable(),
};

const SELECTED = `
SELECT r.id, r.idempotency_key, r.task_id, t.name AS task_name, r.user_id, u.name AS user_name, r.to_address, r.subject,
       r.status, r.status_since, r.created_at, r.not_before, r.not_after, r.agent_id, a.name AS agent_name, r.attempt,
       r.begun_at, r.uncertain_since, r.uncertain_reason, r.smtp_message_id, r.error_message, r.resend_of,
       (SELECT max(f.at) FROM recipient_facts f WHERE f.recipient_id = r.id AND f.kind = 'bounced') AS bounced_at,
       (SELECT max(f.at) FROM recipient_facts f WHERE f.recipient_id = r.id AND f.kind = 'replied') AS replied_at`;
const JOINED = `
  FROM recipients r JOIN tasks t ON t.id = r.task_id JOIN users u ON u.id = r.user_id
  LEFT JOIN agents a ON a.id = r.agent_id`;

const PAGE = {
  name: 'recipients-page',
  text: `${SELECTED}${JOINED}
 WHERE ($1::uuid IS NULL OR r.task_id = $1) AND ($2::uuid IS NULL OR r.user_id = $2)
   AND ($3::text IS NULL OR r.status = $3)
   AND ($4::boolean IS NULL OR (r.status = 'sending' AND r.uncertain_since IS NOT NULL) = $4)
   AND ($5::text IS NULL OR r.to_address ILIKE $5 OR r.subject ILIKE $5)
   AND ($6::bigint IS NULL OR r.id < $6)
 ORDER BY r.id DESC LIMIT $7::integer + 1`,
  row: z.object(columns),
};

/** Newest first; `next_after` is the last id of a page that has another one behind it. */
export async function listRecipients(
  queries: Queries,
  query: RecipientQuery,
): Promise<Result<{ items: Recipient[]; next_after: string | null }, Failure>> {
  const after = query.after === undefined ? null : rowId(query.after);
  if (query.after !== undefined && after === null) return fail('invalid-request', 'after is not a cursor');
  const rows = await queries.rows(PAGE, [
    query.task_id ?? null,
    query.user_id ?? null,
    query.status ?? null,
    query.uncertain === undefined ? null : query.uncertain === 'true',
    query.text === undefined ? null : containing(query.text),
    after,
    query.limit,
  ]);
  const items = rows.slice(0, query.limit);
  return ok({ items, next_after: rows.length > items.length ? (items.at(-1)?.id ?? null) : null });
}

/** A pattern that finds the text as it is, its own wildcards included. */
const containing = (text: string): string => `%${storable(text).replaceAll(/[\\%_]/g, '\\$&')}%`;

const SENDING = {
  name: 'recipients-sending',
  text: `${SELECTED}${JOINED} WHERE r.status = 'sending' ORDER BY r.status_since, r.id LIMIT $1`,
  row: z.object(columns),
};

export const listSending = (queries: Queries, limit: number) => queries.rows(SENDING, [limit]);

const ONE = {
  name: 'recipient',
  text: `${SELECTED}, p.payload, r.payload_hash, r.result,
       (SELECT again.id FROM recipients again WHERE again.resend_of = r.id) AS resent_as
  ${JOINED} JOIN payloads p ON p.recipient_id = r.id
 WHERE r.id = $1`,
  row: z.object({
    ...columns,
    payload: z.string(),
    payload_hash: z.string(),
    result: z.unknown(),
    resent_as: BigintText.nullable(),
  }),
};

const HISTORY = {
  name: 'recipient-history',
  text: `
SELECT at, actor, event, from_status, to_status, detail
  FROM recipient_history WHERE recipient_id = $1 ORDER BY id`,
  row: z.object({
    at: InstantText,
    actor: z.string(),
    event: z.enum(['created', 'move', 'begin', 'not-sent', 'uncertain', 'bounced', 'replied']),
    from_status: Status.nullable(),
    to_status: Status,
    detail: z.unknown(),
  }),
};

const FACTS = {
  name: 'recipient-facts',
  text: `
SELECT kind, at, told_at, hard, status_code, text FROM recipient_facts WHERE recipient_id = $1 ORDER BY id`,
  row: z.object({
    kind: z.enum(FACT_KINDS),
    at: InstantText,
    told_at: InstantText,
    hard: z.boolean().nullable(),
    status_code: z.string().nullable(),
    text: z.string().nullable(),
  }),
};

export async function getRecipient(queries: Queries, wanted: string): Promise<Result<RecipientWithHistory, Failure>> {
  const id = rowId(wanted);
  const [recipient] = id === null ? [] : await queries.rows(ONE, [id]);
  if (recipient === undefined) return fail('not-found', 'there is no such mail');
  const payload: unknown = JSON.parse(recipient.payload);
  const history = [...(await queries.rows(HISTORY, [recipient.id]))];
  const facts = [...(await queries.rows(FACTS, [recipient.id]))];
  return ok({ ...recipient, payload, history, facts });
}
