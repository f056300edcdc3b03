import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../cloud/embedded-postgres.ts';

export type TestPostgres = {
  /** An empty database of its own; answers its url. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
};

/** A real server in a temporary folder. Nothing of a test outlives the machine, so it does not wait for the disk. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-postgres-'));
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300' },
  });
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
    async stop() {
      await server.stop();
      await Promise.all([folder, server.dataDir].map((dir) => rm(dir, { recursive: true, force: true })));
    },
  };
}
