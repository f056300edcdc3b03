import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInMemory, openSqlite, type SqlDriver, type SqlValue } from '../../../src/main/adapters/sqlite/driver.ts';
import { type LedgerReads, ledgerReads, READS } from '../../../src/main/adapters/sqlite/reads.ts';
import { opened } from './ledger-folder.ts';

const FINISHED_COUNT = 100_000;
const EVERY_STATE = ['claimed', 'attempting', 'handed-over', 'sent', 'failed', 'uncertain', 'cancelled', 'released'];

/** A ledger with 100,000 sent mails, told all of them, and two mails that wait. */
const FILL = `
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FINISHED_COUNT})
INSERT INTO mail (id, idempotency_key, payload_hash, task_id, task_name, claimed_at_ms, changed_at_ms, state, attempt)
SELECT i, 'email-recipient-' || i, 'sha256:' || i, 't', 'T', i, i, 'sent', 1 FROM n;
INSERT INTO payload (mail_id, payload) SELECT id, '{}' FROM mail;
INSERT INTO attempt (mail_id, attempt, started_at_ms, handed_over_at_ms, submitted_at_ms, ended_at_ms, outcome)
SELECT id, 1, claimed_at_ms, claimed_at_ms, claimed_at_ms, claimed_at_ms, 'accepted' FROM mail;
INSERT INTO outbox (mail_id, route, body, nonce, written_at_ms, tries, next_try_at_ms, ended, ended_at_ms)
SELECT id, 'result', '{}', 'n' || id, 1, 0, 0, 'told', 1 FROM mail;
INSERT INTO mail (id, idempotency_key, payload_hash, task_id, task_name, claimed_at_ms, changed_at_ms, state, attempt,
  retry_at_ms, due_at_ms)
VALUES ('a', 'email-recipient-a', 'sha256:a', 't', 'T', 1, 1, 'claimed', 0, 0, 500),
       ('b', 'email-recipient-b', 'sha256:b', 't', 'T', 1, 2, 'claimed', 0, 0, 400);
INSERT INTO payload (mail_id, payload) VALUES ('a', '{}'), ('b', '{}');
INSERT INTO outbox (mail_id, route, body, written_at_ms, tries, next_try_at_ms) VALUES ('a', 'notSent', '{}', 1, 0, 0);
`;

describe('Reading a ledger with 100,000 finished mails', () => {
  let folder = '';
  let driver: SqlDriver;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
    opened(folder).ledger.close();
    driver = openSqlite(path.join(folder, 'ledger.sqlite'), 'write');
    driver.script(FILL);
  });
  afterAll(() => {
    driver.close();
    rmSync(folder, { recursive: true });
  });

  /** What SQLite says it does for each table of a statement. */
  const planOf = (name: keyof typeof READS): readonly string[] => {
    const count = READS[name].split('?').length - 1;
    const values: SqlValue[] = Array.from({ length: count }, () => 1);
    return driver.all(`EXPLAIN QUERY PLAN ${READS[name]}`, values).map((row) => Object.values(row ?? {}).join(' '));
  };

  it.each([
    ['nextDue', 'mail_due'],
    ['nextDueAtMs', 'mail_due'],
    ['dueAfter', 'mail_due'],
    ['held', 'mail_held'],
    ['heldIds', 'mail_held'],
    ['list', 'mail_by_state'],
    ['attempts', 'attempt_of_mail'],
    ['counts', 'mail_by_state'],
    ['tasks', 'mail_of_task'],
    ['untold', 'outbox_untold'],
    ['untoldCount', 'outbox_untold'],
    ['conflictCount', 'outbox_conflict'],
    ['nextUntoldAtMs', 'outbox_untold'],
    ['reportFor', 'outbox_of_mail'],
    ['recentSubmissions', 'attempt_submitted'],
    ['submissionsSince', 'attempt_submitted'],
    ['lastSubmissionBefore', 'attempt_submitted'],
    ['facts', 'sqlite_autoindex_fact_1'],
    ['mailNamed', 'PRIMARY KEY'],
    ['lackingCopy', 'mail_by_state'],
  ] as const)('%s goes by the index %s, without a walk through a table and without sorting one', (name, index) => {
    const plan = planOf(name);
    expect(plan.join('\n')).toContain(index);
    for (const line of plan) {
      expect(line).not.toMatch(/SCAN (mail|outbox|attempt|payload)(?! USING (COVERING )?INDEX)/);
      expect(line).not.toMatch(/USE TEMP B-TREE FOR (GROUP|DISTINCT)/);
    }
  });

  it('merges the pages of a list instead of sorting every mail', () => {
    const plan = planOf('list');
    expect(plan.filter((line) => line.includes('SEARCH mail USING COVERING INDEX mail_by_state')).length).toBe(
      EVERY_STATE.length,
    );
    expect(plan.join('\n')).toContain('MERGE (UNION ALL)');
  });

  it('finds the same as ever', () => {
    const reads = ledgerReads(() => driver);
    expect(reads.nextDue(450)?.id).toBe('b');
    expect(reads.nextDue(500)?.id).toBe('a');
    expect(reads.nextDueAtMs()).toBe(400);
    expect(reads.untold(0, 10).map(({ mailId }) => mailId)).toEqual(['a']);
    expect(reads.recentSubmissions(2, FINISHED_COUNT)).toEqual([FINISHED_COUNT, FINISHED_COUNT - 1]);
    expect(reads.list({ kinds: null, limit: 2, offset: 1 }).map(({ id }) => id)).toEqual(['99999', '99998']);
    expect(reads.list({ kinds: ['claimed'], limit: 5, offset: 0 }).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(reads.counts()).toMatchObject({ sent: FINISHED_COUNT, claimed: 2, untold: 1 });
  });
});

describe('A number that the schema does not promise', () => {
  it.each<[keyof typeof READS, string, (reads: LedgerReads) => unknown]>([
    ['nextDueAtMs', 'mail', (reads) => reads.nextDueAtMs()],
    ['dueAfter', 'mail', (reads) => reads.dueAfter(0)],
    ['nextUntoldAtMs', 'outbox', (reads) => reads.nextUntoldAtMs()],
    ['untold', 'outbox', (reads) => reads.untold(0, 1)],
    ['untoldCount', 'outbox', (reads) => reads.counts()],
    ['conflictCount', 'outbox', (reads) => reads.counts()],
    ['recentSubmissions', 'attempt', (reads) => reads.recentSubmissions(1, 0)],
    ['lastSubmissionBefore', 'attempt', (reads) => reads.submissionDays(0)],
  ])('is named by its table: %s', (name, table, read) => {
    const driver = openInMemory();
    const value = (sql: string) => ({ value: sql === READS[name] ? 7.5 : 0 });
    const all = (sql: string) => (sql === READS.counts ? [] : [value(sql)]);
    expect(() => read(ledgerReads(() => ({ ...driver, get: value, all })))).toThrow(
      `the ledger's table ${table} holds a row that cannot be read: value 7.5`,
    );
    driver.close();
  });
});
