import { describe, expect, it } from 'vitest';
import { unexplained } from './check-history.ts';
import type { Act, Answer, Call } from './history.ts';

let atMs = 0;
/** Calls one after another. */
const call = (act: Act, answer: Answer | null): Call => {
  atMs += 10;
  return { startMs: atMs, endMs: answer === null ? Number.POSITIVE_INFINITY : atMs + 5, act, answer };
};
const claim = (agent: string) => call({ kind: 'claim', agent, claimId: `c-${agent}` }, { done: 'held' });
const begin = (nonce: string, answer: Answer | null = { done: 'granted' }) =>
  call({ kind: 'begin', agent: 'a', nonce }, answer);
const cancel = (answer: string) => call({ kind: 'cancel' }, { done: answer });

describe('The history checker', () => {
  it('explains what the contract allows', () => {
    expect(unexplained([claim('a'), begin('n'), begin('n'), cancel('too-late')])).toBeNull();
    expect(unexplained([claim('a'), begin('n', null), begin('m', { refused: 'already-begun' })])).toBeNull();
    expect(unexplained([claim('a'), begin('n', null), begin('m')])).toBeNull();
  });

  it('takes calls that overlap in either order', () => {
    const [taken, stopped, begun] = [claim('a'), cancel('stopped'), begin('n', { refused: 'cancelled' })];
    expect(unexplained([taken, begun, { ...stopped, endMs: begun.endMs + 5 }])).toBeNull();
  });

  it.each([
    ['a mail that two agents were given', () => [claim('a'), claim('b')]],
    ['a begin after a stop that was acknowledged', () => [claim('a'), cancel('stopped'), begin('n')]],
    ['two begins at once', () => [claim('a'), begin('n'), begin('m')]],
    [
      'a begin with a nonce that was retired',
      () => [claim('a'), call({ kind: 'not-sent', nonce: 'n' }, { done: 'false' }), begin('n')],
    ],
    ['a stop of a mail that has begun', () => [claim('a'), begin('n'), cancel('stopped')]],
  ])('finds no order for %s', (_what, history) => {
    expect(unexplained(history())).toMatch(/no order explains/);
  });
});
