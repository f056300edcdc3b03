import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { newUser } from '../../support/cloud-mails.ts';
import { SeededRandom } from '../../support/fakes-clock.ts';
import { startTestPostgres, type TestPostgres } from '../../support/postgres.ts';
import { unexplained } from './check-history.ts';
import { Races } from './clients.ts';

const USERS = 8;
const AGENTS_OF_A_USER = 6;
const OPERATORS = 16;
const MAILS_OF_A_USER = 25;
const CLIENTS = USERS * AGENTS_OF_A_USER + OPERATORS;
/** Longer than the slowest machine needs. */
const LIMIT_MS = 10 * 60_000;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres({ deadlock_timeout: '50ms' });
});
afterAll(() => postgres.stop());

type Trouble = (cloud: TestCloud) => Promise<void>;

/** 64 clients at once for a while, and trouble meanwhile; then every mail's history must have an order. */
async function race(trouble: Trouble, prepare: Trouble = async () => undefined): Promise<Races> {
  const cloud = await startTestCloud({ postgres });
  try {
    await prepare(cloud);
    const races = new Races(cloud);
    const over = new AbortController();
    const clients: Promise<void>[] = [];
    for (let user = 0; user < USERS; user += 1) {
      const userId = await newUser(cloud);
      await races.queue(userId, MAILS_OF_A_USER);
      for (let index = 0; index < AGENTS_OF_A_USER; index += 1) {
        const agent = await cloud.pairedAgent(userId);
        clients.push(races.agent(agent, new SeededRandom(user * 100 + index), over.signal));
      }
    }
    for (let index = 0; index < OPERATORS; index += 1) {
      clients.push(races.operator(new SeededRandom(10_000 + index), over.signal));
    }
    expect(clients).toHaveLength(CLIENTS);
    await Promise.all([...clients, trouble(cloud).finally(() => over.abort())]);
    await races.lookAtAll();
    expect(races.unclean).toEqual([]);
    const broken = [...races.calls.values()].map(unexplained).filter((why) => why !== null);
    expect(broken.slice(0, 2)).toEqual([]);
    const calls = [...races.calls.values()].flat().length;
    expect(calls).toBeGreaterThan(USERS * MAILS_OF_A_USER);
    return races;
  } finally {
    await cloud.close();
  }
}

describe('64 clients at once', () => {
  it(
    'leave histories that the contract explains',
    async () => {
      const races = await race(() => pause(3_000));
      expect(races.unclearCount).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'are refused cleanly while PostgreSQL restarts, and lose nothing',
    async () => {
      const races = await race(async () => {
        await pause(1_000);
        await postgres.restart('in-order');
        await pause(2_000);
      });
      expect(races.unclearCount).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  it(
    'are refused cleanly when PostgreSQL crashes and recovers, and lose nothing',
    async () => {
      const races = await race(async () => {
        await pause(1_000);
        await postgres.restart('crash');
        await pause(2_000);
      });
      expect(races.unclearCount).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  it(
    'are refused cleanly when their connections are cut',
    async () => {
      const races = await race(async (cloud) => {
        for (let turn = 0; turn < 12; turn += 1) {
          await pause(250);
          await cloud.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'mail-agent-cloud' AND random() < 0.5`,
          );
        }
      });
      expect(races.unclearCount).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  it(
    'are served under the strictest isolation, where their transactions collide',
    async () => {
      await race(
        () => pause(3_000),
        async (cloud) => {
          await cloud.sql(
            `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database()); END $$`,
          );
          // For connections made from now on.
          await cloud.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`,
          );
        },
      );
    },
    LIMIT_MS,
  );
});

describe('A deadlock with somebody else', () => {
  it(
    'is retried: the call is answered as if nothing had been',
    async () => {
      const cloud = await startTestCloud({ postgres });
      const other = new pg.Client({ connectionString: cloud.databaseUrl });
      await other.connect();
      try {
        const userId = await newUser(cloud);
        let stopped = 0;
        for (let turn = 0; turn < 8; turn += 1) {
          const ids = await cloud.queueMails(userId, [samplePayload(1), samplePayload(2), samplePayload(3)]);
          // The cloud takes the rows in their order; the other one comes from behind.
          await other.query('BEGIN');
          await other.query('SELECT id FROM recipients WHERE id = $1 FOR UPDATE', [ids[2]]);
          const cancelling = cloud.operator.must('cancel', { request: { ids } });
          await pause(100);
          await other.query('SELECT id FROM recipients WHERE id = $1 FOR UPDATE', [ids[0]]).catch(() => undefined);
          await other.query('ROLLBACK');
          stopped += (await cancelling).stopped;
        }
        expect(stopped).toBe(24);
        const [row] = await cloud.sql(
          'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
        );
        expect(Number(row?.['deadlocks'])).toBeGreaterThan(0);
      } finally {
        await other.end();
        await cloud.close();
      }
    },
    LIMIT_MS,
  );
});
