import { z } from 'zod';
import { startChild } from './child.ts';
import { short, spread, spreadText } from './figures.ts';
import { fillQueue } from './fill-queue.ts';
import type { Report } from './report.ts';
import type { World } from './world.ts';

const FEW = 10;
const MANY = 200;
const USERS = 20;
/** Mails of one claim. */
const CLAIM_MAILS = 20;
const LIMIT_MS = 120_000;
/** More than two cores can claim and report in a second, so that the queue never runs empty. */
const MAILS_PER_SECOND_MAX = 3_000;
const Told = z.object({ mails: z.int(), ms: z.number() });

/** Claim, begin and result for 10 and for 200 agents in turn, all over HTTP against one cloud process. */
export async function agentsPart(
  world: World,
  wanted: { readonly name: string; readonly rounds: number; readonly turnMs: number },
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const userIds: string[] = [];
  for (let place = 0; place < USERS; place += 1) userIds.push(await world.addUser(`${wanted.name} ${place}`));
  const turns = 2 * (wanted.rounds + 1);
  await fillQueue(world.databaseUrl, userIds, Math.ceil((turns * wanted.turnMs * MAILS_PER_SECOND_MAX) / 1000), signal);
  const tokens: string[] = [];
  for (let place = 0; place < MANY; place += 1) {
    tokens.push((await world.addAgent(userIds[place % USERS] ?? '')).token);
  }
  const child = startChild('fleet-child.ts', signal);
  try {
    const rate = async (agents: number): Promise<number> => {
      const request = {
        cloudUrl: world.cloudUrl,
        tokens: tokens.slice(0, agents),
        limit: CLAIM_MAILS,
        ms: wanted.turnMs,
      };
      const { mails, ms } = await child.ask(request, Told, LIMIT_MS);
      return (mails / ms) * 1000;
    };
    const pairs: { readonly few: number; readonly many: number }[] = [];
    for (let turn = 0; turn <= wanted.rounds; turn += 1) {
      const pair = { few: await rate(FEW), many: await rate(MANY) };
      // The first pair warms up.
      if (turn > 0) pairs.push(pair);
    }
    const few = spread(pairs.map((pair) => pair.few));
    const many = spread(pairs.map((pair) => pair.many));
    report.line(`  ${FEW} agents   ${spreadText(few)} mails/s claimed, begun and reported`);
    report.line(`  ${MANY} agents  ${spreadText(many)} mails/s (${short(many.median / MANY)} each)`);
    report.ratio('agents-200-to-10', spread(pairs.map((pair) => pair.many / pair.few)), null);
    report.figure(`agents-${FEW}-mails-per-second`, few.median);
    report.figure(`agents-${MANY}-mails-per-second`, many.median);
  } finally {
    await child.stop();
  }
}
