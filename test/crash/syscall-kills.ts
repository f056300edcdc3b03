import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brokenPromises } from '../e2e/agent-and-cloud/invariants.ts';
import { World } from '../e2e/agent-and-cloud/world.ts';
import type { TestCloud } from '../support/cloud.ts';
import { countCalls, type Injection, injecting, SYSCALLS, tracing } from './strace.ts';

const POKE_MS = 300;
const LOOK_MS = 50;
const LIMIT_MS = 60_000;

export type SyscallKill = Pick<Injection, 'call' | 'nth'>;

/**
 * Every write and sync between the start of an agent and the end of its first mail, each counted by its own number. The
 * counts come from a life that is traced and not disturbed; a few more are added, because no two lives are quite equal.
 */
export async function syscallsOfOneLife(cloud: TestCloud): Promise<readonly SyscallKill[]> {
  const world = await World.start(cloud);
  const trace = path.join(path.dirname(world.agent.data), 'trace');
  try {
    await world.queue(1);
    world.agent.start({ under: tracing(trace) });
    await world.rest(POKE_MS);
    await world.agent.stop();
    const counts = countCalls(trace);
    return SYSCALLS.flatMap((call) =>
      Array.from({ length: counts.get(call) ?? 0 }, (_, index) => ({ call, nth: index + 1 })),
    );
  } finally {
    await world.close();
  }
}

/**
 * Kills one agent at each of these calls of a fresh mail's life, starts it again and compares mail server, cloud and
 * ledger. Answers how many of the kills came before the mail's end. Throws with the call where anything disagrees.
 */
export async function killAtSyscalls(
  cloud: TestCloud,
  kills: readonly SyscallKill[],
  heard: (kill: SyscallKill, hit: 'in-life' | 'after-it', fate: string) => void,
): Promise<void> {
  const world = await World.start(cloud);
  try {
    for (const kill of kills) {
      const [id] = await world.queue(1);
      world.agent.start({ under: injecting({ ...kill, effect: 'signal=SIGKILL' }) });
      // A mail that came through is followed to the clean end of its agent, whose writes count too.
      if ((await killedOrAtRest(world)) === 'at-rest') await world.agent.stop();
      const hit = (await world.agent.gone()) === 'SIGKILL' ? 'in-life' : 'after-it';
      world.agent.start();
      await world.rest(POKE_MS);
      const broken = await brokenPromises(world);
      if (broken.length > 0) throw new Error(`after a kill at ${kill.call} ${kill.nth}: ${broken.join('\n')}`);
      heard(kill, hit, await world.fate(id));
      await world.agent.kill();
    }
  } finally {
    await world.close();
  }
}

async function killedOrAtRest(world: World): Promise<'killed' | 'at-rest'> {
  for (let waitedMs = 0; waitedMs < LIMIT_MS; waitedMs += LOOK_MS) {
    if (!world.agent.running) return 'killed';
    if (await world.isAtRest()) return 'at-rest';
    await pause(LOOK_MS);
  }
  throw new Error(`the agent neither died nor came to rest: ${world.agent.words}`);
}
