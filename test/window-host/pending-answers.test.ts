import { describe, expect, it } from 'vitest';
import { createPendingAnswers, UNDO_MS } from '../../src/main/window-host/pending-answers.ts';

/** A clock that stands until it is moved. */
function handClock() {
  let nowMs = 1_000;
  let sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  return {
    nowMs: () => nowMs,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
        sleepers.push({ atMs: nowMs + ms, wake: resolve });
      }),
    async pass(ms: number) {
      nowMs += ms;
      for (const { wake } of sleepers.filter(({ atMs }) => atMs <= nowMs)) wake();
      sleepers = sleepers.filter(({ atMs }) => atMs > nowMs);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function world() {
  const given: string[] = [];
  const clock = handClock();
  const answers = createPendingAnswers(clock, (mailId, as) => given.push(`${mailId} ${as}`));
  return { given, clock, answers };
}

describe('an answer of a person', () => {
  it('is given once its time to be undone has passed, and once only', async () => {
    const { given, clock, answers } = world();

    answers.add('7', 'sent');
    expect(answers.of('7')).toEqual({ as: 'sent', undoUntilMs: 1_000 + UNDO_MS });
    await clock.pass(UNDO_MS - 1);
    expect(given).toEqual([]);
    await clock.pass(1);
    await clock.pass(UNDO_MS);

    expect(given).toEqual(['7 sent']);
    expect(answers.of('7')).toBeNull();
  });

  it('that is undone is never given', async () => {
    const { given, clock, answers } = world();

    answers.add('7', 'sent');
    expect(answers.undo('7')).toBe(true);
    await clock.pass(UNDO_MS);

    expect(given).toEqual([]);
    expect(answers.undo('7')).toBe(false);
  });

  it('that is changed starts its time anew, and the latest one stands', async () => {
    const { given, clock, answers } = world();

    answers.add('7', 'sent');
    await clock.pass(UNDO_MS - 1);
    answers.add('7', 'not-sent');
    await clock.pass(1);
    expect(given).toEqual([]);
    await clock.pass(UNDO_MS);

    expect(given).toEqual(['7 not-sent']);
  });

  it('is given at once when the app ends', async () => {
    const { given, clock, answers } = world();
    answers.add('7', 'sent');
    answers.add('8', 'not-sent');

    answers.giveAll();
    await clock.pass(UNDO_MS);

    expect(given).toEqual(['7 sent', '8 not-sent']);
  });
});
