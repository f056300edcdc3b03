import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url));

/**
 * Brings the database to this version: every migration that has not run, in order, in one transaction. Forward only.
 * Several processes may start at once; an advisory lock lets one after the other look. Throws where one fails.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: 'migrations',
    advisoryLockMode: 'wait',
    log: () => undefined,
  });
}
