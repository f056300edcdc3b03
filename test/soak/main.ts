// npm run soak -- [--hours H] [--per-minute N]
// One agent sends at a steady rate while mail server and network misbehave now and then. Prints what its process uses
// over time, and fails where memory, handles, open files, delay or the ledger's size for each mail grow.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LEDGER_FILE } from '../../src/main/adapters/sqlite/files.ts';
import { brokenPromises } from '../e2e/agent-and-cloud/invariants.ts';
import { World } from '../e2e/agent-and-cloud/world.ts';
import { startTestCloud } from '../support/cloud.ts';
import { SeededRandom } from '../support/fakes-clock.ts';
import { loseReply, loseRequest } from '../support/http-proxy.ts';
import { both, drop, say, takeBody } from '../support/scripted-smtp.ts';
import { type Allowance, judge, median, type Series } from './growth.ts';
import { readSamples } from './samples.ts';

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '1' }, 'per-minute': { type: 'string', default: '60' } },
});
const positive = (name: 'hours' | 'per-minute'): number => {
  const number = Number(values[name]);
  if (number > 0 && number <= 10_000) return number;
  throw new Error(`--${name} ${values[name]}: allowed is a number above 0`);
};
const runMs = positive('hours') * 3_600_000;
const perMinute = positive('per-minute');
const LOOK_MS = 5_000;
const ROWS = 12;
const MB = 1024 * 1024;
const PROBE = path.join(import.meta.dirname, 'probe.ts');

const lineOf = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => String(typeof cell === 'number' ? Math.round(cell * 10) / 10 : cell).padStart(11)).join('');
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const cloud = await startTestCloud();
const world = await World.start(cloud);
const { agent, smtp, proxy } = world;
const random = new SeededRandom(1);
const samples = path.join(path.dirname(agent.data), 'samples.jsonl');
process.env['SOAK_SAMPLES'] = samples;

/** About one mail in five meets trouble: a server that drops or refuses, a network that loses one way or the other. */
function stir(): void {
  const chance = random.fraction();
  smtp.script = {};
  if (chance < 0.05) smtp.script = { data: drop };
  else if (chance < 0.1) smtp.script = { rcpt: say('550 5.1.1 no such user') };
  else if (chance < 0.15) smtp.script = { greeting: both(say('421 4.3.2 busy'), drop), data: both(takeBody) };
  else if (chance < 0.2) proxy.intercept({ route: 'result' }, random.below(2) === 0 ? loseReply : loseRequest);
  else if (chance < 0.25) proxy.intercept({ route: 'begin' }, random.below(2) === 0 ? loseReply : loseRequest);
  else if (chance < 0.28) smtp.script = { endOfData: drop };
}

type Row = { readonly atMs: number; readonly files: number; readonly ledgerBytes: number; readonly mails: number };
const rows: Row[] = [];

function look(mails: number): void {
  const sizeOf = (name: string) => {
    const file = path.join(agent.data, name);
    return existsSync(file) ? statSync(file).size : 0;
  };
  const ledgerBytes = sizeOf(LEDGER_FILE) + sizeOf(`${LEDGER_FILE}-wal`);
  const files = existsSync(`/proc/${agent.pid}/fd`) ? readdirSync(`/proc/${agent.pid}/fd`).length : 0;
  rows.push({ atMs: Date.now(), files, ledgerBytes, mails });
}

let exitCode = 0;
try {
  agent.start({ node: ['--import', PROBE] });
  const startMs = Date.now();
  let mails = 0;
  let lookedMs = 0;
  while (Date.now() - startMs < runMs) {
    if (!agent.running) throw new Error(`the agent ended: ${agent.words}`);
    stir();
    const due = Math.floor(((Date.now() - startMs) / 60_000) * perMinute) - mails;
    if (due > 0) {
      // In small batches, as a task that is confirmed.
      await world.queue(Math.min(due, 20));
      mails += Math.min(due, 20);
    }
    // A person looks in now and then and presses "try again".
    if (random.below(4) === 0) await agent.tell({ command: 'resume' });
    if (Date.now() - lookedMs >= LOOK_MS) {
      look(mails);
      lookedMs = Date.now();
    }
    await pause(1_000);
  }
  world.heal();
  await world.rest();
  look(mails);
  const broken = await brokenPromises(world);
  exitCode = report(mails) || (broken.length > 0 ? 1 : 0);
  for (const line of broken) print(`BROKEN  ${line}`);
} catch (error) {
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  exitCode = 1;
} finally {
  await world.close();
  await cloud.close();
}
process.exitCode = exitCode;

