import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type OpenDriver, type OpenMode, type SqlDriver, sqlCode } from './driver.ts';
import { createOwnersOnly, LEDGER_FILE, NEW_FILE, SIDE_FILES, syncFolder } from './files.ts';
import { backUp, foreignSchema, isEmpty, migrate, newestVersion, versionOf } from './migrate.ts';
import { PragmaRefused, readPragma, setPragmas, switchToWal } from './pragmas.ts';
import { APPLICATION_ID, type Migration } from './schema.ts';

/** What a ledger is made of; tests put another driver or other schema versions in. */
export type LedgerParts = { readonly openDriver: OpenDriver; readonly migrations: readonly Migration[] };

/** Why a file cannot be used; `damaged`: it is there and is not a sound database. */
export type FileFailure = {
  readonly kind: 'in-use' | 'newer-version' | 'unreadable' | 'foreign-schema' | 'damaged';
  readonly text: string;
};

/**
 * Opens the ledger file that is there and trusts nothing in it before it was checked. For writing it must have the
 * newest schema or an older one (see `bringUpToDate`); for reading the newest.
 */
export function openChecked(folder: string, parts: LedgerParts, mode: OpenMode): Result<SqlDriver, FileFailure> {
  const file = path.join(folder, LEDGER_FILE);
  let driver: SqlDriver | null = null;
  try {
    // Checked through a connection that cannot write: another one would, on closing, copy the WAL into a damaged file
    // and delete it.
    driver = parts.openDriver(file, 'read');
    setPragmas(driver);
    const failure =
      mismatch(driver, parts.migrations, file) ?? (mode === 'read' ? tooOld(driver, parts) : unsound(driver));
    if (failure === null && mode === 'read') return ok(driver);
    driver.close();
    if (failure !== null) return err(failure);
    driver = parts.openDriver(file, 'write');
    setPragmas(driver);
    switchToWal(driver);
    return ok(driver);
  } catch (error) {
    driver?.close();
    return err(failureOf(error, file));
  }
}

/** Migrates an older file, with a copy of it made first. Throws what SQLite and the file system throw. */
export function bringUpToDate(driver: SqlDriver, folder: string, migrations: readonly Migration[]): void {
  if (versionOf(driver) === newestVersion(migrations)) return;
  backUp(driver, folder);
  migrate(driver, migrations);
}

/** Makes a fresh ledger; it gets its name only when it is complete, so an empty file under that name is damage. */
export function createLedger(folder: string, parts: LedgerParts): void {
  const unfinished = path.join(folder, NEW_FILE);
  for (const side of ['', ...SIDE_FILES]) rmSync(`${unfinished}${side}`, { force: true });
  createOwnersOnly(unfinished);
  const driver = parts.openDriver(unfinished, 'write');
  try {
    setPragmas(driver);
    switchToWal(driver);
    migrate(driver, parts.migrations);
  } finally {
    driver.close();
  }
  renameSync(unfinished, path.join(folder, LEDGER_FILE));
  syncFolder(folder);
}

/** Translates what opening may meet; throws everything else again. */
export function failureOf(error: unknown, file: string): FileFailure {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return { kind: 'damaged', text: `${error.message} (${code})` };
  if (code.startsWith('SQLITE_BUSY')) return { kind: 'in-use', text: `Another program keeps ${file} busy.` };
  if (error instanceof PragmaRefused) return { kind: 'unreadable', text: `${file} cannot be used: ${error.message}.` };
  if (sqlCode(error) === null && !/^E[A-Z]+$/.test(code)) throw error;
  return { kind: 'unreadable', text: `${file} cannot be opened: ${error.message} (${code}).` };
}

function mismatch(driver: SqlDriver, migrations: readonly Migration[], file: string): FileFailure | null {
  if (isEmpty(driver)) return { kind: 'damaged', text: 'the file is empty' };
  const version = versionOf(driver);
  if (readPragma(driver, 'application_id') === APPLICATION_ID && version > newestVersion(migrations)) {
    const text = `${file} was written by a newer version of this program (schema ${version}). Install that version.`;
    return { kind: 'newer-version', text };
  }
  const difference = foreignSchema(driver, migrations);
  if (difference === null) return null;
  return { kind: 'foreign-schema', text: `${file} is not as this program makes it: ${difference}.` };
}

function tooOld(driver: SqlDriver, { migrations }: LedgerParts): FileFailure | null {
  if (versionOf(driver) === newestVersion(migrations)) return null;
  return { kind: 'unreadable', text: 'The ledger is of an older version. Start the agent once, then look again.' };
}

/** Reads the whole file once. */
function unsound(driver: SqlDriver): FileFailure | null {
  const answer = readPragma(driver, 'quick_check(1)');
  return answer === 'ok' ? null : { kind: 'damaged', text: `quick_check says: ${String(answer)}` };
}
