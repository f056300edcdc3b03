import pg from 'pg';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { benchPayload } from './bench-mail.ts';

const CHUNK_ROWS = 50_000;

/**
 * Puts queued mails into an empty queue, their users in turn, a second apart. Loaded in bulk: with triggers and foreign
 * keys off on this connection, and with the history rows that the trigger would have written, so that every table and
 * index stands as after ordinary work. Vacuumed, analysed and on disk when it resolves.
 */
export async function fillQueue(
  databaseUrl: string,
  userIds: readonly string[],
  rows: number,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const payload = benchPayload('2k', 0);
    const text = JSON.stringify(payload);
    await client.query(`SET session_replication_role = replica`);
    await client.query(
      `INSERT INTO tasks (user_id, name, status, confirmed_at)
       SELECT id::uuid, 'bench', 'sending', now() FROM unnest($1::text[]) AS id`,
      [userIds],
    );
    for (let first = 0; first < rows; first += CHUNK_ROWS) {
      signal.throwIfAborted();
      await client.query(FILL, [
        userIds,
        first,
        Math.min(first + CHUNK_ROWS, rows) - 1,
        rows,
        payloadHash(payload),
        text,
      ]);
    }
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

const FILL = `
WITH owners AS (
  SELECT array_agg(t.user_id ORDER BY t.user_id) AS users, array_agg(t.id ORDER BY t.user_id) AS tasks,
         count(*)::integer AS count
    FROM tasks t WHERE t.user_id = ANY ($1::uuid[]) AND t.name = 'bench'
), added AS (
  INSERT INTO recipients (task_id, user_id, status, created_at, status_since, to_address, subject, payload_hash,
                          payload_bytes)
  SELECT o.tasks[1 + n % o.count], o.users[1 + n % o.count], 'queued', at, at,
         'customer' || n || '@example.net', 'Offer ' || n, $5, octet_length($6::text)
    FROM owners o, generate_series($2::integer, $3::integer) AS n,
         LATERAL (SELECT now() - make_interval(secs => $4::integer - n) AS at) AS clock
   ORDER BY n
  RETURNING id
), kept AS (
  INSERT INTO payloads (recipient_id, payload) SELECT id, $6 FROM added
)
INSERT INTO recipient_history (recipient_id, actor, event, from_status, to_status)
SELECT id, 'operator', 'created', NULL, 'queued' FROM added`;
