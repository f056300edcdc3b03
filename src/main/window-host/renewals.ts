/** A page that ends again and again is not made anew for ever: a click makes the next. */
const RENEWALS_MAX = 3;
const WITHIN_MS = 10 * 60_000;

/** Answers whether the window may come back by itself after its page hung or crashed. `nowMs` never goes back. */
export function createRenewals(nowMs: () => number): () => boolean {
  let latest: readonly number[] = [];
  return () => {
    const now = nowMs();
    latest = latest.filter((atMs) => now - atMs < WITHIN_MS);
    if (latest.length >= RENEWALS_MAX) return false;
    latest = [...latest, now];
    return true;
  };
}
