import type { Result } from '../../shared/result.ts';
import type { Ledger, LedgerChange, LedgerFailure, Log } from './ports.ts';

/** Deferred changes at most before they are written on their own. */
const DEFERRED_MAX = 200;

/**
 * The engine's one pen. `commit` is durable when it returns. `defer` keeps what may be lost without harm (an
 * acknowledged report is told again) and writes it with the next commit, which saves a disk flush a mail.
 */
export type Journal = {
  commit(changes: readonly LedgerChange[]): Result<void, LedgerFailure>;
  defer(changes: readonly LedgerChange[]): void;
  /** Sequence numbers of reports whose end is deferred: told, though the ledger does not know yet. */
  deferredReports(): ReadonlySet<number>;
  /** Why the last commit failed, null after one that worked. No ledger write, no send. */
  trouble(): LedgerFailure | null;
};

export function createJournal(ledger: Ledger, log: Log): Journal {
  let deferred: LedgerChange[] = [];
  let deferredSeqs = new Set<number>();
  let trouble: LedgerFailure | null = null;

  const write = (changes: readonly LedgerChange[]): Result<void, LedgerFailure> => {
    const written = ledger.commit(changes);
    // A refused move is a fault of ours, not of the disk: it says nothing about the next write.
    trouble = written.ok || isRefusal(written.error) ? null : written.error;
    if (!written.ok) log.error('ledger.commit-failed', { kind: written.error.kind, changes: changes.length });
    return written;
  };

  const writeOneByOne = (changes: readonly LedgerChange[]): void => {
    for (const change of changes) {
      const written = write([change]);
      if (!written.ok && !isRefusal(written.error)) return;
    }
  };

  return {
    commit(changes) {
      const waiting = deferred;
      if (waiting.length === 0) return changes.length === 0 ? { ok: true, value: undefined } : write(changes);
      const written = write([...waiting, ...changes]);
      if (written.ok) {
        deferred = [];
        deferredSeqs = new Set();
        return written;
      }
      if (!isRefusal(written.error)) return written;
      // One of the deferred changes may be what was refused; it must not cost the others or what is to be written now.
      deferred = [];
      deferredSeqs = new Set();
      writeOneByOne(waiting);
      return changes.length === 0 ? { ok: true, value: undefined } : write(changes);
    },
    defer(changes) {
      deferred.push(...changes);
      for (const change of changes) if (change.kind === 'report-ended') deferredSeqs.add(change.seq);
      if (deferred.length > DEFERRED_MAX) this.commit([]);
    },
    deferredReports: () => deferredSeqs,
    trouble: () => trouble,
  };
}

function isRefusal(failure: LedgerFailure): boolean {
  return failure.kind === 'illegal' || failure.kind === 'key-conflict' || failure.kind === 'unknown-mail';
}
