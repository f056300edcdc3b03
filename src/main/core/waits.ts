/** Longer than any wait the agent sets for itself: an account is backed off for a day at most, a mail put off for less. */
const WAIT_MAX_MS = 25 * 3_600_000;

/** An instant beyond this was written by a clock that ran ahead, and has been set right since. Epoch milliseconds. */
export const farthestWaitMs = (nowMs: number): number => nowMs + WAIT_MAX_MS;

/** Whether a wait that ends at `atMs` is over. One that a wrong clock set into the far future is: nobody meant it. */
export const isOver = (atMs: number, nowMs: number): boolean => atMs <= nowMs || atMs > farthestWaitMs(nowMs);
