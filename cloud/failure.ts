import { err } from '../src/shared/result.ts';
import type { StoredResult } from '../src/shared/wire/messages.ts';
import type { ProblemCode } from '../src/shared/wire/problem.ts';

/** Why a call did not do what it was asked; becomes a problem document. */
export type Failure = {
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly stored?: StoredResult;
};

export const fail = (code: ProblemCode, detail?: string) =>
  err<Failure>(detail === undefined ? { code } : { code, detail });
