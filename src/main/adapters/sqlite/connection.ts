import { err, ok, type Result } from '../../../shared/result.ts';
import type { SqlDriver } from './driver.ts';

/** One open database that can be opened again. */
export type Connection = {
  /** False after a reopening failed, until one succeeds. */
  usable(): boolean;
  /** The open database; throws with the reason where there is none. */
  driver(): SqlDriver;
  /** Closes and opens again, with every check of the first opening; says why it could not. */
  reopen(): Result<void, string>;
  /** Gives the database up until `reopen` succeeds. */
  abandon(why: string): void;
  close(): void;
};

/** `open` opens and checks the file. */
export function connectionOf(first: SqlDriver, open: () => Result<SqlDriver, { readonly text: string }>): Connection {
  let current: SqlDriver | { readonly lost: string; readonly for: 'now' | 'good' } = first;

  const letGo = (lost: string, reach: 'now' | 'good') => {
    const before = current;
    current = { lost, for: reach };
    if ('close' in before) before.close();
  };
  return {
    usable: () => 'close' in current,
    driver: () => {
      if ('close' in current) return current;
      throw new Error(current.lost);
    },
    reopen: () => {
      if ('lost' in current && current.for === 'good') throw new Error(current.lost);
      letGo('the ledger is being reopened', 'now');
      const opened = open();
      if (!opened.ok) {
        current = { lost: `the ledger cannot be reopened: ${opened.error.text}`, for: 'now' };
        return err(opened.error.text);
      }
      current = opened.value;
      return ok(undefined);
    },
    abandon: (why) => letGo(why, 'now'),
    close: () => letGo('the ledger is closed', 'good'),
  };
}
