import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/main/adapters/sqlite/driver.ts';
import { REAL_PARTS } from '../../../src/main/adapters/sqlite/open-ledger.ts';
import type { Ledger } from '../../../src/main/engine/ports.ts';
import { claimed, commitAll, happened, newMail, sendMail, started } from '../../conformance/ledger-samples.ts';
import { type Faults, faultyParts, inFolder, opened, sqliteError } from './ledger-folder.ts';

/** A ledger with mails 1 and 2 claimed, at a driver that goes wrong on demand. */
function withFaults(work: (ledger: Ledger, faults: Faults, folder: string) => void): void {
  inFolder((folder) => {
    const { parts, faults } = faultyParts();
    const { ledger } = opened(folder, parts);
    commitAll(ledger, claimed([newMail(1), newMail(2)]));
    work(ledger, faults, folder);
    ledger.close();
  });
}

const once = (wanted: (sql: string) => boolean, code: string) => {
  let left = 1;
  return (sql: string) => {
    if (!wanted(sql) || left === 0) return;
    left -= 1;
    throw sqliteError(code);
  };
};
const isCommit = (sql: string) => sql === 'COMMIT';
const startFirst = [happened('1', started(1))];

describe('A commit whose answer is an error', () => {
  it('counts as done when the reopened file shows it', () =>
    withFaults((ledger, faults, folder) => {
      faults.after = once(isCommit, 'SQLITE_IOERR_FSYNC');
      expect(ledger.commit(startFirst)).toEqual({ ok: true, value: undefined });
      expect(ledger.mail('1')?.state).toEqual({ kind: 'attempting', attempt: 1 });
      // Written back to the main file, because the WAL's pages may not be on the disk.
      expect(statSync(path.join(folder, 'ledger.sqlite-wal')).size).toBe(0);
      commitAll(ledger, happened('2', started(1)));
      ledger.close();
      expect(opened(folder).ledger.counts().attempting).toBe(2);
    }));

  it.each(['SQLITE_IOERR_WRITE', 'SQLITE_CORRUPT', 'SQLITE_READONLY', 'SQLITE_ERROR'])(
    'counts as not done when %s comes before it and the reopened file does not show it',
    (code) =>
      withFaults((ledger, faults) => {
        faults.before = once(isCommit, code);
        const done = ledger.commit(startFirst);
        expect(done).toMatchObject({ ok: false, error: { kind: 'io', reopened: true } });
        expect(!done.ok && 'text' in done.error && done.error.text).toContain(code);
        expect(ledger.mail('1')?.state.kind).toBe('claimed');
        commitAll(ledger, ...startFirst);
      }),
  );

  it('counts as not done when a statement inside it failed', () =>
    withFaults((ledger, faults) => {
      faults.before = once((sql) => sql.startsWith('INSERT INTO attempt'), 'SQLITE_IOERR_READ');
      expect(ledger.commit(startFirst)).toMatchObject({ ok: false, error: { kind: 'io', reopened: true } });
      expect(ledger.mail('1')?.state.kind).toBe('claimed');
      expect(ledger.attempts('1')).toEqual([]);
    }));

  it('leaves the ledger shut while the file cannot be reopened, and opens it with the next commit that can', () =>
    withFaults((ledger, faults) => {
      faults.after = once(isCommit, 'SQLITE_IOERR_FSYNC');
      faults.opening = () => {
        throw sqliteError('SQLITE_CANTOPEN');
      };
      const done = ledger.commit(startFirst);
      expect(done).toMatchObject({ ok: false, error: { kind: 'io', reopened: false } });
      expect(!done.ok && 'text' in done.error && done.error.text).toMatch(/^SQLITE_IOERR_FSYNC: .*; .*SQLITE_CANTOPEN/);
      expect(() => ledger.mail('1')).toThrow('the ledger cannot be reopened');
      expect(ledger.commit(startFirst)).toMatchObject({ ok: false, error: { kind: 'io', reopened: false } });
      faults.opening = () => undefined;
      // It had happened after all; repeating it is harmless.
      commitAll(ledger, ...startFirst);
      expect(ledger.attempts('1')).toHaveLength(1);
    }));

  it('leaves the ledger shut when the proof after reopening fails', () =>
    withFaults((ledger, faults) => {
      const fail = (sql: string) => {
        if (isCommit(sql) || sql.startsWith('UPDATE meta SET commit_count = commit_count')) {
          throw sqliteError('SQLITE_IOERR_WRITE');
        }
      };
      faults.before = (sql) => (sql.includes('commit_count + 1') ? undefined : fail(sql));
      const done = ledger.commit(startFirst);
      expect(done).toMatchObject({ ok: false, error: { kind: 'io', reopened: false } });
      expect(!done.ok && 'text' in done.error && done.error.text).toMatch(/^SQLITE_IOERR_WRITE: .*; then SQLITE_IOERR/);
      expect(() => ledger.counts()).toThrow(/cannot be used after SQLITE_IOERR_WRITE: .*; then SQLITE_IOERR_WRITE/);
      faults.before = () => undefined;
      commitAll(ledger, ...startFirst);
    }));

  it('counts as not done where not even its beginning could be read', () =>
    inFolder((folder) => {
      const { ledger } = opened(folder);
      commitAll(ledger, claimed([newMail(1)]));
      ledger.close();
      const { parts, faults } = faultyParts();
      const again = opened(folder, parts).ledger;
      faults.before = once((sql) => sql.startsWith('SELECT commit_count'), 'SQLITE_IOERR_READ');
      expect(again.commit(startFirst)).toMatchObject({ ok: false, error: { kind: 'io', reopened: true } });
      expect(again.mail('1')?.state.kind).toBe('claimed');
      again.close();
    }));

  it('throws a fault of the program that comes after it', () =>
    withFaults((ledger, faults) => {
      faults.before = (sql) => {
        if (isCommit(sql)) throw sqliteError('SQLITE_IOERR_WRITE');
        if (sql.startsWith('UPDATE meta SET commit_count = commit_count') && !sql.includes('+ 1')) {
          throw new TypeError('a bug');
        }
      };
      expect(() => ledger.commit(startFirst)).toThrow('a bug');
    }));

  it('is not said to be done while a reader keeps it from being written back', () =>
    withFaults((ledger, faults, folder) => {
      const reader = new Database(path.join(folder, 'ledger.sqlite'), { readonly: true });
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM mail').get();
      faults.after = once(isCommit, 'SQLITE_IOERR_FSYNC');
      expect(ledger.commit(startFirst)).toMatchObject({ ok: false, error: { kind: 'io', reopened: false } });
      reader.close();
      commitAll(ledger, ...startFirst);
      expect(ledger.attempts('1')).toHaveLength(1);
    }));

  it('is busy, with nothing written, while another connection holds the file', () =>
    withFaults((ledger, _, folder) => {
      const other = new Database(path.join(folder, 'ledger.sqlite'));
      other.exec('BEGIN IMMEDIATE');
      expect(ledger.commit(startFirst)).toMatchObject({ ok: false, error: { kind: 'busy' } });
      other.exec('ROLLBACK');
      other.close();
      expect(ledger.mail('1')?.state.kind).toBe('claimed');
      commitAll(ledger, ...startFirst);
    }));

  it.each([
    ['SQLITE_BUSY_SNAPSHOT', 'busy'],
    ['SQLITE_BUSY_RECOVERY', 'busy'],
    ['SQLITE_FULL', 'full'],
  ])('is certain not to have happened where SQLite refused it first: %s', (code, kind) =>
    withFaults((ledger, faults) => {
      faults.before = once((sql) => sql === 'BEGIN IMMEDIATE', code);
      expect(ledger.commit(startFirst)).toMatchObject({
        ok: false,
        error: { kind, text: expect.stringContaining(code) },
      });
      commitAll(ledger, ...startFirst);
    }),
  );

  it('is refused when another process wrote to the file in spite of the lock', () =>
    withFaults((ledger, _, folder) => {
      const other = new Database(path.join(folder, 'ledger.sqlite'));
      other.exec('UPDATE meta SET commit_count = commit_count + 1');
      other.close();
      expect(ledger.commit(startFirst)).toEqual({
        ok: false,
        error: { kind: 'io', text: 'another process writes to the same ledger', reopened: true },
      });
      expect(ledger.mail('1')?.state.kind).toBe('claimed');
    }));

  it('throws what is a fault of the program, and keeps nothing of the commit', () =>
    withFaults((ledger, faults) => {
      faults.before = (sql) => {
        if (sql.startsWith('INSERT INTO attempt')) throw new TypeError('a bug');
      };
      expect(() => ledger.commit(startFirst)).toThrow('a bug');
      faults.before = () => undefined;
      expect(ledger.mail('1')?.state.kind).toBe('claimed');
      commitAll(ledger, ...startFirst);
    }));

  it('throws after the ledger was closed', () =>
    inFolder((folder) => {
      const { ledger } = opened(folder);
      ledger.close();
      expect(() => ledger.commit(startFirst)).toThrow('the ledger is closed');
      expect(() => ledger.counts()).toThrow('the ledger is closed');
    }));
});

