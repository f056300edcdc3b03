import type { SqlDriver } from './driver.ts';

/** SQLite runs here without a promise the ledger needs. */
export class PragmaRefused extends Error {}

/**
 * What keeps an acknowledged commit on the disk, and a strange file from running anything: pragma and the value it
 * reads back. `synchronous` 2 is FULL: the library's default under WAL loses acknowledged commits on power loss.
 * The two fullfsync pragmas act on macOS alone, where a plain fsync does not reach the platter; elsewhere they are inert.
 */
const WRITER_PRAGMAS = {
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
  synchronous: 2,
  fullfsync: 1,
  checkpoint_fullfsync: 1,
} as const;

/** Before anything else is read: pragmas that only touch this connection. Throws where one did not take. */
export function setPragmas(driver: SqlDriver): void {
  for (const [name, value] of Object.entries(WRITER_PRAGMAS)) {
    driver.script(`PRAGMA ${name} = ${value}`);
    const stored = readPragma(driver, name);
    if (stored !== value) throw new PragmaRefused(`SQLite keeps ${name} at ${String(stored)} instead of ${value}`);
  }
}

/** Changes the file, so only after it is known to be ours. Throws where the file system cannot do WAL. */
export function switchToWal(driver: SqlDriver): void {
  driver.script('PRAGMA journal_mode = WAL');
  const mode = readPragma(driver, 'journal_mode');
  if (mode !== 'wal') throw new PragmaRefused(`SQLite keeps the journal mode at ${String(mode)} instead of wal`);
  // A WAL that grew while a reader held it back gives its space back at the next reset.
  driver.script('PRAGMA journal_size_limit = 8388608');
}

/** The single value of a pragma. */
export function readPragma(driver: SqlDriver, name: string): unknown {
  return Object.values(driver.get(`PRAGMA ${name}`) ?? {})[0];
}
