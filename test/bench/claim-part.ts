import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase } from '../../cloud/database/database.ts';
import { migrate } from '../../cloud/database/migrate.ts';
import { claimMails } from '../../cloud/queue/claim.ts';
import type { AgentIdentity } from '../../cloud/queue/moves.ts';
import { median, short, spread } from './figures.ts';
import { fillQueue } from './fill-queue.ts';
import type { Report } from './report.ts';
import type { World } from './world.ts';

const USERS = 20;
const CLAIM_MAILS = 20;
/** Claims of each queue in one pair; the pair's ratio is that of their medians. */
const CLAIMS_PER_PAIR = 40;
const MOST = 1.3;

type Queue = { readonly database: Database; readonly agents: readonly AgentIdentity[] };

/** The cloud's own claim function on two databases of one server, in turn, claim by claim. */
export async function claimPart(
  world: World,
  wanted: { readonly name: string; readonly rows: number; readonly rounds: number },
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const fewRows = wanted.rows / 10;
  const few = await openQueue(world, 'bench_few', fewRows, signal);
  const many = await openQueue(world, 'bench_many', wanted.rows, signal);
  try {
    const pairs: { readonly few: number[]; readonly many: number[] }[] = [];
    for (let turn = 0; turn <= wanted.rounds; turn += 1) {
      signal.throwIfAborted();
      const pair: { readonly few: number[]; readonly many: number[] } = { few: [], many: [] };
      for (let claim = 0; claim < CLAIMS_PER_PAIR; claim += 1) {
        pair.few.push(await claimMs(few, claim));
        pair.many.push(await claimMs(many, claim));
      }
      // The first pair opens the connections and warms the caches.
      if (turn > 0) pairs.push(pair);
    }
    const fewMs = median(pairs.flatMap((pair) => pair.few));
    const manyMs = median(pairs.flatMap((pair) => pair.many));
    report.line(
      `  claim of ${CLAIM_MAILS} mails, p50: ${short(fewMs)} ms at ${fewRows} rows, ${short(manyMs)} ms at ${wanted.rows}`,
    );
    const ratio = spread(pairs.map((pair) => median(pair.many) / median(pair.few)));
    report.ratio('claim-p50-large-to-small', { ...ratio, median: manyMs / fewMs }, { most: MOST });
    report.figure(`claim-p50-ms-at-${fewRows}`, fewMs);
    report.figure(`claim-p50-ms-at-${wanted.rows}`, manyMs);
  } finally {
    await few.database.close();
    await many.database.close();
  }
}

async function claimMs({ database, agents }: Queue, turn: number): Promise<number> {
  const agent = agents[turn % agents.length];
  if (agent === undefined) throw new Error('the queue has no agent');
  const startedMs = performance.now();
  const answer = await claimMails(database, agent, { claimId: randomUUID(), limit: CLAIM_MAILS });
  const spentMs = performance.now() - startedMs;
  if (answer.kind !== 'claimed' || answer.items.length !== CLAIM_MAILS) throw new Error('the queue ran empty');
  return spentMs;
}

async function openQueue(world: World, name: string, rows: number, signal: AbortSignal): Promise<Queue> {
  await world.sql(`CREATE DATABASE ${name}`);
  const url = new URL(world.databaseUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const agents = await addAgents(url.href);
  await fillQueue(
    url.href,
    agents.map(({ userId }) => userId),
    rows,
    signal,
  );
  const database = openDatabase(url.href, () => undefined, 1);
  return { database, agents };
}

/** One agent for each of the users. */
async function addAgents(databaseUrl: string): Promise<readonly AgentIdentity[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<AgentIdentity>(
      `WITH people AS (
         INSERT INTO users (name) SELECT 'bench ' || n FROM generate_series(1, $1::integer) AS n RETURNING id
       )
       INSERT INTO agents (user_id, name, platform, version, token_hash)
       SELECT id, 'bench', 'linux', '0.0.0', sha256(id::text::bytea) FROM people
       RETURNING id AS "agentId", user_id AS "userId"`,
      [USERS],
    );
    return rows;
  } finally {
    await client.end();
  }
}
