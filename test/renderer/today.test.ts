import { describe, expect, it } from 'vitest';
import { nextLine } from '../../src/renderer/views/today/next-line.ts';
import { taskSum } from '../../src/shared/task-sum.ts';
import { windowTexts } from '../../src/shared/texts/window-texts/window-texts.ts';
import { example } from '../support/window/example-scenes.ts';

const NOW = new Date(2026, 10, 20, 14, 0).getTime();
const { status } = example('waiting', 'en', NOW);
const texts = windowTexts('en');

describe('when the next mail goes', () => {
  it('says the time and why not sooner', () => {
    const line = nextLine({ ...status, waiting: { why: 'per-hour', untilMs: NOW + 32 * 60_000 } }, texts, NOW);

    expect(line).toBe('Next mail at 14:32, to stay under your provider’s limit per hour');
  });

  it('names no time that has passed', () => {
    const line = nextLine({ ...status, waiting: { why: 'gap', untilMs: NOW - 1 } }, texts, NOW);

    expect(line).toBe('A short pause between two mails.');
  });

  it('says nothing while a mail is under way or a hold says it all', () => {
    const held = example('account', 'en', NOW).status;

    expect(nextLine({ ...status, waiting: null }, texts, NOW)).toBeNull();
    expect(nextLine(held, texts, NOW)).toBeNull();
  });
});

describe('how far it is', () => {
  it('adds up the batches that are shown', () => {
    expect(taskSum(status.tasks)).toEqual({ sent: 12, total: 40, failed: 2, uncertain: 1 });
  });

  it('is nothing where there is no batch', () => {
    expect(taskSum([])).toEqual({ sent: 0, total: 0, failed: 0, uncertain: 0 });
  });
});
