import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { openLedger, openLedgerReadOnly } from '../../../src/main/adapters/sqlite/open-ledger.ts';
import { MIGRATIONS } from '../../../src/main/adapters/sqlite/schema.ts';
import {
  accepted,
  claimed,
  commitAll,
  handedOver,
  happened,
  newMail,
  sendMail,
  started,
} from '../../conformance/ledger-samples.ts';
import { inFolder, meddle, opened } from './ledger-folder.ts';

const failureOf = (folder: string) => {
  const result = openLedger({ folder });
  if (result.ok) result.value.ledger.close();
  return result.ok ? null : result.error;
};

/** A closed ledger with a few hundred mails, one of them sent. */
function fill(folder: string): void {
  const { ledger } = opened(folder);
  const mails = Array.from({ length: 300 }, (_, index) => newMail(index + 1, { payload: { text: 'x'.repeat(500) } }));
  commitAll(ledger, claimed(mails));
  sendMail(ledger, '1', 10);
  ledger.close();
}

describe('Opening the ledger', () => {
  it('makes folder and file for their owner alone', () =>
    inFolder((parent) => {
      const folder = path.join(parent, 'new', 'data');
      const { ledger, notice } = opened(folder);
      commitAll(ledger, claimed([newMail(1)]));
      expect(notice).toBeNull();
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(folder))
        expect([name, statSync(path.join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
      ledger.close();
      expect(readdirSync(folder).sort()).toEqual(['ledger.lock', 'ledger.sqlite']);
    }));

  it('takes away what others could read', () =>
    inFolder((folder) => {
      fill(folder);
      chmodSync(path.join(folder, 'ledger.sqlite'), 0o644);
      opened(folder).ledger.close();
      expect(statSync(path.join(folder, 'ledger.sqlite')).mode & 0o777).toBe(0o600);
    }));

  it('starts anew where making the first file was cut short', () =>
    inFolder((folder) => {
      for (const name of ['ledger.new.sqlite', 'ledger.new.sqlite-wal']) writeFileSync(path.join(folder, name), 'half');
      const { ledger, notice } = opened(folder);
      expect(notice).toBeNull();
      expect(ledger.counts().claimed).toBe(0);
      ledger.close();
    }));

  it('keeps a mail that was handed over when its process was cut off', () =>
    inFolder((folder) => {
      const { ledger } = opened(folder);
      commitAll(ledger, claimed([newMail(1)]), happened('1', started(1)), happened('1', handedOver(1)));
      // A copy of the files as they are now is what a crash leaves behind.
      inFolder((crashed) => {
        for (const name of ['ledger.sqlite', 'ledger.sqlite-wal']) {
          writeFileSync(path.join(crashed, name), readFileSync(path.join(folder, name)));
        }
        const { ledger: after, notice } = opened(crashed);
        expect(notice).toBeNull();
        expect(after.mail('1')?.state).toEqual({ kind: 'handed-over', attempt: 1 });
        after.close();
      });
      ledger.close();
    }));

  it('says where the data folder cannot be used', () =>
    inFolder((folder) => {
      writeFileSync(path.join(folder, 'file'), '');
      expect(failureOf(path.join(folder, 'file'))?.kind).toBe('unreadable');
      const lock = path.join(folder, 'ledger.lock');
      writeFileSync(lock, 'not a lock at all, but a longer piece of text'.repeat(50));
      expect(failureOf(folder)).toEqual({
        kind: 'unreadable',
        text: `${lock} cannot be locked (SQLITE_NOTADB). If no agent runs, delete this file.`,
      });
      unlinkSync(lock);
      mkdirSync(lock);
      expect(failureOf(folder)?.text).toContain('cannot be locked (SQLITE_CANTOPEN');
    }));
});

describe('One writer', () => {
  it('is refused a second time in the same process, and let in after the first closed', () =>
    inFolder((folder) => {
      const { ledger } = opened(folder);
      const inUse = { kind: 'in-use', text: 'The agent is already running on this data folder.' };
      expect([failureOf(folder), failureOf(folder)]).toEqual([inUse, inUse]);
      ledger.close();
      expect(failureOf(folder)).toBeNull();
    }));

  const children: ChildProcess[] = [];
  const folders: string[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  const newFolder = () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
    folders.push(folder);
    return folder;
  };
  /** Starts a second process on the folder; answers what it says. */
  async function secondProcess(folder: string): Promise<{ said: string; child: ChildProcess }> {
    const script = fileURLToPath(new URL('hold-ledger.ts', import.meta.url));
    const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const [said] = await once(child.stdout, 'data');
    return { said: String(said).trim(), child };
  }

  it('keeps a second process out', async () => {
    const folder = newFolder();
    const { ledger } = opened(folder);
    expect((await secondProcess(folder)).said).toBe('in-use');
    commitAll(ledger, claimed([newMail(1)]));
    ledger.close();
    expect((await secondProcess(folder)).said).toBe('open');
  });

  it('is kept out by a second process, and let in once that one was killed', async () => {
    const folder = newFolder();
    const { said, child } = await secondProcess(folder);
    expect(said).toBe('open');
    expect(failureOf(folder)?.kind).toBe('in-use');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect(failureOf(folder)).toBeNull();
  });
});

describe('A file that is not as it should be', () => {
  const file = (folder: string) => path.join(folder, 'ledger.sqlite');
  const overwrite = (folder: string, from: number, bytes: number) => {
    const content = readFileSync(file(folder));
    content.fill(0, from, from + bytes);
    writeFileSync(file(folder), content);
  };

  it.each<[string, (folder: string) => void]>([
    ['text', (folder) => writeFileSync(file(folder), 'Dear customer, '.repeat(500))],
    ['short text', (folder) => writeFileSync(file(folder), 'oops')],
    ['empty', (folder) => truncateSync(file(folder), 0)],
    [
      'cut in the middle',
      (folder) => truncateSync(file(folder), Math.floor(statSync(file(folder)).size / 8192) * 4096),
    ],
    ['cut inside a page', (folder) => truncateSync(file(folder), 4096 * 3 + 100)],
    ['zeroed in the first page', (folder) => overwrite(folder, 0, 4096)],
    ['zeroed in a later page', (folder) => overwrite(folder, 4096 * 6, 4096)],
    [
      'gone, with its WAL left behind',
      (folder) => {
        writeFileSync(`${file(folder)}-wal`, 'wal');
        unlinkSync(file(folder));
      },
    ],
  ])('is put aside when it is %s, and a fresh ledger is begun', (_, damage) =>
    inFolder((folder) => {
      fill(folder);
      damage(folder);
      const before = existsSync(file(folder)) ? readFileSync(file(folder)) : null;
      const { ledger, notice } = opened(folder);
      expect(notice?.kind).toBe('damaged-set-aside');
      expect(notice?.why).not.toBe('');
      expect(path.basename(notice?.file ?? '')).toMatch(/^ledger\.damaged-\d{4}-\d{2}-\d{2}T[\d-]+Z\.sqlite$/);
      if (before === null) expect(existsSync(`${notice?.file}-wal`)).toBe(true);
      else expect(readFileSync(notice?.file ?? '').equals(before)).toBe(true);
      expect(ledger.mail('1')).toBeNull();
      commitAll(ledger, claimed([newMail(1)]));
      ledger.close();
      const again = opened(folder);
      expect(again.notice).toBeNull();
      expect(again.ledger.counts().claimed).toBe(1);
      again.ledger.close();
    }),
  );

  it('takes its WAL along when it is put aside', () =>
    inFolder((folder) => {
      fill(folder);
      writeFileSync(file(folder), 'Dear customer, '.repeat(500));
      writeFileSync(`${file(folder)}-wal`, 'wal');
      const { ledger, notice } = opened(folder);
      expect(readFileSync(`${notice?.file}-wal`, 'utf8')).toBe('wal');
      ledger.close();
    }));

  it.each([
    [
      'a trigger',
      'CREATE TRIGGER t AFTER UPDATE ON mail BEGIN DELETE FROM outbox; END',
      "trigger t is not this program's",
    ],
    ['a view', 'CREATE VIEW v AS SELECT * FROM mail', "view v is not this program's"],
    ['a table', 'CREATE TABLE t (x)', "table t is not this program's"],
    ['an index', 'CREATE INDEX i ON outbox (body)', "index i is not this program's"],
    ['a table that lacks', 'DROP TABLE hold', 'table hold is missing'],
    ['a column', 'ALTER TABLE setting ADD COLUMN secret TEXT', "table setting is not this program's"],
    ['another application id', 'PRAGMA application_id = 7', 'its application id is 7'],
    ['no version', 'PRAGMA user_version = 0', "is not this program's"],
  ])('is refused and left alone when it has %s of somebody else', (_, sql, why) =>
    inFolder((folder) => {
      fill(folder);
      meddle(folder, sql);
      const before = readFileSync(file(folder));
      const failure = failureOf(folder);
      expect(failure?.kind).toBe('foreign-schema');
      expect(failure?.text).toMatch(new RegExp(`^${file(folder)} is not as this program makes it: .*${why}\\.$`));
      expect(readFileSync(file(folder)).equals(before)).toBe(true);
      const readOnly = openLedgerReadOnly({ folder });
      expect(readOnly.ok ? null : readOnly.error.kind).toBe('foreign-schema');
    }),
  );

  it('is refused and left alone when it is the database of another program', () =>
    inFolder((folder) => {
      const other = new Database(file(folder));
      other.exec('CREATE TABLE notes (text); PRAGMA user_version = 99');
      other.close();
      expect(failureOf(folder)?.kind).toBe('foreign-schema');
    }));

  it('is refused and left alone when it has a version and nothing else', () =>
    inFolder((folder) => {
      const other = new Database(file(folder));
      other.exec('PRAGMA user_version = 99');
      other.close();
      expect(failureOf(folder)?.kind).toBe('foreign-schema');
    }));

  it('is refused and left alone when a newer version wrote it', () =>
    inFolder((folder) => {
      fill(folder);
      meddle(folder, `CREATE TABLE novelty (x); PRAGMA user_version = ${MIGRATIONS.length + 1}`);
      const failure = failureOf(folder);
      expect(failure?.kind).toBe('newer-version');
      expect(failure?.text).toBe(
        `${file(folder)} was written by a newer version of this program (schema ${MIGRATIONS.length + 1}). ` +
          'Install that version.',
      );
      expect(existsSync(path.join(folder, 'ledger.lock'))).toBe(true);
      meddle(folder, `DROP TABLE novelty; PRAGMA user_version = ${MIGRATIONS.length}`);
      expect(failureOf(folder)).toBeNull();
    }));

  it('throws a clear error for a row that cannot be read', () =>
    inFolder((folder) => {
      fill(folder);
      meddle(folder, `UPDATE payload SET payload = '{"cut' WHERE mail_id = '7'`);
      const { ledger } = opened(folder);
      expect(() => ledger.mail('7')).toThrow("the ledger's table payload holds a row that cannot be read: id 7");
      expect(ledger.mail('8')?.id).toBe('8');
      ledger.close();
    }));
});

describe('Reading beside a running agent', () => {
  const reading = (folder: string) => {
    const result = openLedgerReadOnly({ folder });
    if (!result.ok) throw new Error(result.error.text);
    return result.value;
  };

  it('sees each commit as it is made and hinders none', () =>
    inFolder((folder) => {
      const { ledger } = opened(folder);
      const reader = reading(folder);
      expect(reader.counts().claimed).toBe(0);
      commitAll(ledger, claimed([newMail(1)]));
      expect(reader.counts().claimed).toBe(1);
      commitAll(ledger, happened('1', started(1)), happened('1', handedOver(1)), happened('1', accepted('1', 1)));
      expect(reader.mail('1')?.state).toEqual({ kind: 'sent', attempt: 1 });
      expect(reader.attempts('1')).toEqual(ledger.attempts('1'));
      reader.close();
      ledger.close();
    }));

  it('works without an agent, and does not keep one from starting', () =>
    inFolder((folder) => {
      fill(folder);
      const reader = reading(folder);
      expect(reader.counts()).toMatchObject({ claimed: 299, sent: 1 });
      const { ledger } = opened(folder);
      commitAll(ledger, happened('2', started(1)));
      expect(reader.counts()).toMatchObject({ attempting: 1 });
      reader.close();
      ledger.close();
      expect(opened(folder).notice).toBeNull();
    }));

  it('ends when the reader is closed', () =>
    inFolder((folder) => {
      fill(folder);
      const reader = reading(folder);
      reader.close();
      expect(() => reader.counts()).toThrow('not open');
    }));

  it('cannot write', () =>
    inFolder((folder) => {
      fill(folder);
      const reader = reading(folder);
      expect('commit' in reader).toBe(false);
      reader.close();
    }));

  it('says where there is nothing to read, or nothing readable', () =>
    inFolder((folder) => {
      const failure = () => {
        const result = openLedgerReadOnly({ folder });
        return result.ok ? null : result.error;
      };
      expect(failure()).toEqual({ kind: 'missing', text: `There is no ledger in ${folder} yet.` });
      expect(readdirSync(folder)).toEqual([]);
      writeFileSync(file(folder), 'Dear customer, '.repeat(500));
      expect(failure()).toEqual({
        kind: 'unreadable',
        text: 'The ledger is damaged: file is not a database (SQLITE_NOTADB).',
      });
    }));
  const file = (folder: string) => path.join(folder, 'ledger.sqlite');
});
