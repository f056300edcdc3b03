import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { LedgerParts } from '../../../src/main/adapters/sqlite/open-file.ts';
import { openLedger, openLedgerReadOnly, REAL_PARTS } from '../../../src/main/adapters/sqlite/open-ledger.ts';
import { MIGRATIONS } from '../../../src/main/adapters/sqlite/schema.ts';
import { claimed, commitAll, newMail, sendMail } from '../../conformance/ledger-samples.ts';
import { inFolder, opened } from './ledger-folder.ts';

const partsWith = (...later: readonly string[]): LedgerParts => ({
  ...REAL_PARTS,
  migrations: [...MIGRATIONS, ...later.map((sql, index) => ({ version: MIGRATIONS.length + 1 + index, sql }))],
});
const NEWEST = MIGRATIONS.length;
const BACKUP = `ledger.backup-v${NEWEST}.sqlite`;
const SECOND = `ALTER TABLE setting ADD COLUMN changed_at_ms INTEGER; CREATE TABLE note (text TEXT NOT NULL) STRICT;`;
const THIRD = `INSERT INTO note (text) SELECT id FROM mail; CREATE INDEX note_text ON note (text);`;

/** A closed ledger of today's version with one sent mail. */
function fill(folder: string): void {
  const { ledger } = opened(folder);
  commitAll(ledger, claimed([newMail(1)]));
  sendMail(ledger, '1', 10);
  ledger.close();
}
function inside(file: string, sql: string): unknown {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare(sql).pluck().all();
  } finally {
    database.close();
  }
}

describe('The versions of the schema', () => {
  it('count from 1 without gaps', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });
});

describe('A ledger of version 1', () => {
  it('keeps its mails and reports, and takes facts from then on', () =>
    inFolder((folder) => {
      const first = opened(folder, { ...REAL_PARTS, migrations: MIGRATIONS.slice(0, 1) }).ledger;
      commitAll(first, claimed([newMail(1), newMail(2)]));
      sendMail(first, '1', 10);
      const before = first.untold(1e12, 10);
      first.close();

      const { ledger } = opened(folder);
      expect(before).toHaveLength(1);
      expect(ledger.untold(1e12, 10)).toEqual(before);
      const fact = { id: 'f'.repeat(32), kind: 'replied', atMs: 5 } as const;
      commitAll(ledger, { kind: 'fact', mailId: '1', fact, atMs: 20 });
      expect(ledger.facts('1')).toEqual([fact]);
      expect(ledger.reportFor('1', null)?.route).toBe('result');
      ledger.close();
    }));
});

describe('A ledger of an older version', () => {
  it('is taken through every step, with a copy of it made first', () =>
    inFolder((folder) => {
      fill(folder);
      const { ledger, notice } = opened(folder, partsWith(SECOND, THIRD));
      expect(notice).toBeNull();
      expect(ledger.mail('1')?.state).toEqual({ kind: 'sent', attempt: 1 });
      ledger.close();
      const file = path.join(folder, 'ledger.sqlite');
      expect(inside(file, 'PRAGMA user_version')).toEqual([NEWEST + 2]);
      expect(inside(file, 'SELECT text FROM note')).toEqual(['1']);
      const backup = path.join(folder, BACKUP);
      expect(statSync(backup).mode & 0o777).toBe(0o600);
      expect(inside(backup, 'PRAGMA user_version')).toEqual([NEWEST]);
      expect(inside(backup, 'SELECT state FROM mail')).toEqual(['sent']);
    }));

  it('can be used again when its copy takes its place', () =>
    inFolder((folder) => {
      fill(folder);
      opened(folder, partsWith(SECOND)).ledger.close();
      const older = openLedger({ folder });
      expect(older.ok ? null : older.error.kind).toBe('newer-version');
      writeFileSync(path.join(folder, 'ledger.sqlite'), readFileSync(path.join(folder, BACKUP)));
      const { ledger } = opened(folder);
      expect(ledger.counts().sent).toBe(1);
      ledger.close();
    }));

  it('is migrated once: the next start changes nothing', () =>
    inFolder((folder) => {
      fill(folder);
      opened(folder, partsWith(SECOND)).ledger.close();
      const backup = path.join(folder, BACKUP);
      const before = statSync(backup).mtimeMs;
      opened(folder, partsWith(SECOND)).ledger.close();
      expect(statSync(backup).mtimeMs).toBe(before);
    }));

  it('stays at the last whole step when a later one fails', () =>
    inFolder((folder) => {
      fill(folder);
      const handles = readdirSync('/proc/self/fd').length;
      const failing = openLedger(
        { folder },
        partsWith(SECOND, 'CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);'),
      );
      expect(failing.ok ? null : failing.error.kind).toBe('unreadable');
      expect(readdirSync('/proc/self/fd')).toHaveLength(handles);
      const file = path.join(folder, 'ledger.sqlite');
      expect(inside(file, 'PRAGMA user_version')).toEqual([NEWEST + 1]);
      expect(inside(file, `SELECT count(*) FROM sqlite_schema WHERE name = 'half'`)).toEqual([0]);
      const { ledger } = opened(folder, partsWith(SECOND, THIRD));
      expect(ledger.counts().sent).toBe(1);
      ledger.close();
    }));

  it('replaces what an interrupted backup left', () =>
    inFolder((folder) => {
      fill(folder);
      writeFileSync(path.join(folder, `${BACKUP}.part`), 'half');
      opened(folder, partsWith(SECOND)).ledger.close();
      expect(inside(path.join(folder, BACKUP), 'SELECT id FROM mail')).toEqual(['1']);
      expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    }));

  it('is not read by a newer reader before it was migrated', () =>
    inFolder((folder) => {
      fill(folder);
      const reader = openLedgerReadOnly({ folder }, partsWith(SECOND));
      expect(reader.ok ? null : reader.error).toEqual({
        kind: 'unreadable',
        text: 'The ledger is of an older version. Start the agent once, then look again.',
      });
    }));
});
