import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { err, type Result } from '../../../shared/result.ts';
import { AGENT_ROUTES, type AgentRouteName } from '../../../shared/wire/routes.ts';
import type { CloudFailure } from '../../engine/ports.ts';
import { readAnswer } from './answer.ts';
import { ACCEPT_ENCODING } from './body.ts';
import { type Bounds, exchange } from './exchange.ts';

/** Without any byte for this long, a connection is given up. */
const IDLE_MS = 15_000;
const TOTAL_MS = 30_000;
export const BODY_BYTES_MAX = 5 * 1024 * 1024;

/** How long a call may take; `waitSeconds` of a long poll come on top. */
export type Deadlines = { readonly totalMs: number; readonly idleMs: number };
export const DEADLINES: Deadlines = { totalMs: TOTAL_MS, idleMs: IDLE_MS };

export type Call<T> = {
  readonly route: AgentRouteName;
  readonly mailId?: string;
  /** JSON text, sent byte for byte. */
  readonly body: string;
  readonly schema: z.ZodType<T>;
  readonly before?: (value: unknown) => unknown;
  readonly waitSeconds?: number;
};

export type CallSettings = {
  readonly version: string;
  readonly deadlines: Deadlines;
  readonly bodyBytes: number;
  readonly nowMs: () => number;
};

/** One call of the contract over `dispatcher`. `secret` goes into the header of an `agent` route. Never rejects. */
export async function call<T>(
  dispatcher: Dispatcher,
  settings: CallSettings,
  secret: string,
  wanted: Call<T>,
  signal: AbortSignal,
): Promise<Result<T, CloudFailure>> {
  const route = AGENT_ROUTES[wanted.route];
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    'accept-encoding': ACCEPT_ENCODING,
    'content-type': 'application/json',
    'user-agent': `mail-agent/${settings.version.replace(/[^0-9A-Za-z.+-]/g, '')}`,
  };
  if (route.auth === 'agent') headers['authorization'] = `Bearer ${secret}`;
  const waitMs = (wanted.waitSeconds ?? 0) * 1000;
  const bounds: Bounds = {
    totalMs: settings.deadlines.totalMs + waitMs,
    idleMs: settings.deadlines.idleMs + waitMs,
    bodyBytes: settings.bodyBytes,
  };
  const path = route.path.replace(':id', encodeURIComponent(wanted.mailId ?? ''));
  const answer = await exchange(dispatcher, { method: route.method, path, headers, body: wanted.body }, bounds, signal);
  if (!answer.ok) return err(answer.error);
  return readAnswer(answer.value, {
    schema: wanted.schema,
    before: wanted.before,
    secret,
    nowMs: settings.nowMs(),
  });
}
