import { z } from 'zod';
import { err, ok, type Result } from '../../src/shared/result.ts';
import {
  type Problem,
  type ProblemCode,
  Problem as ProblemSchema,
  problemCode,
} from '../../src/shared/wire/problem.ts';
import type { Route } from '../../src/shared/wire/routes.ts';
import { OPERATOR_ROUTES, type OperatorRouteName } from './routes.ts';

const DEADLINE_MS = 30_000;

type Table = typeof OPERATOR_ROUTES;
type Input<R extends Route, K extends 'params' | 'query' | 'request'> =
  NonNullable<R[K]> extends z.ZodType ? { readonly [P in K]: z.input<NonNullable<R[K]>> } : unknown;
type Inputs<R extends Route> = Input<R, 'params'> & Input<R, 'query'> & Input<R, 'request'>;

/** The cloud's own refusal, or no answer of the contract at all (`code` null). */
export type OperatorFailure = {
  readonly code: ProblemCode | null;
  readonly text: string;
  readonly problem: Problem | null;
};

/** One typed call for each route of the operator's API; `call('cancel', { request: { task_id } })`. */
export type OperatorClient = {
  call<Name extends OperatorRouteName>(
    name: Name,
    input: Inputs<Table[Name]>,
  ): Promise<Result<z.output<Table[Name]['reply']>, OperatorFailure>>;
  /** The same, for scripts that cannot go on without it: throws what the cloud refused. */
  must<Name extends OperatorRouteName>(name: Name, input: Inputs<Table[Name]>): Promise<z.output<Table[Name]['reply']>>;
};

export function operatorClient(cloudUrl: string, operatorToken: string): OperatorClient {
  const call: OperatorClient['call'] = async (name, input) => {
    const route: Table[typeof name] = OPERATOR_ROUTES[name];
    const answered = await exchange(cloudUrl, operatorToken, route, input);
    if (!answered.ok) return answered;
    const reply = route.reply.safeParse(answered.value);
    // The schema of the same route made the value, which the compiler cannot follow through the name.
    return reply.success ? ok(reply.data as z.output<Table[typeof name]['reply']>) : refused(reply.error.message);
  };
  return {
    call,
    async must(name, input) {
      const answer = await call(name, input);
      if (!answer.ok) throw new Error(`${name}: ${answer.error.text}`);
      return answer.value;
    },
  };
}

const refused = (text: string) => err<OperatorFailure>({ code: null, text, problem: null });

async function exchange(
  cloudUrl: string,
  token: string,
  route: Route,
  input: unknown,
): Promise<Result<unknown, OperatorFailure>> {
  const { params, query, request } = Given.parse(input);
  const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params?.[name])));
  const url = new URL(path, cloudUrl);
  for (const [key, value] of Object.entries(query ?? {}))
    if (value !== undefined) url.searchParams.set(key, String(value));
  try {
    const response = await fetch(url, {
      method: route.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(request === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request === undefined ? {} : { body: JSON.stringify(request) }),
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const body: unknown = await response.json();
    return response.ok ? ok(body) : err(failureOf(body, response.status));
  } catch (error) {
    return refused(`no answer from ${cloudUrl}: ${String(error)}`);
  }
}

const Fields = z.record(z.string(), z.unknown()).optional();
const Given = z.object({ params: Fields, query: Fields, request: z.unknown().optional() });

function failureOf(body: unknown, status: number): OperatorFailure {
  const problem = ProblemSchema.safeParse(body);
  if (!problem.success) return { code: null, text: `status ${status} without a problem document`, problem: null };
  const { title, detail, errors = [], type } = problem.data;
  const fields = errors.map(({ path, message }) => `${path} ${message}`);
  return {
    code: problemCode(type),
    text: [title, detail, ...fields].filter(Boolean).join('; '),
    problem: problem.data,
  };
}
