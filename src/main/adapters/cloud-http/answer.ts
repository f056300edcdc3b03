import type { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import { PROBLEMS, Problem, type ProblemCode, problemCode } from '../../../shared/wire/problem.ts';
import type { CloudFailure } from '../../engine/ports.ts';
import type { HttpAnswer } from './exchange.ts';
import { readable, withoutSecret } from './failure-text.ts';
import { retryAfterMs } from './retry-after.ts';
import { parseStrictJson } from './strict-json.ts';

const JSON_TYPE = /^application\/([a-z0-9.+-]+\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type Reading<T> = {
  readonly schema: z.ZodType<T>;
  /** Applied before the schema, to what came as strict JSON. */
  readonly before?: ((value: unknown) => unknown) | undefined;
  /** The secret this call carried; it is cut out of every text of a failure. */
  readonly secret: string | null;
  readonly nowMs: number;
};

/**
 * What an answer says by the contract. A success is a 2yz whose body fits the schema; anything else is a failure and
 * nothing of the body is used beside the problem's fields:
 *
 * - A problem document of a known type whose status agrees: `problem`, as told.
 * - 401 and 403: `unauthorized`. 413: `too-large`. 429: `rate-limited`. 503: `unavailable`. Nothing happened.
 * - 502 and 504: `unreachable`. Something between us and the cloud had no answer: the call may have worked.
 * - Other 5yz: `internal`. The cloud broke off: the call may have worked.
 * - Everything else (redirects, 404, captive portals, cut or foreign bodies): `nonsense`. The call may have worked.
 */
export function readAnswer<T>(answer: HttpAnswer, reading: Reading<T>): Result<T, CloudFailure> {
  const { status } = answer;
  const waitMs = retryAfterMs(answer.headers['retry-after'], answer.headers['date'], reading.nowMs);
  const nonsense = (text: string) => err({ kind: 'nonsense', text, retryAfterMs: waitMs } as const);
  if (status >= 300 && status < 400) return nonsense(`status ${status}: the agent follows no redirect`);
  const body = parseBody(answer, status >= 400 ? reading.secret : null);
  if (status >= 400) {
    return err((body.ok ? problemOf(status, body.value, waitMs) : null) ?? failureByStatus(status, waitMs));
  }
  if (!body.ok) return nonsense(`the answer with status ${status} ${body.error}`);
  const parsed = reading.schema.safeParse(reading.before === undefined ? body.value : reading.before(body.value));
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return nonsense(
    readable(`the answer does not fit the contract at "${issue?.path.slice(0, 6).join('.')}": ${issue?.code}`),
  );
}

function parseBody(answer: HttpAnswer, secret: string | null): Result<unknown, string> {
  const type = answer.headers['content-type'];
  if (typeof type !== 'string' || !JSON_TYPE.test(type)) return err('is not JSON by its content type');
  let text: string;
  try {
    text = utf8.decode(answer.body);
  } catch {
    return err('is not UTF-8');
  }
  const value = parseStrictJson(withoutSecret(text, secret));
  return value.ok ? value : err(`is refused: ${value.error}`);
}

function problemOf(status: number, body: unknown, waitMs: number | null): CloudFailure | null {
  const parsed = Problem.safeParse(body);
  const code = parsed.success ? problemCode(parsed.data.type) : null;
  if (!parsed.success || code === null || PROBLEMS[code].status !== status) return null;
  const detail = readable(parsed.data.detail ?? '');
  return problem(code, detail === '' ? PROBLEMS[code].title : detail, parsed.data.stored ?? null, waitMs);
}

function failureByStatus(status: number, waitMs: number | null): CloudFailure {
  const plain = (code: ProblemCode) => problem(code, `${PROBLEMS[code].title} (status ${status})`, null, waitMs);
  if (status === 401 || status === 403) return plain('unauthorized');
  if (status === 413) return plain('too-large');
  if (status === 429) return plain('rate-limited');
  if (status === 502 || status === 504) return { kind: 'unreachable', text: `status ${status} from a gateway` };
  if (status === 503) return plain('unavailable');
  if (status >= 500) return plain('internal');
  return { kind: 'nonsense', text: `status ${status} without a problem the contract knows`, retryAfterMs: waitMs };
}

const problem = (code: ProblemCode, detail: string, stored: unknown, waitMs: number | null): CloudFailure => ({
  kind: 'problem',
  code,
  detail,
  stored,
  retryAfterMs: waitMs,
});
