import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { newToken, tokenHash } from '../../cloud/agent/token.ts';
import { startEmbeddedPostgres } from '../../cloud/embedded-postgres.ts';
import { type OperatorClient, operatorClient } from '../../cloud/operator/client.ts';
import { type MailServers, startMailServers } from '../support/mail-servers.ts';
import { stopProcess } from './child.ts';

/** The cloud as in production: PostgreSQL and the cloud's own process, with the settings they ship with. */
export type World = {
  readonly cloudUrl: string;
  readonly databaseUrl: string;
  readonly operator: OperatorClient;
  /** Temporary, removed with the world. */
  readonly folder: string;
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  addAgent(userId: string): Promise<AgentOfWorld>;
  addUser(name: string): Promise<string>;
  /** Postfix on loopback, with TLS, that keeps what it takes and delivers it nowhere; started when first asked for. */
  mailServers(): Promise<MailServers>;
  close(): Promise<void>;
};

export type AgentOfWorld = { readonly agentId: string; readonly userId: string; readonly token: string };

const CLOUD = fileURLToPath(new URL('../../cloud/main.ts', import.meta.url));
const START_LIMIT_MS = 60_000;

export async function startWorld(): Promise<World> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-bench-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres') });
    undo.push(async () => {
      await postgres.stop();
      await rm(postgres.dataDir, { recursive: true, force: true });
    });
    const { databaseUrl } = postgres;
    const operatorToken = randomBytes(32).toString('base64url');
    const cloud = await startCloudProcess(databaseUrl, operatorToken);
    undo.push(cloud.stop);
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    // A connection that breaks while nobody uses it: the next statement tells.
    pool.on('error', () => undefined);
    undo.push(() => pool.end());
    const operator = operatorClient(cloud.url, operatorToken);
    let servers: Promise<MailServers> | null = null;
    undo.push(async () => (await servers)?.stop());
    return {
      cloudUrl: cloud.url,
      databaseUrl,
      operator,
      folder,
      sql: async (text, values = []) => (await pool.query(text, [...values])).rows,
      addUser: async (name) => (await operator.must('createUser', { request: { name } })).id,
      mailServers() {
        servers ??= startMailServers({ elsewhere: 'discard' });
        return servers;
      },
      async addAgent(userId) {
        // Not by pairing, whose calls are limited to an office's need.
        const token = newToken();
        const { rows } = await pool.query<{ id: string }>(
          `INSERT INTO agents (user_id, name, platform, version, token_hash) VALUES ($1, 'bench', 'linux', '0.0.0', $2)
           RETURNING id`,
          [userId, tokenHash(token)],
        );
        return { agentId: rows[0]?.id ?? '', userId, token };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startCloudProcess(databaseUrl: string, operatorToken: string) {
  // In a group of its own: Ctrl-C ends the benchmark first, and the benchmark ends the cloud.
  const child = spawn(process.execPath, [CLOUD, '--port', '0'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, OPERATOR_TOKEN: operatorToken },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const stop = () => stopProcess(child, () => child.kill('SIGTERM'));
  try {
    const lines = createInterface({ input: child.stdout });
    const signal = AbortSignal.timeout(START_LIMIT_MS);
    child.once('exit', () => lines.close());
    // The first line tells the address.
    const [line] = await Promise.race([once(lines, 'line', { signal }), once(lines, 'close', { signal })]);
    const url = /https?:\/\/\S+/.exec(String(line))?.[0];
    if (url === undefined) throw new Error(`the cloud did not start: ${String(line)}`);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
