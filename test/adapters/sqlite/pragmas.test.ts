import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openInMemory, openSqlite, type SqlDriver } from '../../../src/main/adapters/sqlite/driver.ts';
import { openLedgerReadOnly, REAL_PARTS } from '../../../src/main/adapters/sqlite/open-ledger.ts';
import { readPragma, setPragmas, switchToWal } from '../../../src/main/adapters/sqlite/pragmas.ts';
import { inFolder, opened } from './ledger-folder.ts';

describe('The open ledger', () => {
  it('keeps what it acknowledged on the disk and runs nothing a file brings along', () =>
    inFolder((folder) => {
      const drivers: SqlDriver[] = [];
      const openDriver: typeof openSqlite = (file, mode) => {
        const driver = openSqlite(file, mode);
        drivers.push(driver);
        return driver;
      };
      const { ledger } = opened(folder, { ...REAL_PARTS, openDriver });
      const driver = drivers.at(-1) ?? openInMemory();
      const pragmas = Object.fromEntries(
        [
          'journal_mode',
          'synchronous',
          'fullfsync',
          'checkpoint_fullfsync',
          'foreign_keys',
          'trusted_schema',
          'cell_size_check',
          'busy_timeout',
          'journal_size_limit',
        ].map((name) => [name, readPragma(driver, name)]),
      );
      expect(pragmas).toEqual({
        journal_mode: 'wal',
        synchronous: 2,
        fullfsync: 1,
        checkpoint_fullfsync: 1,
        foreign_keys: 1,
        trusted_schema: 0,
        cell_size_check: 1,
        busy_timeout: 2_000,
        journal_size_limit: 8_388_608,
      });
      ledger.close();
    }));

  it('sets that on every connection before anything of the file is read, and WAL on those that write', () =>
    inFolder((folder) => {
      const SAFE = 'foreign_keys trusted_schema cell_size_check synchronous fullfsync checkpoint_fullfsync'.split(' ');
      const connections: { readonly mode: string; readonly ran: string[] }[] = [];
      const openDriver: typeof openSqlite = (file, mode) => {
        const driver = openSqlite(file, mode);
        const ran: string[] = [];
        connections.push({ mode, ran });
        const script = (sql: string) => {
          ran.push(sql);
          driver.script(sql);
        };
        const get: SqlDriver['get'] = (sql, values) => {
          if (!sql.startsWith('PRAGMA')) ran.push('read');
          return driver.get(sql, values);
        };
        return { ...driver, script, get };
      };
      const parts = { ...REAL_PARTS, openDriver };
      opened(folder, parts).ledger.close();
      const reads = openLedgerReadOnly({ folder }, parts);
      if (!reads.ok) throw new Error(reads.error.text);
      reads.value.close();

      // The file is made, checked, opened to be written; then read by somebody who must not write.
      expect(connections.map(({ mode }) => mode)).toEqual(['write', 'read', 'write', 'read']);
      for (const { mode, ran } of connections) {
        const set = ran.map((sql) => /^PRAGMA (\w+) = /.exec(sql)?.[1] ?? sql);
        expect(set.slice(0, SAFE.length)).toEqual(SAFE);
        expect(set.includes('journal_mode')).toBe(mode === 'write');
      }
    }));

  it('is never made by opening a file that is not there', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'ledger.sqlite');
      for (const mode of ['read', 'write'] as const) expect(() => openSqlite(file, mode)).toThrow();
      expect(existsSync(file)).toBe(false);
    }));

  it('has strict tables only', () =>
    inFolder((folder) => {
      opened(folder).ledger.close();
      const driver = openSqlite(`${folder}/ledger.sqlite`, 'read');
      const loose = driver.all(`SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0
        AND name NOT LIKE 'sqlite_%'`);
      expect(loose).toEqual([]);
      driver.close();
    }));

  it('is refused where SQLite does not keep a pragma or cannot do WAL', () => {
    const driver = openInMemory();
    expect(() => switchToWal(driver)).toThrow('SQLite keeps the journal mode at memory instead of wal');
    const deaf: SqlDriver = { ...driver, script: () => undefined };
    expect(() => setPragmas(deaf)).toThrow(/SQLite keeps \w+ at \d instead of \d/);
    driver.close();
  });
});
