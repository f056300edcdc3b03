import { describe, expect, it } from 'vitest';
import { openInMemory, openSqlite, type SqlDriver } from '../../../src/main/adapters/sqlite/driver.ts';
import { REAL_PARTS } from '../../../src/main/adapters/sqlite/open-ledger.ts';
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
      });
      ledger.close();
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
