import { after, type Call, type MailModel, QUEUED } from './history.ts';

/** A history longer than this is not looked through. */
const CALLS_MAX = 400;
const STEPS_MAX = 2_000_000;

/**
 * Whether one order of the calls explains every answer: each call takes effect at one moment between its start and its
 * end, one without an answer at any moment after its start or never. Answers null, or what cannot be explained.
 * Source: Wing and Gong, Testing and verifying concurrent objects, 1993; with the states seen remembered.
 */
export function unexplained(calls: readonly Call[]): string | null {
  if (calls.length > CALLS_MAX) throw new Error(`a history of ${calls.length} calls is too long`);
  const sorted = [...calls].sort((a, b) => a.startMs - b.startMs);
  const seen = new Set<string>();
  let steps = 0;
  let furthest = 0;

  const explain = (done: readonly boolean[], doneCount: number, mail: MailModel): boolean => {
    furthest = Math.max(furthest, doneCount);
    // What has no answer may never have happened.
    const left = sorted.filter((_, index) => done[index] !== true);
    if (left.every(({ answer }) => answer === null)) return true;
    const state = `${done.map(Number).join('')} ${JSON.stringify(mail)}`;
    if (seen.has(state)) return false;
    seen.add(state);
    steps += 1;
    if (steps > STEPS_MAX) throw new Error('the search for an order became too long');
    // A call that ended before another began comes before it.
    const firstEndMs = Math.min(...left.map(({ endMs }) => endMs));
    for (const [index, call] of sorted.entries()) {
      if (done[index] === true || call.startMs > firstEndMs) continue;
      const next = after(mail, call.act, call.answer);
      if (next !== null && explain(done.with(index, true), doneCount + 1, next)) return true;
    }
    return false;
  };
  if (
    explain(
      sorted.map(() => false),
      0,
      QUEUED,
    )
  )
    return null;
  const lines = sorted.map(({ startMs, endMs, act, answer }) => {
    const ms = (value: number) => (Number.isFinite(value) ? value.toFixed(1) : 'never');
    return `${ms(startMs)} to ${ms(endMs)}: ${JSON.stringify(act)} ${JSON.stringify(answer)}`;
  });
  return `no order explains more than ${furthest} of:\n${lines.join('\n')}`;
}