/** Answers the exit code. */
function report(mails: number): number {
  const own = readSamples(readFileSync(samples, 'utf8'));
  print(lineOf(['minute', 'RSS MB', 'heap MB', 'extern MB', 'handles', 'open files', 'ledger kB', 'p50 ms', 'p99 ms']));
  const firstMs = own[0]?.atMs ?? 0;
  const spanMs = Math.max(1, (own.at(-1)?.atMs ?? 0) - firstMs);
  for (let row = 0; row < ROWS; row += 1) {
    const within = ({ atMs }: { readonly atMs: number }) =>
      Math.min(ROWS - 1, Math.floor(((atMs - firstMs) / spanMs) * ROWS)) === row;
    const some = own.filter(within);
    const mid = (value: (sample: (typeof own)[number]) => number) => median(some.map(value));
    const seen = rows.filter(within);
    print(
      lineOf([
        ((row + 1) * spanMs) / ROWS / 60_000,
        mid((sample) => sample.rssBytes) / MB,
        mid((sample) => sample.heapBytes) / MB,
        mid((sample) => sample.externalBytes) / MB,
        mid((sample) => sample.handles),
        median(seen.map(({ files }) => files)),
        median(seen.map(({ ledgerBytes }) => ledgerBytes)) / 1024,
        mid((sample) => sample.delayP50Ms),
        mid((sample) => sample.delayP99Ms),
      ]),
    );
  }
  const series = (name: string, values: readonly number[]): Series => ({ name, unit: '', values });
  const judged: readonly (readonly [Series, Allowance])[] = [
    [
      series(
        'RSS',
        own.map(({ rssBytes }) => rssBytes / MB),
      ),
      { factor: 1.1, plus: 5 },
    ],
    [
      series(
        'heap',
        own.map(({ heapBytes }) => heapBytes / MB),
      ),
      { factor: 1.1, plus: 3 },
    ],
    [
      series(
        'external',
        own.map(({ externalBytes }) => externalBytes / MB),
      ),
      { factor: 1.1, plus: 3 },
    ],
    [
      series(
        'handles',
        own.map(({ handles }) => handles),
      ),
      { factor: 1, plus: 3 },
    ],
    [
      series(
        'open files',
        rows.map(({ files }) => files),
      ),
      { factor: 1, plus: 3 },
    ],
    // The ledger keeps every mail; what it keeps of one must not become more.
    [
      series(
        'ledger kB a mail',
        rows.map((row) => row.ledgerBytes / 1024 / Math.max(1, row.mails)),
      ),
      { factor: 1.2, plus: 1 },
    ],
    [
      series(
        'p50 delay',
        own.map(({ delayP50Ms }) => delayP50Ms),
      ),
      { factor: 1.5, plus: 5 },
    ],
  ];
  let code = 0;
  for (const [one, allowed] of judged) {
    const { name, from, to, grows } = judge(one, allowed);
    print(`${grows ? 'GROWS ' : 'steady'}  ${name}: ${from.toFixed(1)} after the warm-up, ${to.toFixed(1)} at the end`);
    if (grows) code = 1;
  }
  const accepted = smtp.messages.filter((message) => message.accepted).length;
  print(
    `${mails} mails in ${(runMs / 60_000).toFixed(1)} minutes, ${accepted} taken, ${smtp.connectionCount} connections, ${proxy.requests.length} calls of the cloud`,
  );
  return code;
}
