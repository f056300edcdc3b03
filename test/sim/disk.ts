import type { Ledger, LedgerChange, LedgerFailure } from '../../src/main/engine/ports.ts';
import { err, type Result } from '../../src/shared/result.ts';
import type { SeededRandom } from '../support/fakes-clock.ts';
import { type MemoryLedger, memoryLedger } from '../support/memory-ledger.ts';

/** Copies of the file that lie around, at most. */
const BACKUPS_MAX = 4;

export type DiskWatch = {
  /** Before a commit, and after one that is on the disk. The process may die in either. */
  readonly before: (changes: readonly LedgerChange[]) => void;
  readonly after: (changes: readonly LedgerChange[]) => void;
  readonly isAlive: () => boolean;
};

/**
 * A disk with the ledger's file on it. What was committed is there after a crash, what was not is not; a crash in the
 * middle of a commit, and an error whose end nobody could look at, leave it open which.
 */
export class Disk {
  /** Until then (timeline) every commit fails so. */
  trouble: { readonly how: 'full' | 'busy' | 'io'; readonly untilMs: number } | null = null;
  /** Renewed whenever the file was exchanged under its agent: then what it knew may be gone. */
  lineage = 0;
  file: MemoryLedger = memoryLedger();
  /** A disk that keeps its word forgets none when the power fails. */
  forgottenCommits = 0;
  readonly #random: SeededRandom;
  readonly #nowMs: () => number;
  readonly #backups: MemoryLedger[] = [];
  readonly #past: MemoryLedger[] = [];
  #writers = 0;

  constructor(random: SeededRandom, nowMs: () => number, file?: MemoryLedger) {
    this.#random = random;
    this.#nowMs = nowMs;
    if (file !== undefined) this.file = file;
  }

  /** The ledger for one process; `in-use` where another has it open and the lock `holds`. */
  open(watch: DiskWatch, lock: 'holds' | 'fails'): { readonly ledger: Ledger; close(): void } | 'in-use' {
    if (this.#writers > 0 && lock === 'holds') return 'in-use';
    this.#writers += 1;
    const { file } = this;
    let isOpen = true;
    return {
      ledger: { ...file, commit: (changes) => this.#commit(file, changes, watch) },
      close: () => {
        if (isOpen) this.#writers -= 1;
        isOpen = false;
      },
    };
  }

  backUp(): void {
    this.#backups.push(this.file.copy());
    if (this.#backups.length > BACKUPS_MAX) this.#backups.splice(this.#random.below(BACKUPS_MAX), 1);
  }

  /** An older copy takes the file's place; false where there is none. */
  restore(): boolean {
    if (this.#backups.length === 0) return false;
    this.file = this.#random.oneOf(this.#backups).copy();
    this.lineage += 1;
    return true;
  }

  delete(): void {
    this.file = memoryLedger();
    this.lineage += 1;
  }

  losePower(): void {
    const [before] = this.#past.splice(0);
    if (before !== undefined) this.file = before;
  }

  #commit(file: Ledger, changes: readonly LedgerChange[], watch: DiskWatch): Result<void, LedgerFailure> {
    if (changes.length === 0) return file.commit(changes);
    watch.before(changes);
    // The process died while this was written: it is whole on the disk, or not at all.
    if (!watch.isAlive() && this.#random.chance(0.5)) return err({ kind: 'io', text: 'cut off', reopened: false });
    if (this.trouble !== null && this.trouble.untilMs > this.#nowMs()) {
      const { how } = this.trouble;
      if (how !== 'io') return err({ kind: how, text: `the disk is ${how}` });
      const reopened = this.#random.chance(0.5);
      if (!reopened && this.#random.chance(0.5)) file.commit(changes);
      return err({ kind: 'io', text: 'an error of the disk', reopened });
    }
    if (this.forgottenCommits > 0) {
      this.#past.push(this.file.copy());
      if (this.#past.length > this.forgottenCommits) this.#past.shift();
    }
    const written = file.commit(changes);
    if (written.ok) watch.after(changes);
    return written;
  }
}
