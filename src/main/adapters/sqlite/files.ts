import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Names inside the data folder. */
export const LEDGER_FILE = 'ledger.sqlite';
export const LOCK_FILE = 'ledger.lock';
/** A fresh ledger while it is being made; it gets its name once it is complete. */
export const NEW_FILE = 'ledger.new.sqlite';
/** What SQLite keeps beside a database. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/**
 * Makes an empty file that only its owner reads, or leaves the one that is there alone. That one must not even be
 * opened: closing any handle of a file drops every POSIX lock this process has on it.
 */
export function createOwnersOnly(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Never for a database that is open: see `createOwnersOnly`. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes renames durable. Windows knows no such call; NTFS journals its folders itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
