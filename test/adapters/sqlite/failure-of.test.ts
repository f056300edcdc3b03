import { describe, expect, it } from 'vitest';
import { sqlCode } from '../../../src/main/adapters/sqlite/driver.ts';
import { failureOf } from '../../../src/main/adapters/sqlite/open-file.ts';
import { PragmaRefused } from '../../../src/main/adapters/sqlite/pragmas.ts';
import { sqliteError } from './ledger-folder.ts';

const coded = (code: unknown) => Object.assign(new Error('what happened'), { code });

describe('What opening the ledger met', () => {
  it.each([
    [sqliteError('SQLITE_CORRUPT_INDEX'), 'damaged', 'made by the test: SQLITE_CORRUPT_INDEX (SQLITE_CORRUPT_INDEX)'],
    [sqliteError('SQLITE_NOTADB'), 'damaged', 'made by the test: SQLITE_NOTADB (SQLITE_NOTADB)'],
    [sqliteError('SQLITE_BUSY_RECOVERY'), 'in-use', 'Another program keeps a.sqlite busy.'],
    [new PragmaRefused('no WAL here'), 'unreadable', 'a.sqlite cannot be used: no WAL here.'],
    [
      sqliteError('SQLITE_CANTOPEN'),
      'unreadable',
      'a.sqlite cannot be opened: made by the test: SQLITE_CANTOPEN (SQLITE_CANTOPEN).',
    ],
    [coded('EACCES'), 'unreadable', 'a.sqlite cannot be opened: what happened (EACCES).'],
  ])('is said to a person: %s', (error, kind, text) => {
    expect(failureOf(error, 'a.sqlite')).toEqual({ kind, text });
  });

  it.each([
    'no error at all',
    new TypeError('a bug'),
    coded(7),
    coded('ERR_INVALID_ARG_TYPE'),
    coded('A_EIO'),
    coded('MY_SQLITE_CORRUPT'),
  ])('is thrown again where it is a fault of ours: %s', (error) => {
    expect(() => failureOf(error, 'a.sqlite')).toThrow(error instanceof Error ? error.message : error);
  });
});

describe('SQLite’s own name of an error', () => {
  it.each([
    [sqliteError('SQLITE_IOERR_FSYNC'), 'SQLITE_IOERR_FSYNC'],
    [coded('EACCES'), null],
    [coded('A_SQLITE_'), null],
    [coded(7), null],
    [new Error('a bug'), null],
    [{ code: 'SQLITE_FULL' }, null],
    [undefined, null],
  ])('is read off it, and off nothing else: %s', (error, code) => {
    expect(sqlCode(error)).toBe(code);
  });
});
