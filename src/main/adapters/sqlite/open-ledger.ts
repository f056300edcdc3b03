import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Hold } from '../../core/hold.ts';
import type { Ledger } from '../../engine/ports.ts';
import { committer } from './commit.ts';
import { connectionOf } from './connection.ts';
import { openSqlite, type SqlDriver } from './driver.ts';
import { LEDGER_FILE, LOCK_FILE } from './files.ts';
import { type Lock, takeLock } from './lock.ts';
import { networkFileSystem } from './network-file-system.ts';
import {
  bringUpToDate,
  createLedger,
  type FileFailure,
  failureOf,
  type LedgerParts,
  openChecked,
} from './open-file.ts';
import { type LedgerReads, ledgerReads } from './reads.ts';
import { MIGRATIONS } from './schema.ts';
import { finishSetAside, type SetAside, setAside } from './set-aside.ts';

/** Why there is no ledger to work with; `text` is for a person and says what to do. */
export type OpenFailure = {
  readonly kind: 'in-use' | 'newer-version' | 'unreadable' | 'network-file-system' | 'foreign-schema';
  readonly text: string;
};

/** `missing`: no agent has run on this data folder yet. */
export type ReadOnlyOpenFailure = OpenFailure | { readonly kind: 'missing'; readonly text: string };

export type OpenedLedger = {
  readonly ledger: Ledger;
  /** Set where a damaged ledger was put aside and a fresh one begun: to be shown to a person. */
  readonly notice: SetAside | null;
};

export const REAL_PARTS: LedgerParts = { openDriver: openSqlite, migrations: MIGRATIONS };

/**
 * Opens the ledger in `folder` as its only writer, making folder and file where they are missing and migrating an
 * older file after a backup. Blocks while it reads the file through; never repairs one.
 */
export function openLedger(
  { folder }: { readonly folder: string },
  parts: LedgerParts = REAL_PARTS,
): Result<OpenedLedger, OpenFailure> {
  const file = path.join(folder, LEDGER_FILE);
  let lock: Lock | null = null;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const network = networkFileSystem(folder);
    if (network !== null) return err(onNetwork(folder, network));
    const taken = takeLock(path.join(folder, LOCK_FILE));
    if (!taken.ok) return taken;
    lock = taken.value;
    const opened = openOrReplace(folder, parts, Date.now());
    if (opened.ok) {
      chmodSync(file, 0o600);
      const { driver, notice } = opened.value;
      return ok({ ledger: ledgerOn(folder, parts, driver, lock), notice });
    }
    lock.release();
    return err(asOpenFailure(opened.error));
  } catch (error) {
    lock?.release();
    return err(asOpenFailure(failureOf(error, file)));
  }
}

/**
 * Opens the ledger for reading alone, beside a running agent or without one. It takes no lock, migrates nothing and
 * sees every commit made so far.
 */
export function openLedgerReadOnly(
  { folder }: { readonly folder: string },
  parts: LedgerParts = REAL_PARTS,
): Result<LedgerReads & Pick<Ledger, 'close'>, ReadOnlyOpenFailure> {
  const file = path.join(folder, LEDGER_FILE);
  if (!existsSync(file)) return err({ kind: 'missing', text: `There is no ledger in ${folder} yet.` });
  const network = networkFileSystem(folder);
  if (network !== null) return err(onNetwork(folder, network));
  const opened = openChecked(folder, parts, 'read');
  if (!opened.ok) return err(asOpenFailure(opened.error));
  const driver = opened.value;
  return ok({ ...ledgerReads(() => driver), close: () => driver.close() });
}

function ledgerOn(folder: string, parts: LedgerParts, driver: SqlDriver, lock: Lock): Ledger {
  const connection = connectionOf(driver, () => openChecked(folder, parts, 'write'));
  const reads = ledgerReads(connection.driver);
  const commit = committer(connection);
  // Asked several times a mail and hardly ever changed; this ledger is the only writer.
  let holds: readonly Hold[] | null = null;
  return {
    ...reads,
    holds: () => {
      holds ??= reads.holds();
      return holds;
    },
    commit: (changes) => {
      if (changes.some(({ kind }) => kind === 'hold-set' || kind === 'hold-lifted')) holds = null;
      return commit(changes);
    },
    close: () => {
      holds = null;
      connection.close();
      lock.release();
    },
  };
}

type Opened = { readonly driver: SqlDriver; readonly notice: SetAside | null };

function openOrReplace(folder: string, parts: LedgerParts, nowMs: number): Result<Opened, FileFailure> {
  const file = path.join(folder, LEDGER_FILE);
  let notice = finishSetAside(folder, nowMs);
  if (!existsSync(file)) {
    // A WAL alone would be replayed into the fresh ledger.
    if (existsSync(`${file}-wal`)) notice = setAside(folder, 'the main file is gone, its WAL is left', nowMs);
    createLedger(folder, parts);
  }
  let opened = openChecked(folder, parts, 'write');
  if (!opened.ok && opened.error.kind === 'damaged') {
    notice = setAside(folder, opened.error.text, nowMs);
    createLedger(folder, parts);
    opened = openChecked(folder, parts, 'write');
  }
  if (!opened.ok) return opened;
  try {
    bringUpToDate(opened.value, folder, parts.migrations);
  } catch (error) {
    opened.value.close();
    throw error;
  }
  return ok({ driver: opened.value, notice });
}

function onNetwork(folder: string, name: string): OpenFailure {
  return {
    kind: 'network-file-system',
    text: `${folder} lies on a network file system (${name}), where the ledger is not safe. Choose a local folder.`,
  };
}

function asOpenFailure({ kind, text }: FileFailure): OpenFailure {
  return kind === 'damaged' ? { kind: 'unreadable', text: `The ledger is damaged: ${text}.` } : { kind, text };
}
