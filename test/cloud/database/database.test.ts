import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DatabaseUnavailable, openDatabase, type Statement } from '../../../cloud/database/database.ts';
import { startTestPostgres, type TestPostgres } from '../../support/postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

const OWN_PROCESS: Statement<{ pid: number }> = {
  name: 'own-process',
  text: 'SELECT pg_backend_pid() AS pid',
  row: z.object({ pid: z.int() }),
};
const END_PROCESS: Statement<{ ended: boolean }> = {
  name: 'end-process',
  text: 'SELECT pg_terminate_backend($1) AS ended',
  row: z.object({ ended: z.boolean() }),
};

describe('A connection that the server ends in the middle of a transaction', () => {
  it('ends that transaction only: the loss is heard, and the next one works', async () => {
    const heard = Promise.withResolvers<Error>();
    const database = openDatabase(await postgres.createDatabase(), heard.resolve);
    try {
      const broken = database.transaction(async (queries) => {
        const [own] = await queries.rows(OWN_PROCESS, []);
        await database.rows(END_PROCESS, [own?.pid]);
        // Between two statements nothing but the connection itself tells of its end.
        await heard.promise;
        await queries.rows(OWN_PROCESS, []);
      });

      await expect(broken).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(await database.transaction((queries) => queries.rows(OWN_PROCESS, []))).toHaveLength(1);
    } finally {
      await database.close();
    }
  });
});
