import { agentsPart } from './agents-part.ts';
import { claimPart } from './claim-part.ts';
import { type BenchOptions, type Part, readOptions, USAGE } from './options.ts';
import { createReport, type Report } from './report.ts';
import { type SendCase, sendPart } from './send-part.ts';
import { startWorld, type World } from './world.ts';

/** Exit codes: 0 every required ratio held, 1 one was missed or the run broke, 2 wrong options, 130 interrupted. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options.ok) {
    process.stderr.write(`${options.error}\n\n${USAGE}`);
    return 2;
  }
  if (options.value === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const { output } = options.value;
  const report = createReport((line) => process.stdout.write(`${line}\n`));
  const interrupted = new AbortController();
  process.on('SIGINT', () => interrupted.abort());
  process.on('SIGTERM', () => interrupted.abort());
  report.line('Each ratio is the median over pairs of one run, with smallest and largest in brackets.');
  report.line(
    '"bare" is a loop over nodemailer with its own defaults; "agent" is the engine with ledger, cloud and reports.',
  );
  try {
    await runAll(options.value, report, interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.stderr.write('Interrupted.\n');
    return 130;
  }
  for (const miss of report.missed()) report.line(`Missed: ${miss}`);
  if (output === 'json') report.line(report.json());
  return report.missed().length === 0 ? 0 : 1;
}

async function runAll(options: BenchOptions, report: Report, signal: AbortSignal): Promise<void> {
  const world = await startWorld();
  try {
    for (const part of options.parts) {
      signal.throwIfAborted();
      await run(part, world, options, report, signal);
    }
  } finally {
    await world.close();
  }
}

async function run(
  part: Part,
  world: World,
  options: BenchOptions,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const { rounds, rows, size } = options;
  const fewer = size === 'quick' ? 3 : 1;
  switch (part) {
    case 'agents':
      report.line(`\n${part}: claim, begin and result over HTTP, 20 mails a claim`);
      return agentsPart(world, { name: part, rounds: Math.min(rounds, 5), turnMs: 6_000 / fewer }, report, signal);
    case 'claim':
      report.line(
        `\n${part}: the claim on two queues of one server, ${rows / 10} and ${rows} queued mails of 20 users`,
      );
      return claimPart(world, { name: part, rows, rounds }, report, signal);
    default: {
      const { title, ...wanted } = SEND_CASES[part];
      report.line(`\n${part}: ${title}`);
      return sendPart(world, { ...wanted, name: part, mails: wanted.mails / fewer, rounds }, report, signal);
    }
  }
}

type SendPartName = Exclude<Part, 'agents' | 'claim'>;

/** What is compared in each send part. */
const SEND_CASES: Record<SendPartName, Omit<SendCase, 'name' | 'rounds'> & { readonly title: string }> = {
  'send-2k-loopback': {
    title: '2 KB mails, Postfix and the cloud on loopback',
    size: '2k',
    peer: 'postfix',
    smtpOneWayMs: 0,
    cloudOneWayMs: 0,
    mails: 600,
    required: 0.5,
  },
  'send-100k-loopback': {
    title: '100 KB mails, Postfix and the cloud on loopback',
    size: '100k',
    peer: 'postfix',
    smtpOneWayMs: 0,
    cloudOneWayMs: 0,
    mails: 300,
    required: 0.5,
  },
  'send-2k-sink': {
    title: '2 KB mails, to a server on loopback that keeps nothing: the least a mail can cost',
    size: '2k',
    peer: 'sink',
    smtpOneWayMs: 0,
    cloudOneWayMs: 0,
    mails: 600,
    required: null,
  },
  'send-100k-sink': {
    title: '100 KB mails, to a server on loopback that keeps nothing',
    size: '100k',
    peer: 'sink',
    smtpOneWayMs: 0,
    cloudOneWayMs: 0,
    mails: 300,
    required: null,
  },
  'send-2k-40ms': {
    title: '2 KB mails, 40 ms round trip to the mail server, the cloud on loopback',
    size: '2k',
    peer: 'sink',
    smtpOneWayMs: 20,
    cloudOneWayMs: 0,
    mails: 100,
    required: 0.95,
  },
  'send-100k-40ms': {
    title: '100 KB mails, 40 ms round trip to the mail server, the cloud on loopback',
    size: '100k',
    peer: 'sink',
    smtpOneWayMs: 20,
    cloudOneWayMs: 0,
    mails: 100,
    required: 0.95,
  },
  'send-2k-40ms-cloud': {
    title: '2 KB mails, 40 ms round trip to the mail server and to the cloud',
    size: '2k',
    peer: 'sink',
    smtpOneWayMs: 20,
    cloudOneWayMs: 20,
    mails: 100,
    required: null,
  },
};

process.exitCode = await main();
