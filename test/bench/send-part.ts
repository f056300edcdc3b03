import path from 'node:path';
import { z } from 'zod';
import { SmtpServer } from '../../src/shared/settings.ts';
import { benchPayload, type MailSize } from './bench-mail.ts';
import { type Child, startChild } from './child.ts';
import { short, spread, spreadText } from './figures.ts';
import type { Report } from './report.ts';
import { type BenchServer, Measured, type Round } from './round.ts';
import type { World } from './world.ts';

/** One comparison of the agent with the bare loop. */
export type SendCase = {
  readonly name: string;
  readonly size: MailSize;
  /** Postfix keeps each mail on its disk before it says 250; the sink takes all and keeps nothing. */
  readonly peer: 'postfix' | 'sink';
  /** Half of the round trip to the mail server, and to the cloud; 0 is loopback without a proxy. */
  readonly smtpOneWayMs: number;
  readonly cloudOneWayMs: number;
  readonly mails: number;
  readonly rounds: number;
  /** Least median of agent ÷ bare; null where none is required. */
  readonly required: number | null;
};

const WARM_UP_MAILS = 20;
/** Queued beyond what is sent, so that the agent goes on claiming until the last counted mail. */
const SPARE_MAILS = 40;
const TASK_MAILS = 100;
const PORT_LIMIT_MS = 30_000;
const ROUND_LIMIT_MS = 300_000;
const Port = z.object({ port: z.int() });

/** Rounds of bare and agent in turn, each with as many mails. */
export async function sendPart(world: World, wanted: SendCase, report: Report, signal: AbortSignal): Promise<void> {
  const children: Child[] = [];
  const open = (file: string): Child => {
    const child = startChild(file, signal);
    children.push(child);
    return child;
  };
  const delayed = async (port: number, oneWayMs: number): Promise<number> => {
    if (oneWayMs === 0) return port;
    const ready = await open('proxy-child.ts').ask({ targetPort: port, oneWayMs }, Port, PORT_LIMIT_MS);
    return ready.port;
  };
  try {
    const server = wanted.peer === 'postfix' ? await postfix(world) : await sink(open);
    const smtp = { ...server.smtp, port: await delayed(server.smtp.port, wanted.smtpOneWayMs) };
    const cloudPort = await delayed(Number(new URL(world.cloudUrl).port), wanted.cloudOneWayMs);
    const identity = await world.addAgent(await world.addUser(wanted.name));
    const bare = open('bare-loop-child.ts');
    const agent = open('agent-child.ts');
    const folder = path.join(world.folder, wanted.name);
    const cloudUrl = `http://127.0.0.1:${cloudPort}`;
    await agent.ask(
      { kind: 'start', folder, cloudUrl, server: { ...server, smtp }, ...identity },
      z.null(),
      PORT_LIMIT_MS,
    );
    await queueMails(world, identity.userId, wanted.size, SPARE_MAILS);

    const pairs: { readonly bare: Measured; readonly agent: Measured }[] = [];
    // The first pair warms both processes up and does not count.
    for (let turn = 0; turn <= wanted.rounds; turn += 1) {
      const round: Round = { kind: 'round', size: wanted.size, warmUp: WARM_UP_MAILS, mails: wanted.mails };
      await queueMails(world, identity.userId, wanted.size, round.warmUp + round.mails);
      const bareRound = await bare.ask({ ...round, server: { ...server, smtp } }, Measured, ROUND_LIMIT_MS);
      const agentRound = await agent.ask(round, Measured, ROUND_LIMIT_MS);
      if (turn > 0) pairs.push({ bare: bareRound, agent: agentRound });
    }
    print(wanted, pairs, report);
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

async function sink(open: (file: string) => Child): Promise<BenchServer> {
  const { port } = await open('sink-child.ts').ask(null, Port, PORT_LIMIT_MS);
  const smtp = SmtpServer.parse({ host: '127.0.0.1', port, security: 'none' });
  return { smtp, user: 'wang', password: 'secret' };
}

async function postfix(world: World): Promise<BenchServer> {
  const { host, ports, caFile, user, password } = await world.mailServers();
  return { smtp: { host, port: ports.postfix.tls, security: 'tls', caFile }, user, password };
}

function print(
  wanted: SendCase,
  pairs: readonly { readonly bare: Measured; readonly agent: Measured }[],
  report: Report,
): void {
  const rate = ({ ms }: Measured) => (wanted.mails / ms) * 1000;
  // Milliseconds a mail are seconds a thousand mails.
  const cpu = ({ cpuMs }: Measured) => cpuMs / wanted.mails;
  const ratio = spread(pairs.map((pair) => rate(pair.agent) / rate(pair.bare)));
  report.line(`  bare       ${spreadText(spread(pairs.map((pair) => rate(pair.bare))))} mails/s`);
  report.line(`  agent      ${spreadText(spread(pairs.map((pair) => rate(pair.agent))))} mails/s`);
  report.line(
    `  CPU s per 1,000 mails of the process: bare ${short(spread(pairs.map((pair) => cpu(pair.bare))).median)}, ` +
      `agent ${short(spread(pairs.map((pair) => cpu(pair.agent))).median)}`,
  );
  report.ratio(wanted.name, ratio, wanted.required === null ? null : { least: wanted.required });
  report.figure(`${wanted.name}-mails-per-second`, spread(pairs.map((pair) => rate(pair.agent))).median);
  report.figure(`${wanted.name}-cpu-seconds-per-1000`, spread(pairs.map((pair) => cpu(pair.agent))).median);
}

async function queueMails(world: World, userId: string, size: MailSize, count: number): Promise<void> {
  for (let first = 0; first < count; first += TASK_MAILS) {
    const recipients = Array.from({ length: Math.min(TASK_MAILS, count - first) }, (_, place) => ({
      payload: benchPayload(size, first + place),
    }));
    const task = await world.operator.must('createTask', { request: { user_id: userId, name: 'bench', recipients } });
    await world.operator.must('confirmTask', { params: { id: task.task_id } });
  }
}
