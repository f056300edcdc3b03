import type { PendingAnswer } from '../../shared/ipc/views.ts';
import type { Clock } from '../engine/ports.ts';

/** How long an answer can be taken back. */
export const UNDO_MS = 10_000;
/** A person answers one mail after another; more at once is a fault of the page. */
const PENDING_MAX = 1_000;

export type PendingAnswers = {
  /** False where too many wait. A second answer to the same mail replaces the first and starts its time anew. */
  add(mailId: string, as: PendingAnswer['as']): boolean;
  /** False where nothing waited: it was given already, or never asked. */
  undo(mailId: string): boolean;
  of(mailId: string): PendingAnswer | null;
  /** Gives all of them now: the app ends, and a person's word must not be lost. */
  giveAll(): void;
};

/** Holds a person's answers back until they can no longer be undone, then gives each one exactly once. */
export function createPendingAnswers(
  clock: Pick<Clock, 'nowMs' | 'sleep'>,
  give: (mailId: string, as: PendingAnswer['as']) => void,
): PendingAnswers {
  const pending = new Map<string, { readonly answer: PendingAnswer; readonly taken: AbortController }>();

  const take = (mailId: string): PendingAnswer | null => {
    const found = pending.get(mailId);
    if (found === undefined) return null;
    pending.delete(mailId);
    found.taken.abort();
    return found.answer;
  };
  const wait = async (mailId: string, taken: AbortController): Promise<void> => {
    await clock.sleep(UNDO_MS, taken.signal);
    if (taken.signal.aborted) return;
    const answer = take(mailId);
    if (answer !== null) give(mailId, answer.as);
  };

  return {
    add(mailId, as) {
      take(mailId);
      if (pending.size >= PENDING_MAX) return false;
      const taken = new AbortController();
      pending.set(mailId, { answer: { as, undoUntilMs: clock.nowMs() + UNDO_MS }, taken });
      void wait(mailId, taken);
      return true;
    },
    undo: (mailId) => take(mailId) !== null,
    of: (mailId) => pending.get(mailId)?.answer ?? null,
    giveAll() {
      for (const mailId of [...pending.keys()]) {
        const answer = take(mailId);
        if (answer !== null) give(mailId, answer.as);
      }
    },
  };
}
