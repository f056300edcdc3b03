import Database from 'better-sqlite3';

export type SqlValue = string | number | null;

/** The few calls the ledger makes of SQLite. Every call throws what SQLite throws; `sqlCode` names it. */
export type SqlDriver = {
  run(sql: string, values?: readonly SqlValue[]): { readonly changes: number };
  /** The first row, undefined where there is none. */
  get(sql: string, values?: readonly SqlValue[]): unknown;
  all(sql: string, values?: readonly SqlValue[]): readonly unknown[];
  /** Several statements at once, without values: migrations. */
  script(sql: string): void;
  readonly inTransaction: boolean;
  close(): void;
};

export type OpenMode = 'write' | 'read';
export type OpenDriver = (file: string, mode: OpenMode) => SqlDriver;

/** How long a statement waits for another connection: a bound on how long the event loop can stand still. */
const BUSY_TIMEOUT_MS = 2_000;

/** Opens an existing file; each statement text is prepared once, so texts must be constants. */
export const openSqlite: OpenDriver = (file, mode) =>
  driverOf(new Database(file, { readonly: mode === 'read', fileMustExist: true, timeout: BUSY_TIMEOUT_MS }));

/** A database that lives in memory only. */
export const openInMemory = (): SqlDriver => driverOf(new Database(':memory:'));

function driverOf(database: Database.Database): SqlDriver {
  const prepared = new Map<string, Database.Statement<SqlValue[], unknown>>();
  const statement = (sql: string): Database.Statement<SqlValue[], unknown> => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const fresh = database.prepare<SqlValue[], unknown>(sql);
    prepared.set(sql, fresh);
    return fresh;
  };
  return {
    run: (sql, values = []) => ({ changes: statement(sql).run(...values).changes }),
    get: (sql, values = []) => statement(sql).get(...values),
    all: (sql, values = []) => statement(sql).all(...values),
    script: (sql) => {
      database.exec(sql);
    },
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => {
      database.close();
    },
  };
}

/** SQLite's own name of an error, such as `SQLITE_IOERR_FSYNC`; null where the error is not SQLite's. */
export function sqlCode(error: unknown): string | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null;
}

/** Runs `work` in one immediate transaction; whatever it throws is thrown again after the rollback. */
export function inTransaction<T>(driver: SqlDriver, work: () => T): T {
  driver.run('BEGIN IMMEDIATE');
  try {
    const value = work();
    driver.run('COMMIT');
    return value;
  } catch (error) {
    // SQLite rolls back by itself after some errors, such as a full disk.
    if (driver.inTransaction) driver.run('ROLLBACK');
    throw error;
  }
}
