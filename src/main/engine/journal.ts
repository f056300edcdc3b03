import { ok, type Result } from '../../shared/result.ts';
import type { LedgerChange, LedgerFailure, Ports } from './ports.ts';

/** Deferred changes at most before they are written on their own. */
const DEFERRED_MAX = 200;
/** How long to wait before the disk is tried again after a write that failed. */
export const LEDGER_PAUSE_MS = 2_000;

/** `ledger` is no hold that is ever stored: lifting it writes to the disk and changes nothing. */
const NOTHING: LedgerChange = { kind: 'hold-lifted', holdKind: 'ledger' };

/**
 * The engine's one pen. `commit` is durable when it returns. `defer` keeps what may be lost without harm (an
 * acknowledged report is told again) and writes it with the next commit, which saves a disk flush a mail.
 */
export type Journal = {
  commit(changes: readonly LedgerChange[]): Result<void, LedgerFailure>;
  defer(changes: readonly LedgerChange[]): void;
  /** Writes now or, where the ledger cannot be written, with the next commit that works; nothing is sent before. */
  insist(changes: readonly LedgerChange[]): void;
  /** Writes nothing to the disk: the only way to learn that it is back. */
  probe(): void;
  /** Sequence numbers of reports whose end is deferred: told, though the ledger does not know yet. */
  deferredReports(): ReadonlySet<number>;
  /** Since when commits fail (epoch milliseconds), null after one that worked. No ledger write, no send. */
  trouble(): { readonly sinceMs: number } | null;
};

/** `onTrouble` hears once whenever commits begin to fail: whoever waits must now look at the disk again and again. */
export function createJournal(
  { ledger, log, clock }: Pick<Ports, 'ledger' | 'log' | 'clock'>,
  onTrouble: () => void,
): Journal {
  let deferred: readonly LedgerChange[] = [];
  let deferredSeqs: ReadonlySet<number> = new Set();
  let trouble: { readonly sinceMs: number } | null = null;

  const keep = (changes: readonly LedgerChange[]): void => {
    deferred = changes;
    deferredSeqs = new Set(changes.flatMap((change) => (change.kind === 'report-ended' ? [change.seq] : [])));
  };

  const write = (changes: readonly LedgerChange[]): Result<void, LedgerFailure> => {
    if (changes.length === 0) return ok(undefined);
    const written = ledger.commit(changes);
    if (!written.ok) log.error('ledger.commit-failed', { kind: written.error.kind, changes: changes.length });
    // A refused move is a fault of ours, not of the disk: it says nothing about the next write.
    if (written.ok || isRefusal(written.error)) trouble = null;
    else if (trouble === null) {
      trouble = { sinceMs: clock.nowMs() };
      onTrouble();
    }
    return written;
  };

  /** One of the deferred changes may be what was refused; it must not cost the others. */
  const writeDeferredOneByOne = (): void => {
    while (deferred.length > 0) {
      const written = write(deferred.slice(0, 1));
      if (!written.ok && !isRefusal(written.error)) return;
      keep(deferred.slice(1));
    }
  };

  const commit = (changes: readonly LedgerChange[]): Result<void, LedgerFailure> => {
    if (deferred.length === 0) return write(changes);
    const written = write([...deferred, ...changes]);
    if (written.ok) keep([]);
    if (written.ok || !isRefusal(written.error)) return written;
    writeDeferredOneByOne();
    return write(changes);
  };

  return {
    commit,
    defer(changes) {
      keep([...deferred, ...changes]);
      if (deferred.length > DEFERRED_MAX) commit([]);
    },
    insist(changes) {
      const written = commit(changes);
      if (!written.ok) keep([...deferred, ...changes]);
    },
    probe() {
      commit([NOTHING]);
    },
    deferredReports: () => deferredSeqs,
    trouble: () => trouble,
  };
}

/** A fault of ours or of the cloud's, and not of the disk: another try would be refused as well. */
export function isRefusal(failure: LedgerFailure): boolean {
  return failure.kind === 'illegal' || failure.kind === 'key-conflict' || failure.kind === 'unknown-mail';
}
