import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Result } from '../../src/shared/result.ts';
import type { Route } from '../../src/shared/wire/routes.ts';
import type { Failure } from '../failure.ts';
import { sendProblem } from './problem-reply.ts';

/** Any table of routes, such as AGENT_ROUTES. */
export type RouteTable = Readonly<Record<string, Route>>;

type Parsed<R extends Route, K extends 'params' | 'query' | 'request'> =
  NonNullable<R[K]> extends z.ZodType ? z.output<NonNullable<R[K]>> : undefined;

/** Payloads go out as they were stored, not as a schema would read them. */
type WithStoredPayload<T> = T extends { payload: unknown } ? Omit<T, 'payload'> & { payload: unknown } : T;
type ReplyOf<T> = T extends { items: (infer Item)[] }
  ? Omit<T, 'items'> & { items: readonly WithStoredPayload<Item>[] }
  : T;

/** What a handler gets: everything parsed, and a signal that fires when the client or the server goes away. */
export type Call<R extends Route, Caller> = {
  readonly caller: Caller;
  readonly params: Parsed<R, 'params'>;
  readonly query: Parsed<R, 'query'>;
  readonly request: Parsed<R, 'request'>;
  readonly signal: AbortSignal;
};

export type Handlers<T extends RouteTable, Callers extends Record<Route['auth'], unknown>> = {
  readonly [Name in keyof T]: (
    call: Call<T[Name], Callers[T[Name]['auth']]>,
  ) => Promise<Result<ReplyOf<z.output<T[Name]['reply']>>, Failure>>;
};

export type Authenticate<Callers> = {
  readonly [Kind in keyof Callers]: (request: FastifyRequest) => Promise<Callers[Kind] | null>;
};

export type BindOptions = {
  readonly stopping: AbortSignal;
  /** Bytes of a request's body, by route name. */
  readonly bodyLimit: (name: string) => number;
  /** Calls of one address in a minute, null for any number. */
  readonly perMinute: (name: string) => number | null;
};

/**
 * Registers one handler for each route of a table. Parses params, query and body with the route's own schemas and
 * answers `invalid-request` with the fields that do not fit; a handler sees only what fits.
 */
export function bindRoutes<T extends RouteTable, Callers extends Record<Route['auth'], unknown>>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T, Callers>,
  authenticate: Authenticate<Callers>,
  options: BindOptions,
): void {
  for (const name of Object.keys(table) as (keyof T & string)[]) {
    const route: T[keyof T & string] = table[name];
    const handle = handlers[name];
    const perMinute = options.perMinute(name);
    const callers = new WeakMap<FastifyRequest, Callers[T[typeof name]['auth']]>();
    app.route({
      method: route.method,
      url: route.path,
      bodyLimit: options.bodyLimit(name),
      config: perMinute === null ? {} : { rateLimit: { max: perMinute, timeWindow: 60_000 } },
      // Before the body is read: a stranger cannot make us take a large one.
      onRequest: async (request, reply) => {
        const caller = await authenticate[route.auth](request);
        if (caller === null) return sendProblem(reply, { code: 'unauthorized' });
        callers.set(request, caller);
        return undefined;
      },
      handler: async (request, reply) => {
        const params = parse('params', route.params, request.params);
        const query = parse('query', route.query, request.query);
        const body = parse('', route.request, request.body);
        const errors = [...params.errors, ...query.errors, ...body.errors];
        if (errors.length > 0) return sendProblem(reply, { code: 'invalid-request', errors });
        const call = {
          caller: callers.get(request),
          params: params.value,
          query: query.value,
          request: body.value,
          signal: AbortSignal.any([options.stopping, goneSignal(reply)]),
        };
        // The table's schemas made these values, which the compiler cannot follow through a loop over its names.
        const done = await handle(call as Call<T[typeof name], Callers[T[typeof name]['auth']]>);
        return done.ok ? reply.send(done.value) : sendProblem(reply, done.error);
      },
    });
  }
}

type FieldErrors = readonly { readonly path: string; readonly message: string }[];

const ERRORS_MAX = 50;

function parse(
  place: string,
  schema: z.ZodType | undefined,
  input: unknown,
): { readonly value: unknown; readonly errors: FieldErrors } {
  if (schema === undefined) return { value: undefined, errors: [] };
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return { value: parsed.data, errors: [] };
  const errors = parsed.error.issues.slice(0, ERRORS_MAX).map((issue) => ({
    path: [...(place === '' ? [] : [place]), ...issue.path.map(String)].join('.'),
    message: issue.message,
  }));
  return { value: undefined, errors };
}

/** Fires when the connection closes before the reply was written. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
