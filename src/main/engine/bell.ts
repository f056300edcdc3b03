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
        waking = new AbortController();
        await clock.sleep(ms, AbortSignal.any([signal, waking.signal]));
        waking = null;
      }
      const word = rung ? 'rang' : 'quiet';
      rung = false;
      return word;
    },
  };
}
