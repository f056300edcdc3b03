import path from 'node:path';
import Database from 'better-sqlite3';

/** Writes `count` sent mails into the ledger of a data folder in which no agent runs, as if a year had gone by. */
export function fillLedger(folder: string, count: number): void {
  const database = new Database(path.join(folder, 'ledger.sqlite'));
  try {
    database.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO mail (id, idempotency_key, payload_hash, task_id, task_name, claimed_at_ms, changed_at_ms, state, attempt)
      SELECT 'old-' || i, 'email-recipient-old-' || i, 'sha256:' || i, 'old', 'Long ago', i, i, 'sent', 1 FROM n;
      INSERT INTO payload (mail_id, payload)
      SELECT id, json_object('to', json_object('name', 'Customer ' || id, 'address', id || '@example.net'),
        'subject', 'Offer ' || id) FROM mail WHERE task_id = 'old';
    `);
  } finally {
    database.close();
  }
}
