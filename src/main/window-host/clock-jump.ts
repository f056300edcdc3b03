/** Two clocks at one moment: the one people set, and the one that never goes back. Milliseconds. */
export type Clocks = { readonly wallMs: number; readonly monotonicMs: number };

/** A computer corrects its clock by less than this all the time. */
const JUMP_MS = 30_000;

/**
 * By how much the wall clock was set on (or back, negative) between two looks; null where it went as time did. A sleep
 * that the other clock does not count looks the same, and asks for the same: plan anew.
 */
export function clockJumpMs(before: Clocks, now: Clocks): number | null {
  const jumpMs = now.wallMs - before.wallMs - (now.monotonicMs - before.monotonicMs);
  return Math.abs(jumpMs) >= JUMP_MS ? Math.round(jumpMs) : null;
}
