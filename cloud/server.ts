import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance } from 'fastify';
import type { SignInIds } from '../src/shared/wire/messages.ts';
import { AGENT_ROUTES } from '../src/shared/wire/routes.ts';
import { agentHandlers } from './agent/handlers.ts';
import { tokenCheck } from './agent/token.ts';
import { NoColumns } from './database/columns.ts';
import { type Database, openDatabase } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { bearerToken, isSameSecret } from './http/bearer.ts';
import { type Authenticate, bindRoutes } from './http/bind.ts';
import type { Callers } from './http/callers.ts';
import { answerProblems, sendProblem } from './http/problem-reply.ts';
import { FILE_ROUTE, readFile } from './operator/files.ts';
import { operatorHandlers } from './operator/handlers.ts';
import { OPERATOR_ROUTES } from './operator/routes.ts';
import { startWakeups, type Wakeups } from './queue/wakeup.ts';

const AGENT_BODY_BYTES = 64 * 1024;
const OPERATOR_BODY_BYTES = 64 * 1024 * 1024;
const PAIRINGS_PER_MINUTE = 10;
/** Longer than the longest wait of a claim, and than any proxy's usual patience with an idle connection. */
const KEEP_ALIVE_MS = 75_000;
/** At the end, calls under way get this long; a connection on which nothing was ever asked would hold it up longer. */
const CLOSE_GRACE_MS = 2_000;
/** For receiving one whole request; an upload of the largest file takes its time. */
const REQUEST_LIMIT_MS = 120_000;

export type CloudOptions = {
  readonly databaseUrl: string;
  readonly operatorToken: string;
  readonly host?: string;
  /** 0 lets the system choose. */
  readonly port?: number;
  /** Where agents reach this cloud, without a path; the address it listens on by default. */
  readonly publicUrl?: string;
  /** Whether a proxy in front names the client's address (X-Forwarded-For). */
  readonly clientAddress?: 'connection' | 'proxy';
  /** What agents are told about the sign-in with the browser. */
  readonly signIn?: SignInIds | undefined;
  /** Pairing calls that one client address may make in a minute, good or bad. */
  readonly pairingsPerMinute?: number;
  readonly log?: CloudLog;
};

/** Ids, routes and error texts; never an address, a body or a token. */
export type CloudLog = (level: 'warn' | 'error', event: string, fields: Readonly<Record<string, unknown>>) => void;

export type RunningCloud = { readonly url: string; close(): Promise<void> };

/** Migrates the database, then serves the agent API, the operator's API and attachments until `close`. */
export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
  const log: CloudLog = options.log ?? (() => undefined);
  await migrate(options.databaseUrl);
  const lost = (where: string) => (error: unknown) => log('warn', 'connection-lost', { where, error: String(error) });
  const database = openDatabase(options.databaseUrl, lost('pool'));
  const wakeups = startWakeups(options.databaseUrl, lost('wake-up'));
  const stopping = new AbortController();
  const app = fastify({
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    trustProxy: options.clientAddress === 'proxy',
  });
  const close = async () => {
    stopping.abort();
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
    await app.close();
    clearTimeout(cut);
    await wakeups.close();
    await database.close();
  };
  try {
    await serve(app, { database, wakeups, stopping: stopping.signal, options, log });
    const url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Parts = {
  readonly database: Database;
  readonly wakeups: Wakeups;
  readonly stopping: AbortSignal;
  readonly options: CloudOptions;
  readonly log: CloudLog;
};

async function serve(app: FastifyInstance, parts: Parts): Promise<void> {
  const { database, wakeups, stopping, options, log } = parts;
  answerProblems(app, (error, request) =>
    log('error', 'call-failed', { method: request.method, route: request.routeOptions.url, error: String(error) }),
  );
  await app.register(rateLimit, { global: false });
  const agentOf = tokenCheck(database, () => performance.now());
  const authenticate: Authenticate<Callers> = {
    none: async () => 'anyone',
    agent: async (request) => {
      const token = bearerToken(request);
      return token === null ? null : agentOf(token);
    },
    operator: async (request) => {
      const token = bearerToken(request);
      return token !== null && isSameSecret(token, options.operatorToken) ? 'operator' : null;
    },
  };
  bindRoutes<typeof AGENT_ROUTES, Callers>(
    app,
    AGENT_ROUTES,
    agentHandlers({ queries: database, wakeups, signIn: options.signIn, monotonicMs: () => performance.now() }),
    authenticate,
    {
      stopping,
      bodyLimit: () => AGENT_BODY_BYTES,
      perMinute: (name) => (name === 'pair' ? (options.pairingsPerMinute ?? PAIRINGS_PER_MINUTE) : null),
    },
  );
  const origin = () => options.publicUrl ?? app.listeningOrigin;
  bindRoutes<typeof OPERATOR_ROUTES, Callers>(app, OPERATOR_ROUTES, operatorHandlers(database, origin), authenticate, {
    stopping,
    bodyLimit: () => OPERATOR_BODY_BYTES,
    perMinute: () => null,
  });
  serveFiles(app, database);
  app.get('/healthz', async (_request, reply) => {
    await database.rows({ name: 'health', text: 'SELECT 1', row: NoColumns }, []);
    return reply.send({ ok: true });
  });
}

/** Always a download, of whatever type: nothing here is shown as a page of this origin. */
function serveFiles(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { id: string } }>(FILE_ROUTE, async (request, reply) => {
    const file = await readFile(database, request.params.id);
    if (!file.ok) return sendProblem(reply, file.error);
    return reply
      .type(file.value.type)
      .header('content-disposition', 'attachment')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=31536000, immutable')
      .send(file.value.content);
  });
}
