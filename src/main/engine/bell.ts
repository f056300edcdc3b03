import type { Clock } from './ports.ts';

/** Wakes a loop that waits. A ring while nobody waits is remembered, once. */
export type Bell = {
  ring(): void;
  /** Resolves when it rings, after `ms`, or when the signal aborts; says whether it rang. */
  wait(clock: Clock, ms: number, signal: AbortSignal): Promise<'rang' | 'quiet'>;
};

/** Without a reason each abort builds an error with its stack, which costs more than all the rest of a ring. */
const RANG = 'the bell rang';

export function createBell(): Bell {
  let rung = false;
  let waking: AbortController | null = null;
  return {
    ring() {
      rung = true;
      waking?.abort(RANG);
    },
    async wait(clock, ms, signal) {
      if (!rung && !signal.aborted && ms > 0) {
        const woken = new AbortController();
        // Listening by hand: AbortSignal.any costs more than the rest of the wait, and loops wait all the time.
        const onAbort = () => woken.abort(RANG);
        signal.addEventListener('abort', onAbort);
        waking = woken;
        await clock.sleep(ms, woken.signal);
        waking = null;
        signal.removeEventListener('abort', onAbort);
      }
      const word = rung ? 'rang' : 'quiet';
      rung = false;
      return word;
    },
  };
}
