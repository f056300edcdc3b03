import { describe, expect, it } from 'vitest';
import { type BeginMeaning, beginMeaning } from '../../src/main/core/begin-answer.ts';
import { PROBLEMS, type ProblemCode } from '../../src/shared/wire/problem.ts';
import { AGENT_ROUTES, EVERY_CALL_PROBLEMS } from '../../src/shared/wire/routes.ts';

const MEANINGS: Record<ProblemCode, BeginMeaning> = {
  cancelled: 'cancelled',
  'not-holder': 'released',
  'already-final': 'released',
  'not-found': 'released',
  'not-sending': 'released',
  expired: 'expired',
  'payload-changed': 'payload-changed',
  'already-begun': 'begun-elsewhere',
  unauthorized: 'token-refused',
  'rate-limited': 'ask-again',
  internal: 'ask-again',
  unavailable: 'ask-again',
  'nonce-retired': 'unknown',
  'invalid-request': 'unknown',
  'too-large': 'unknown',
  'pairing-code-invalid': 'unknown',
  'wrong-nonce': 'unknown',
  'conflicting-result': 'unknown',
  'illegal-move': 'unknown',
};

describe('the word of the cloud on begin', () => {
  it.each(Object.entries(MEANINGS) as [ProblemCode, BeginMeaning][])('%s means %s', (code, meaning) => {
    expect(beginMeaning(code)).toBe(meaning);
  });

  it('leaves a mail uncertain for one reason only', () => {
    const codes = Object.keys(PROBLEMS) as ProblemCode[];

    expect(codes.filter((code) => beginMeaning(code) === 'begun-elsewhere')).toEqual(['already-begun']);
  });

  it('is asked for again only after problems that any call may have', () => {
    const ofBegin: readonly ProblemCode[] = AGENT_ROUTES.begin.problems;

    expect(ofBegin.filter((code) => beginMeaning(code) === 'ask-again')).toEqual([]);
    expect(EVERY_CALL_PROBLEMS.filter((code) => beginMeaning(code) === 'ask-again')).toEqual([
      'rate-limited',
      'internal',
      'unavailable',
    ]);
  });
});
