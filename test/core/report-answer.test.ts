import { describe, expect, it } from 'vitest';
import { type ReportMeaning, reportMeaning } from '../../src/main/core/report-answer.ts';
import type { ProblemCode } from '../../src/shared/wire/problem.ts';

const MEANINGS: Record<ProblemCode, ReportMeaning> = {
  'rate-limited': 'tell-again',
  internal: 'tell-again',
  unavailable: 'tell-again',
  unauthorized: 'token-refused',
  'invalid-request': 'conflict',
  'pairing-code-invalid': 'conflict',
  'not-found': 'conflict',
  'already-begun': 'conflict',
  cancelled: 'conflict',
  expired: 'conflict',
  'already-final': 'conflict',
  'not-holder': 'conflict',
  'payload-changed': 'conflict',
  'nonce-retired': 'conflict',
  'wrong-nonce': 'conflict',
  'conflicting-result': 'conflict',
  'illegal-move': 'conflict',
  'not-sending': 'conflict',
  'too-large': 'conflict',
};

describe('the word of the cloud on a report', () => {
  it.each(Object.entries(MEANINGS) as [ProblemCode, ReportMeaning][])('%s means %s', (code, meaning) => {
    expect(reportMeaning(code)).toBe(meaning);
  });
});
