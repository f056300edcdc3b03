import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../cloud/embedded-postgres.ts';

export type TestPostgres = {
  /** An empty database of its own; answers its url. */
  createDatabase(): Promise<string>;
  /** Ends it and starts it again on the same port; `crash` lets it end without a word to anybody. */
  restart(how: 'in-order' | 'crash'): Promise<void>;
  stop(): Promise<void>;
};

/** A real server in a temporary folder. Nothing of a test outlives the machine, so it does not wait for the disk. */
export async function startTestPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-postgres-'));
  const start = (port: number | null) =>
    startEmbeddedPostgres({
      dataDir: folder,
      port,
      settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300', ...settings },
    });
  let server = await start(null);
  return {
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      const client = new pg.Client({ connectionString: server.databaseUrl });
      await client.connect();
      try {
        await client.query(`CREATE DATABASE ${name}`);
      } finally {
        await client.end();
      }
      const url = new URL(server.databaseUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    async restart(how) {
      const port = Number(new URL(server.databaseUrl).port);
      if (how === 'crash') await crash(server.dataDir);
      await server.stop();
      server = await start(port);
    },
    async stop() {
      await server.stop();
      await Promise.all([folder, server.dataDir].map((dir) => rm(dir, { recursive: true, force: true })));
    },
  };
}

/** The server's own way to end at once: it writes nothing more, and its next start recovers. */
async function crash(dataDir: string): Promise<void> {
  const lock = path.join(dataDir, 'data', 'postmaster.pid');
  const pid = Number((await readFile(lock, 'utf8')).split('\n')[0]);
  process.kill(pid, 'SIGQUIT');
  for (let waitedMs = 0; waitedMs < 30_000 && existsSync(lock); waitedMs += 20) await sleep(20);
}
