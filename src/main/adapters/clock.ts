import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../engine/ports.ts';

/** Node fires a longer timer at once; about 24.8 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own clocks. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
      signal.addEventListener('abort', wake, { once: true });
    }),
  turn: () => turn(),
};
