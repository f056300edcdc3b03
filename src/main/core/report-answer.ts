import type { ProblemCode } from '../../shared/wire/problem.ts';

/** What a problem means for a report that was told. */
export type ReportMeaning =
  /** Tell it again later: the cloud could not take it now. */
  | 'tell-again'
  /** The token is refused: nothing is told until somebody pairs again. */
  | 'token-refused'
  /** The cloud's word stands and differs: shown to a person, never overwritten. */
  | 'conflict';

export function reportMeaning(code: ProblemCode): ReportMeaning {
  switch (code) {
    case 'rate-limited':
    case 'internal':
    case 'unavailable':
      return 'tell-again';
    case 'unauthorized':
      return 'token-refused';
    default:
      return 'conflict';
  }
}
