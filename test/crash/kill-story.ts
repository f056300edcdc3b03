import { setTimeout as pause } from 'node:timers/promises';
import { brokenPromises } from '../e2e/agent-and-cloud/invariants.ts';
import { World } from '../e2e/agent-and-cloud/world.ts';
import type { AgentProcess } from '../support/agent-process.ts';
import type { TestCloud } from '../support/cloud.ts';
import { type HttpAct, loseReply } from '../support/http-proxy.ts';
import { type Act, both, drop, inTurn, say, takeBody } from '../support/scripted-smtp.ts';
import { type KillMoment, type KillPlan, planKills, type SmtpPoint, type Weather } from './kill-plan.ts';

/** A moment that never comes, such as a "not sent" of what was sent at once, ends in a kill once all is at rest. */
const LOOK_MS = 100;
const COMES_WITHIN_MS = 20_000;
const POKE_MS = 300;

export type KillRecord = { readonly plan: KillPlan; readonly hit: 'as-planned' | 'at-rest'; readonly fates: string };

/**
 * One user's agent that is killed `kills` times, each time while it does something, and started again. After every
 * start it comes to rest, and then mail server, cloud and ledger must agree on every mail so far. Throws with the seed
 * and the kills so far where they do not.
 */
export async function liveThrough(
  cloud: TestCloud,
  seed: number,
  kills: number,
  heard: (record: KillRecord) => void,
): Promise<void> {
  const world = await World.start(cloud);
  const told: KillRecord[] = [];
  try {
    const backups: AgentProcess[] = [await world.agent.copy()];
    world.agent.start();
    await world.rest(POKE_MS);
    for (const plan of planKills(seed, kills)) {
      const hit = await killOnce(world, plan);
      await befall(world, plan, backups);
      world.heal();
      for (const agent of world.agents) agent.start();
      await world.rest(POKE_MS);
      if (world.agents.length > 1) await reunite(world);
      const record = { plan, hit, fates: (await world.fates()).slice(-plan.mails).join(' ') };
      const broken = await brokenPromises(world);
      if (broken.length > 0) throw new Error(broken.join('\n'));
      told.push(record);
      heard(record);
    }
    for (const backup of backups) await backup.remove();
  } catch (cause) {
    const story = told.map((record) => JSON.stringify(record)).join('\n');
    throw new Error(
      `the story of seed ${seed} broke after:\n${story}\nplan: ${JSON.stringify(planKills(seed, kills)[told.length])}`,
      {
        cause,
      },
    );
  } finally {
    await world.close();
  }
}

async function killOnce(world: World, plan: KillPlan): Promise<KillRecord['hit']> {
  const { agent } = world;
  const { moment } = plan;
  const due = Promise.withResolvers<'as-planned'>();
  const over = new AbortController();
  const kill = (): void => {
    // The moment came after all: by now it is the next start that would be killed.
    if (over.signal.aborted) return;
    void agent.kill();
    due.resolve('as-planned');
  };
  if (moment.kind === 'while-starting') {
    await agent.kill();
    await world.queue(plan.mails);
    setWeather(world, plan.weather);
    agent.start();
    await pause(moment.afterMs);
    await agent.kill();
    return 'as-planned';
  }
  setWeather(world, plan.weather);
  if (moment.kind === 'http') armHttp(world, moment, kill);
  if (moment.kind === 'smtp') armSmtp(world, moment, kill);
  const ids = await world.queue(plan.mails);
  if (plan.cancels) await world.cancel(ids.at(-1) ?? ids[0]);
  if (moment.kind === 'while-sending') void pause(moment.afterMs).then(kill);
  const hit = await Promise.race([due.promise, atRest(world, over.signal)]);
  over.abort();
  await agent.kill();
  return hit;
}

/** Resolves once nothing is left to do, or after a while in any case. */
async function atRest(world: World, signal: AbortSignal): Promise<'at-rest'> {
  for (let waitedMs = 0; waitedMs < COMES_WITHIN_MS && !signal.aborted; waitedMs += LOOK_MS) {
    await pause(LOOK_MS);
    await world.agent.tell({ command: 'resume' });
    if (!signal.aborted && (await world.isAtRest())) break;
  }
  return 'at-rest';
}

/** Whatever the agent hears from now on goes wrong in one way. */
function setWeather(world: World, weather: Weather): void {
  const { smtp, proxy } = world;
  switch (weather) {
    case 'fair':
      return;
    case 'rcpt-refused':
      smtp.script = { rcpt: say('550 5.1.1 no such user') };
      return;
    case 'data-dropped':
      smtp.script = { data: inTurn(drop, takeBody) };
      return;
    case 'end-dropped':
      smtp.script = { endOfData: inTurn(drop, say('250 2.0.0 taken')) };
      return;
    case 'end-refused':
      smtp.script = { endOfData: world.refuse('554 5.6.0 malformed') };
      return;
    case 'http-replies-lost':
      proxy.intercept({ route: 'begin', times: 2 }, loseReply);
      proxy.intercept({ route: 'result', times: 2 }, loseReply);
      return;
  }
}

const USUAL: Record<SmtpPoint, Act> = {
  greeting: say('220 scripted.example ESMTP'),
  ehlo: (peer) => peer.write(`${peer.ehloLines()}\r\n`),
  auth: say('235 2.7.0 welcome'),
  mail: say('250 2.1.0 sender ok'),
  rcpt: say('250 2.1.5 recipient ok'),
  data: takeBody,
  endOfData: say('250 2.0.0 taken'),
};

function armSmtp(world: World, moment: Extract<KillMoment, { kind: 'smtp' }>, kill: () => void): void {
  const { point, times, when } = moment;
  const usual = world.smtp.script[point] ?? USUAL[point];
  const deadly: Act = when === 'before' ? kill : both(usual, kill);
  world.smtp.script = {
    ...world.smtp.script,
    [point]: inTurn(...Array.from({ length: times - 1 }, () => usual), deadly, usual),
  };
}

function armHttp(world: World, moment: Extract<KillMoment, { kind: 'http' }>, kill: () => void): void {
  const { route, times, when } = moment;
  const before: HttpAct = (passage) => {
    kill();
    passage.drop();
  };
  const after: HttpAct = async (passage) => {
    passage.answer(await passage.forward());
    kill();
  };
  if (times > 1) {
    world.proxy.intercept({ route, times: times - 1 }, async (passage) => passage.answer(await passage.forward()));
  }
  world.proxy.intercept({ route }, when === 'before' ? before : after);
}

/** The agent is dead; something may happen to its folder. */
async function befall(world: World, plan: KillPlan, backups: AgentProcess[]): Promise<void> {
  const { agent } = world;
  switch (plan.fate) {
    case 'kept':
      return;
    case 'older-copy': {
      const older = backups.at(-1);
      if (older !== undefined) await agent.restoreLedgerOf(older);
      return;
    }
    case 'deleted':
      agent.forgetMails();
      return;
    case 'copied-and-both-run':
      world.agents.push(await agent.copy());
      return;
  }
}

/** The copy is put away again; the first ledger must agree with the cloud alone. */
async function reunite(world: World): Promise<void> {
  await world.agree();
  for (const copy of world.agents.splice(1)) await copy.remove();
}
