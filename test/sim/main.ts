// Runs worlds of mails, computers, a cloud and a mail server, each drawn from one seed, and checks every promise.
// Usage: npm run sim -- --seeds N [--from S] [--profile quick|long] [--json]
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { drawPlan } from './plan.ts';
import { failureText, runSeeds } from './report.ts';

const USAGE = `Usage: npm run sim -- --seeds N [--from S] [--profile quick|long] [--json]

  --seeds N     how many worlds, one for each seed (1000)
  --from S      the first seed (1); a failure names its seed: --seeds 1 --from SEED runs it again
  --profile P   quick, or long: more troubles in each storm (long)
  --json        one line of JSON instead of text

One process uses one core. To use more, or more machines, give each its own seeds:
  npm run sim -- --seeds 10000 --from 1        npm run sim -- --seeds 10000 --from 10001`;

const Options = z.object({
  seeds: z.coerce.number().int().min(1).max(100_000_000).default(1_000),
  from: z.coerce.number().int().min(0).max(2_000_000_000).default(1),
  profile: z.enum(['quick', 'long']).default('long'),
  json: z.boolean().default(false),
  help: z.boolean().default(false),
});

const FAILURES_MAX = 3;
const PROGRESS_MS = 10_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const { seeds, from, profile, json, help } = Options.parse(values);
  if (help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const startedMs = performance.now();
  const startedUsage = process.cpuUsage();
  let toldMs = startedMs;
  const sums = await runSeeds(from, seeds, profile, {
    failuresMax: FAILURES_MAX,
    isOver: ({ seeds: done, mails }) => {
      if (!json && performance.now() - toldMs > PROGRESS_MS) {
        toldMs = performance.now();
        process.stderr.write(`${done} of ${seeds} seeds, ${mails} mails\n`);
      }
      return false;
    },
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const usage = process.cpuUsage(startedUsage);
  const cpuSeconds = (usage.user + usage.system) / 1_000_000;
  const { failed, ...counts } = sums;
  const figures = {
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    cpuSeconds: Math.round(cpuSeconds * 10) / 10,
    mailsPerSecond: Math.round(counts.mails / seconds),
    mailsPerCpuSecond: Math.round(counts.mails / cpuSeconds),
    failedSeeds: failed.map(({ seed, failure }) => ({ seed, failure })),
  };
  if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else {
    for (const { seed } of failed) process.stdout.write(`${await failureText(drawPlan(seed, profile))}\n\n`);
    process.stdout.write(
      `${counts.seeds} seeds, ${counts.mails} mails, ${counts.troubles} planned troubles, ${counts.events} events in ${figures.seconds} s: ` +
        `${figures.mailsPerSecond} mails a second, ${figures.mailsPerCpuSecond} a second of one core.\n` +
        `${failed.length === 0 ? 'Every promise held, and every mail came to rest.' : `${failed.length} seeds failed.`}\n`,
    );
  }
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
