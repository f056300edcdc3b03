import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { z } from 'zod';

/** Connections this process opens at most, the listening one not counted. */
const POOL_SIZE = 20;
const CONNECT_LIMIT_MS = 5_000;
const STATEMENT_LIMIT_MS = 30_000;
const RETRY_COUNT = 5;

/** One SQL statement with a name, under which each connection keeps it prepared, and the shape of its rows. */
export type Statement<Row> = { readonly name: string; readonly text: string; readonly row: z.ZodType<Row> };

/** Who can run a statement: the database itself, or one transaction of it. */
export type Queries = {
  rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[]>;
};

export type Database = Queries & {
  /** All of `work` in one transaction; whatever it throws undoes it. May run `work` again after a deadlock. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** The database is away, overloaded or shutting down; the statement may or may not have worked. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** The database refused a move that is not in the transition table. */
export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
}

/** A bounded pool. `onLost` hears of every connection that broke. */
export function openDatabase(
  databaseUrl: string,
  onLost: (error: Error) => void,
  poolSize: number = POOL_SIZE,
): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    statement_timeout: STATEMENT_LIMIT_MS,
    idle_in_transaction_session_timeout: STATEMENT_LIMIT_MS,
    application_name: 'mail-agent-cloud',
  });
  // The pool listens only while nobody has the connection, and an error that nobody hears ends the process: so each is
  // listened to from its first moment, and what the pool says besides is known already.
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      if (!pool.ending) onLost(error);
    }),
  );
  pool.on('error', () => undefined);
  return {
    rows: (statement, values) => retried(() => runOn(pool, statement, values)),
    transaction: (work) => retried(() => inTransaction(pool, work)),
    close: () => pool.end(),
  };
}

/** The one row of a statement that always answers exactly one. */
export async function oneRow<Row>(
  queries: Queries,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row> {
  const [row] = await queries.rows(statement, values);
  if (row === undefined) throw new Error(`${statement.name} answered no row`);
  return row;
}

async function runOn<Row>(
  on: Pick<pg.Pool | pg.PoolClient, 'query'>,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const result = await on.query<Record<string, unknown>>({
    name: statement.name,
    text: statement.text,
    values: [...values],
  });
  return result.rows.map((row) => statement.row.parse(row));
}

async function inTransaction<T>(pool: pg.Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('BEGIN');
    const value = await work({ rows: (statement, values) => runOn(client, statement, values) });
    await client.query('COMMIT');
    return value;
  } catch (error) {
    // A connection that cannot even roll back is thrown away; the server undoes what it held.
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs again what lost against a concurrent transaction: nothing of it was done. The pause keeps the two apart. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      const collided = state === '40001' || state === '40P01';
      if (!collided || turn > RETRY_COUNT) throw translated(error, state);
      await sleep(Math.random() * 10 * 2 ** turn);
    }
  }
}

function translated(error: unknown, state: string): unknown {
  if (state === 'MA001') return new IllegalMove(messageOf(error), { cause: error });
  if (isConnectionLoss(error, state)) return new DatabaseUnavailable(messageOf(error), { cause: error });
  return error;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const sqlState = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Classes 08 (connection), 53 (resources), 57P0x (shutting down), 40001/40P01 after the last retry, 57014 and 25P03 (time limits),
 * and what the driver says without a code. Source: PostgreSQL appendix A.
 */
function isConnectionLoss(error: unknown, state: string): boolean {
  if (/^(08|53)|^57P0|^40001$|^40P01$|^57014$|^25P03$/.test(state)) return true;
  if (/^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/.test(state)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    messageOf(error),
  );
}
