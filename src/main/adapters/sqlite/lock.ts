import Database from 'better-sqlite3';
import { err, ok, type Result } from '../../../shared/result.ts';
import { sqlCode } from './driver.ts';
import { createOwnersOnly } from './files.ts';

export type Lock = { release(): void };

/**
 * The right to be the only writer, held by an open exclusive transaction on a tiny file of its own. The operating
 * system takes it back when the process ends, however it ends, so nothing is ever left to clean up. Answers at once.
 */
export function takeLock(
  file: string,
): Result<Lock, { readonly kind: 'in-use' | 'unreadable'; readonly text: string }> {
  createOwnersOnly(file);
  let database: Database.Database | null = null;
  try {
    database = new Database(file, { fileMustExist: true, timeout: 0 });
    // Nothing is ever written; without this an empty journal would lie beside the file.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const code = sqlCode(error);
    if (code === null) throw error;
    if (code.startsWith('SQLITE_BUSY')) {
      return err({ kind: 'in-use', text: 'The agent is already running on this data folder.' });
    }
    return err({ kind: 'unreadable', text: `${file} cannot be locked (${code}). If no agent runs, delete this file.` });
  }
  const held = database;
  return ok({ release: () => held.close() });
}
