import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import { NotCanonical } from '../../src/shared/wire/canonical-json.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { BigintText, InstantText, NoColumns, storable } from '../database/columns.ts';
import type { Database, Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { OPERATOR_ACTOR } from '../queue/moves.ts';
import type { NewRecipient, Task } from './routes.ts';

const IdRow = z.object({ id: z.string() });

const ADD_TASK = {
  name: 'add-task',
  text: 'INSERT INTO tasks (user_id, name) SELECT id, $2 FROM users WHERE id = $1 RETURNING id',
  row: IdRow,
};

/** Locked, so that a task is not confirmed while mails are added to it. */
const LOCK_TASK = {
  name: 'lock-task',
  text: 'SELECT id, status FROM tasks WHERE id = $1 FOR UPDATE',
  row: z.object({ id: z.string(), status: z.enum(['draft', 'sending']) }),
};

/** Ids in the order given. A mail and its payload are two rows, so the ids are drawn first. */
const ADD_RECIPIENTS = {
  name: 'add-recipients',
  text: `
WITH given AS MATERIALIZED (
  SELECT nextval(pg_get_serial_sequence('recipients', 'id')) AS id, listed.*
    FROM (SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
            WITH ORDINALITY AS l (to_address, subject, payload, payload_hash, not_before, not_after, place)
           ORDER BY place) AS listed
), added AS (
  INSERT INTO recipients (id, task_id, user_id, status, to_address, subject, payload_hash, payload_bytes, not_before,
                          not_after, actor)
  OVERRIDING SYSTEM VALUE
  SELECT given.id, t.id, t.user_id, 'draft', to_address, subject, payload_hash, octet_length(payload), not_before,
         not_after, $8
    FROM given, tasks t WHERE t.id = $1
   ORDER BY given.id
  RETURNING id
), kept AS (
  INSERT INTO payloads (recipient_id, payload) SELECT id, payload FROM given
)
SELECT id FROM added ORDER BY id`,
  row: z.object({ id: BigintText }),
};

type Added = { readonly task_id: string; readonly recipient_ids: string[] };

/** A draft task with its mails, all or nothing. */
export async function createTask(
  database: Database,
  request: { readonly user_id: string; readonly name: string; readonly recipients: readonly NewRecipient[] },
): Promise<Result<Added, Failure>> {
  const hashes = hashAll(request.recipients);
  if (!hashes.ok) return hashes;
  return database.transaction(async (queries) => {
    const [task] = await queries.rows(ADD_TASK, [request.user_id, storable(request.name)]);
    if (task === undefined) return fail('not-found', 'there is no such user');
    return ok(await insert(queries, task.id, request.recipients, hashes.value));
  });
}

export async function addRecipients(
  database: Database,
  taskId: string,
  recipients: readonly NewRecipient[],
): Promise<Result<Added, Failure>> {
  const hashes = hashAll(recipients);
  if (!hashes.ok) return hashes;
  return database.transaction(async (queries) => {
    const [task] = await queries.rows(LOCK_TASK, [taskId]);
    if (task === undefined) return fail('not-found', 'there is no such task');
    if (task.status !== 'draft') return fail('illegal-move', 'the task is confirmed');
    return ok(await insert(queries, task.id, recipients, hashes.value));
  });
}

/** A payload may fit its schema and still have no canonical form, such as half a character inside a url. */
function hashAll(recipients: readonly NewRecipient[]): Result<string[], Failure> {
  const hashes: string[] = [];
  for (const [index, { payload }] of recipients.entries()) {
    try {
      hashes.push(payloadHash(payload));
    } catch (error) {
      if (!(error instanceof NotCanonical)) throw error;
      const path = `recipients.${index}.payload`;
      return { ok: false, error: { code: 'invalid-request', errors: [{ path, message: error.message }] } };
    }
  }
  return ok(hashes);
}

async function insert(
  queries: Queries,
  taskId: string,
  recipients: readonly NewRecipient[],
  hashes: readonly string[],
): Promise<Added> {
  const rows = await queries.rows(ADD_RECIPIENTS, [
    taskId,
    recipients.map(({ payload }) => payload.to.address),
    recipients.map(({ payload }) => payload.subject),
    recipients.map(({ payload }) => JSON.stringify(payload)),
    hashes,
    recipients.map((recipient) => recipient.not_before ?? null),
    recipients.map((recipient) => recipient.not_after ?? null),
    OPERATOR_ACTOR,
  ]);
  return { task_id: taskId, recipient_ids: rows.map(({ id }) => id) };
}

const CONFIRM_TASK = {
  name: 'confirm-task',
  text: "UPDATE tasks SET status = 'sending', confirmed_at = now() WHERE id = $1 AND status = 'draft' RETURNING id",
  row: IdRow,
};
const QUEUE_DRAFTS = {
  name: 'queue-drafts',
  text: "UPDATE recipients SET status = 'queued', actor = $2 WHERE task_id = $1 AND status = 'draft'",
  row: NoColumns,
};

/** The whole batch becomes visible to agents at one instant. */
export async function confirmTask(database: Database, taskId: string): Promise<Result<Task, Failure>> {
  await database.transaction(async (queries) => {
    const [confirmed] = await queries.rows(CONFIRM_TASK, [taskId]);
    if (confirmed !== undefined) await queries.rows(QUEUE_DRAFTS, [taskId, OPERATOR_ACTOR]);
  });
  return getTask(database, taskId);
}

const TASKS = {
  name: 'tasks',
  text: `
SELECT t.id, t.user_id, t.name, t.status, t.created_at, t.confirmed_at,
       count(r.id)::integer AS total,
       (count(*) FILTER (WHERE r.status = 'draft'))::integer AS draft,
       (count(*) FILTER (WHERE r.status = 'queued'))::integer AS queued,
       (count(*) FILTER (WHERE r.status = 'sending'))::integer AS sending,
       (count(*) FILTER (WHERE r.status = 'sending' AND r.uncertain_since IS NOT NULL))::integer AS uncertain,
       (count(*) FILTER (WHERE r.status = 'sent'))::integer AS sent,
       (count(*) FILTER (WHERE r.status = 'send_failed'))::integer AS send_failed,
       (count(*) FILTER (WHERE r.status = 'cancelled'))::integer AS cancelled
  FROM (SELECT * FROM tasks WHERE $1::uuid IS NULL OR id = $1 ORDER BY created_at DESC, id LIMIT $2) t
  LEFT JOIN recipients r ON r.task_id = t.id
 GROUP BY t.id, t.user_id, t.name, t.status, t.created_at, t.confirmed_at
 ORDER BY t.created_at DESC, t.id`,
  row: z.object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    status: z.enum(['draft', 'sending']),
    created_at: InstantText,
    confirmed_at: InstantText.nullable(),
    total: z.int(),
    draft: z.int(),
    queued: z.int(),
    sending: z.int(),
    uncertain: z.int(),
    sent: z.int(),
    send_failed: z.int(),
    cancelled: z.int(),
  }),
};

export async function listTasks(queries: Queries, limit: number, taskId: string | null = null): Promise<Task[]> {
  const rows = await queries.rows(TASKS, [taskId, limit]);
  return rows.map(({ id, user_id, name, status, created_at, confirmed_at, ...counts }) => {
    return { id, user_id, name, status, created_at, confirmed_at, counts };
  });
}

export async function getTask(queries: Queries, taskId: string): Promise<Result<Task, Failure>> {
  const [task] = await listTasks(queries, 1, taskId);
  return task === undefined ? fail('not-found', 'there is no such task') : ok(task);
}
