import { describe, expect, it } from 'vitest';
import { countQuestions } from '../../src/renderer/questions.ts';
import { back, goTo, open } from '../../src/renderer/route.ts';
import { example } from '../support/window/example-scenes.ts';

describe('the count of questions', () => {
  const { questions } = example('sending', 'en', 0);

  it('leaves out refused mails, which ask nothing', () => {
    expect(questions.some(({ kind }) => kind === 'failed')).toBe(true);
    expect(countQuestions(questions)).toBe(2);
  });

  it('leaves out what was answered and can still be undone', () => {
    const answered = questions.map((question) =>
      question.kind === 'uncertain' ? { ...question, answer: { as: 'sent' as const, undoUntilMs: 1 } } : question,
    );

    expect(countQuestions(answered)).toBe(1);
  });
});

describe('the way back', () => {
  it('leads from a detail to its place, however many were opened', () => {
    const first = open(goTo('needs-you'), { kind: 'mail', id: 'a' }, 'line-a');

    const second = open(first, { kind: 'account' }, 'elsewhere');

    expect(second.detail?.returnTo).toBe('line-a');
    expect(back(second)).toEqual(goTo('needs-you'));
  });
});
