import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { type OperatorClient, operatorClient } from '../../cloud/operator/client.ts';
import { startCloud } from '../../cloud/server.ts';
import type { SignInIds } from '../../src/shared/wire/messages.ts';
import type { Payload } from '../../src/shared/wire/payload.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { problemCode } from '../../src/shared/wire/problem.ts';
import { AGENT_ROUTES, type AgentRouteName } from '../../src/shared/wire/routes.ts';
import { startTestPostgres, type TestPostgres } from './postgres.ts';

export type TestCloud = {
  readonly url: string;
  readonly databaseUrl: string;
  readonly operatorToken: string;
  readonly operator: OperatorClient;
  /** Runs hand-written SQL on a connection of its own. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** A confirmed task with these mails; answers their ids in order. */
  queueMails(userId: string, payloads: readonly Payload[]): Promise<string[]>;
  /** A queued mail as the database lets it in and no operator could: any payload, and any hash. */
  queueRaw(userId: string, mail: { readonly payload: unknown; readonly hash?: string }): Promise<string>;
  /** Many queued mails at once, without history, for measurements; the planner is told. Answers nothing. */
  fillQueue(userId: string, count: number, payload?: Payload): Promise<void>;
  pairedAgent(userId: string, name?: string): Promise<TestAgent>;
  close(): Promise<void>;
};

/** Any answer of the cloud, as it came. */
export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: Record<string, unknown>;
  /** The code of a problem document, null for anything else. */
  readonly problem: string | null;
  readonly retryAfter: string | null;
};

export type TestAgent = {
  readonly agentId: string;
  readonly userId: string;
  readonly token: string;
  call(name: AgentRouteName, request: unknown, params?: { readonly id: string }, signal?: AbortSignal): Promise<Answer>;
};

/** The reference cloud on a database of its own; starts a PostgreSQL too unless one is given. */
export async function startTestCloud(
  options: {
    readonly postgres?: TestPostgres;
    readonly port?: number;
    readonly pairingsPerMinute?: number;
    readonly signIn?: SignInIds;
  } = {},
): Promise<TestCloud> {
  const postgres = options.postgres ?? (await startTestPostgres());
  const databaseUrl = await postgres.createDatabase();
  const operatorToken = randomBytes(32).toString('base64url');
  const faults: string[] = [];
  const cloud = await startCloud({
    databaseUrl,
    operatorToken,
    port: options.port ?? 0,
    // A test pairs more agents than an office does.
    pairingsPerMinute: options.pairingsPerMinute ?? 100_000,
    signIn: options.signIn,
    log: (level, event, fields) => faults.push(JSON.stringify({ level, event, ...fields })),
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', (error) => faults.push(String(error)));
  const operator = operatorClient(cloud.url, operatorToken);
  const sql: TestCloud['sql'] = async (text, values = []) => (await pool.query(text, [...values])).rows;
  return {
    url: cloud.url,
    databaseUrl,
    operatorToken,
    operator,
    sql,
    async queueMails(user_id, payloads) {
      const recipients = payloads.map((payload) => ({ payload }));
      const task = await operator.must('createTask', { request: { user_id, name: 'A task', recipients } });
      await operator.must('confirmTask', { params: { id: task.task_id } });
      return task.recipient_ids;
    },
    async queueRaw(userId, mail) {
      const hash = mail.hash ?? payloadHash(mail.payload);
      const text = JSON.stringify(mail.payload);
      const [row] = await sql(
        `WITH task AS (INSERT INTO tasks (user_id, name, status, confirmed_at) VALUES ($1, 'Raw', 'sending', now()) RETURNING id),
              added AS (INSERT INTO recipients (task_id, user_id, status, to_address, subject, payload_hash, payload_bytes)
                        SELECT id, $1, 'queued', 'raw', 'raw', $2, octet_length($3::text) FROM task RETURNING id)
         INSERT INTO payloads SELECT id, $3 FROM added RETURNING recipient_id`,
        [userId, hash, text],
      );
      return String(row?.['recipient_id']);
    },
    async fillQueue(userId, count, payload = samplePayload(0)) {
      const client = await pool.connect();
      try {
        // Without triggers: a million history rows would measure the history.
        await client.query("SET session_replication_role = 'replica'");
        await client.query(
          `WITH task AS (INSERT INTO tasks (user_id, name, status, confirmed_at) VALUES ($1, 'Many', 'sending', now()) RETURNING id),
                added AS (INSERT INTO recipients (task_id, user_id, status, to_address, subject, payload_hash, payload_bytes)
                          SELECT task.id, $1, 'queued', $3, $4, $5, octet_length($6::text) FROM task, generate_series(1, $2::integer)
                          RETURNING id)
           INSERT INTO payloads SELECT id, $6 FROM added`,
          [userId, count, payload.to.address, payload.subject, payloadHash(payload), JSON.stringify(payload)],
        );
        await client.query("SET session_replication_role = 'origin'");
        await client.query('ANALYZE recipients, payloads, tasks');
      } finally {
        client.release();
      }
    },
    async pairedAgent(userId, name = 'PC') {
      const code = await operator.must('createPairingCode', { params: { id: userId } });
      const request = { pairing_code: code.pairing_code, agent_name: name, platform: 'linux', version: '0.1.0' };
      const paired = AGENT_ROUTES.pair.reply.parse((await callAgent(cloud.url, null, 'pair', request)).body);
      return {
        agentId: paired.agent_id,
        userId,
        token: paired.token,
        call: (route, body, params, signal) => callAgent(cloud.url, paired.token, route, body, params, signal),
      };
    },
    async close() {
      await pool.end();
      await cloud.close();
      if (options.postgres === undefined) await postgres.stop();
    },
  };
}

/** One call of the agent API with any body, valid or not. */
export async function callAgent(
  cloudUrl: string,
  token: string | null,
  name: AgentRouteName,
  request: unknown,
  params?: { readonly id: string },
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<Answer> {
  const route = AGENT_ROUTES[name];
  const path = route.path.replace(':id', encodeURIComponent(params?.id ?? ''));
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  const body = typeof request === 'string' ? request : JSON.stringify(request);
  const response = await fetch(new URL(path, cloudUrl), { method: route.method, headers, body, signal });
  return readAnswer(response);
}

export async function readAnswer(response: Response): Promise<Answer> {
  const body = JSON.parse(await response.text()) as Record<string, unknown>;
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body,
    problem: typeof body['type'] === 'string' ? problemCode(body['type']) : null,
    retryAfter: response.headers.get('retry-after'),
  };
}

/** A payload that fits, to somebody of its own. */
export function samplePayload(number: number): Payload {
  return {
    from: { name: '王芳', address: 'wang@example.com' },
    to: { name: `Customer ${number}`, address: `customer${number}@example.net` },
    subject: `报价 Offer ${number}`,
    text: `Dear customer ${number},\nhere is our offer.`,
    html: `<p>Dear customer ${number}, here is our offer.</p>`,
  };
}

export const sampleClaim = (limit = 50, wait = 0) => ({ claim_id: randomUUID(), limit, wait });
export const sampleNonce = () => randomBytes(16).toString('base64url');