describe('A full ledger', () => {
  it('says so, keeps what it has, stays readable and goes on when there is room again', () =>
    inFolder((folder) => {
      const limit = { pages: 60 };
      const openDriver: typeof openSqlite = (file, mode) => {
        const driver = openSqlite(file, mode);
        driver.script(`PRAGMA max_page_count = ${limit.pages}`);
        return driver;
      };
      const { ledger } = opened(folder, { ...REAL_PARTS, openDriver });
      let written = 0;
      let refused = null;
      for (let number = 1; number <= 100 && refused === null; number += 1) {
        const done = ledger.commit([claimed([newMail(number, { payload: 'x'.repeat(10_000) })])]);
        if (done.ok) written = number;
        else refused = done.error;
      }
      expect(refused).toMatchObject({ kind: 'full' });
      expect(written).toBeGreaterThan(1);
      expect(ledger.counts().claimed).toBe(written);
      ledger.close();

      limit.pages = 10_000;
      const again = opened(folder, { ...REAL_PARTS, openDriver });
      expect(again.notice).toBeNull();
      expect(again.ledger.counts().claimed).toBe(written);
      sendMail(again.ledger, '1', 10);
      again.ledger.close();
    }));
});

describe('An empty commit', () => {
  it('does not touch the disk', () =>
    withFaults((ledger, faults, folder) => {
      const sizes = () => readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).mtimeMs]);
      const before = sizes();
      faults.before = (sql) => {
        throw new Error(`it ran ${sql}`);
      };
      expect(ledger.commit([])).toEqual({ ok: true, value: undefined });
      expect(sizes()).toEqual(before);
    }));
});
