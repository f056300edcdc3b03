// npm run crash -- [--kills N] [--from SEED] [--at-once N] [--only stories|syscalls]
// Kills the headless agent: once at every write and sync of one mail's life, the rest at random, in stories of ten
// kills each. Exit code 1 and the seed where mail server, cloud and ledger ever disagree.
import { parseArgs } from 'node:util';
import { startTestCloud } from '../support/cloud.ts';
import { type KillRecord, liveThrough } from './kill-story.ts';
import { killAtSyscalls, syscallsOfOneLife } from './syscall-kills.ts';

const STORY_KILLS = 10;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    only: { type: 'string', default: 'both' },
  },
});
const wholeNumber = (name: 'kills' | 'from' | 'at-once', min: number): number => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= min) return number;
  throw new Error(`--${name} ${values[name]}: allowed is a whole number from ${min}`);
};
const kills = wholeNumber('kills', 1);
const from = wholeNumber('from', 0);
const atOnce = wholeNumber('at-once', 1);
if (!['both', 'stories', 'syscalls'].includes(values.only)) throw new Error('--only: allowed are stories and syscalls');

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const startedMs = performance.now();
const counts = new Map<string, number>();
const count = (what: string): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1);
};
let done = 0;
const oneMore = (): void => {
  done += 1;
  if (done % 50 === 0) say(`${done} of ${kills} kills, ${Math.round((performance.now() - startedMs) / done)} ms each`);
};

/** Runs `work` for each item, `atOnce` at a time; the first failure ends all. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await work(item).catch((error: unknown) => {
        left.splice(0);
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

const cloud = await startTestCloud();
try {
  if (values.only !== 'stories') {
    const points = (await syscallsOfOneLife(cloud)).slice(0, kills);
    say(`one mail's life makes ${points.length} writes and syncs; the agent is killed at each`);
    const chunks = Array.from({ length: atOnce }, (_, lane) =>
      points.filter((_point, index) => index % atOnce === lane),
    );
    await forEach(chunks, (chunk) =>
      killAtSyscalls(cloud, chunk, ({ call }, hit, fate) => {
        count(`${call} ${hit}: ${fate}`);
        oneMore();
      }),
    );
  }
  const stories = values.only === 'syscalls' ? 0 : Math.ceil((kills - done) / STORY_KILLS);
  const seeds = Array.from({ length: stories }, (_, index) => from + index);
  await forEach(seeds, (seed) =>
    liveThrough(cloud, seed, STORY_KILLS, ({ plan, hit }: KillRecord) => {
      count(`${plan.moment.kind} ${hit}, weather ${plan.weather === 'fair' ? 'fair' : 'bad'}, ledger ${plan.fate}`);
      oneMore();
    }),
  );
  for (const [what, times] of [...counts].sort()) say(`${String(times).padStart(6)}  ${what}`);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  say(`${done} kills in ${seconds} s, seeds ${from} to ${from + stories - 1}: after every start all three agreed.`);
} catch (error) {
  say(error instanceof Error ? `${error.message}\n${String(error.cause ?? '')}` : String(error));
  process.exitCode = 1;
} finally {
  await cloud.close();
}
