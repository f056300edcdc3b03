import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { LedgerChange, LedgerFailure } from '../../engine/ports.ts';
import { applyChange } from './changes.ts';
import type { Connection } from './connection.ts';
import { inTransaction, type SqlDriver, sqlCode } from './driver.ts';
import { numberOf } from './rows.ts';

const SQL = {
  count: `SELECT commit_count AS "value" FROM meta`,
  countUp: `UPDATE meta SET commit_count = commit_count + 1 WHERE commit_count = ?`,
  touch: `UPDATE meta SET commit_count = commit_count`,
  checkpoint: `PRAGMA wal_checkpoint(TRUNCATE)`,
} as const;

/** A checkpoint that kept nothing back. Source: sqlite.org/pragma.html#pragma_wal_checkpoint. */
const Complete = z.object({ busy: z.literal(0) });

/** Carries a refusal through the rollback. */
class Refused extends Error {
  readonly failure: LedgerFailure;
  constructor(failure: LedgerFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Another process wrote to the file in spite of the lock. */
class NotAlone extends Error {}

/**
 * The pen of a ledger: all changes in one transaction, on disk when it answers. Throws only for what is a fault of the
 * program: an unknown report, a row that does not parse.
 */
export function committer(connection: Connection): (changes: readonly LedgerChange[]) => Result<void, LedgerFailure> {
  /** Commits in the file, null where it must be read first. */
  let count: number | null = null;

  return (changes) => {
    if (changes.length === 0) return ok(undefined);
    if (!connection.usable()) {
      const opened = connection.reopen();
      if (!opened.ok) return err({ kind: 'io', text: opened.error, reopened: false });
      count = null;
    }
    const driver = connection.driver();
    let before: number | null = null;
    try {
      before = count ?? readCount(driver);
      const known = before;
      inTransaction(driver, () => write(driver, known, changes));
      count = known + 1;
      return ok(undefined);
    } catch (error) {
      if (error instanceof Refused) return err(error.failure);
      if (error instanceof NotAlone) {
        count = null;
        return err({ kind: 'io', text: 'another process writes to the same ledger', reopened: true });
      }
      const code = sqlCode(error);
      if (code === null) throw error;
      const text = `${code}: ${error instanceof Error ? error.message : ''}`;
      const kind = certainKind(code);
      if (kind !== null && !driver.inTransaction) return err({ kind, text });
      count = null;
      return lookUp(connection, before, text);
    }
  };
}

function write(driver: SqlDriver, known: number, changes: readonly LedgerChange[]): void {
  if (driver.run(SQL.countUp, [known]).changes !== 1) throw new NotAlone();
  for (const change of changes) {
    const done = applyChange(driver, change);
    if (!done.ok) throw new Refused(done.error);
  }
}

/** Finds out whether a commit happened whose answer was an error: `before` is the count it started from. */
function lookUp(connection: Connection, before: number | null, text: string): Result<void, LedgerFailure> {
  const opened = connection.reopen();
  if (!opened.ok) return err({ kind: 'io', text: `${text}; ${opened.error}`, reopened: false });
  try {
    const driver = connection.driver();
    const happened = before !== null && readCount(driver) === before + 1;
    // After a failed sync the system may have dropped pages it still shows. What is there is written once more, into
    // the main file; what is not there is written over, so that no later recovery brings it back.
    if (happened) checkpoint(driver);
    else driver.run(SQL.touch);
    return happened ? ok(undefined) : err({ kind: 'io', text, reopened: true });
  } catch (error) {
    const code = sqlCode(error);
    if (code === null) throw error;
    connection.abandon(`the ledger cannot be used after ${text}; then ${code}`);
    return err({ kind: 'io', text: `${text}; then ${code}`, reopened: false });
  }
}

/** Throws SQLITE_BUSY where a reader keeps the WAL from being written back completely. */
function checkpoint(driver: SqlDriver): void {
  if (!Complete.safeParse(driver.get(SQL.checkpoint)).success)
    throw Object.assign(new Error('a reader holds the WAL'), { code: 'SQLITE_BUSY' });
}

function readCount(driver: SqlDriver): number {
  const count = numberOf(driver.get(SQL.count), 'meta');
  if (count === null) throw new Error('the ledger has no commit count');
  return count;
}

/** What SQLite refused before the commit record was whole; null where the outcome is unknown. */
function certainKind(code: string): 'busy' | 'full' | null {
  if (code.startsWith('SQLITE_BUSY')) return 'busy';
  return code === 'SQLITE_FULL' ? 'full' : null;
}
