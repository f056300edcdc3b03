import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { OpenDriver, SqlDriver } from '../../../src/main/adapters/sqlite/driver.ts';
import { openSqlite } from '../../../src/main/adapters/sqlite/driver.ts';
import type { LedgerParts } from '../../../src/main/adapters/sqlite/open-file.ts';
import { type OpenedLedger, openLedger, REAL_PARTS } from '../../../src/main/adapters/sqlite/open-ledger.ts';

/** Gives `work` a data folder and takes it away afterwards. */
export function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens and expects it to work. */
export function opened(folder: string, parts: LedgerParts = REAL_PARTS): OpenedLedger {
  const result = openLedger({ folder }, parts);
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.text}`);
  return result.value;
}

/** Changes the ledger file behind the ledger's back; the ledger must be closed. */
export function meddle(folder: string, sql: string): void {
  const database = new Database(path.join(folder, 'ledger.sqlite'));
  database.unsafeMode();
  database.exec(sql);
  database.close();
}

export const sqliteError = (code: string): Error => new Database.SqliteError(`made by the test: ${code}`, code);

/** What may be told to go wrong at the edge to SQLite. */
export type Faults = {
  /** Called before a statement runs; throws to keep it from running. */
  before: (sql: string) => void;
  /** Called after a statement ran; throws to make its answer an error. */
  after: (sql: string) => void;
  /** Called before the file is opened. */
  opening: () => void;
};

/** The real parts with a driver that goes wrong as `faults` say at that moment. */
export function faultyParts(): { readonly parts: LedgerParts; readonly faults: Faults } {
  const faults: Faults = { before: () => undefined, after: () => undefined, opening: () => undefined };
  const openDriver: OpenDriver = (file, mode) => {
    faults.opening();
    return wrapped(openSqlite(file, mode), faults);
  };
  return { parts: { ...REAL_PARTS, openDriver }, faults };
}

function wrapped(driver: SqlDriver, faults: Faults): SqlDriver {
  return {
    run: (sql, values) => {
      faults.before(sql);
      const done = driver.run(sql, values);
      faults.after(sql);
      return done;
    },
    get: (sql, values) => {
      faults.before(sql);
      return driver.get(sql, values);
    },
    all: (sql, values) => {
      faults.before(sql);
      return driver.all(sql, values);
    },
    script: driver.script,
    get inTransaction() {
      return driver.inTransaction;
    },
    close: driver.close,
  };
}
