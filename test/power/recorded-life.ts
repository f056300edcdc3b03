import type { Ledger, LedgerChange } from '../../src/main/engine/ports.ts';
import type { Death } from '../support/fakes-life.ts';
import type { Play } from '../support/fakes-mailer.ts';
import { type RunningAgent, World } from '../support/fakes-world.ts';

/** One mail that is accepted at once, one that is dropped before its end and tried again, one whose reply is lost. */
const PLAYS: readonly Play[] = [
  { kind: 'accept' },
  { kind: 'break', stage: 'body' },
  { kind: 'accept' },
  { kind: 'break', stage: 'handed-over', arrived: true },
];
const MAIL_COUNT = 3;
const LIMIT_MS = 4 * 3_600_000;

/** Hears of every commit before it is made and once it was acknowledged, counted from 1. */
export type Marks = (mark: 'commit' | 'acknowledged', count: number) => void;

/**
 * The life of three mails, from claim to report, in the engine over `ledger`, with cloud, mail server and time in
 * memory. The same every time, so that what one process recorded another can repeat. With `death` the agent is killed
 * at that effect, and the world stands as it was left; `survived` where it never came to that.
 */
export async function liveThrough(
  ledger: Ledger | null,
  marks: Marks,
  death: Death | null = null,
): Promise<World & { readonly end: 'killed' | 'survived' }> {
  const world = new World(1);
  if (ledger !== null) world.ledger = inPlaceOf(world.ledger, ledger, marks);
  world.smtp.plays.push(...PLAYS);
  world.cloud.queueMany(MAIL_COUNT);
  const agent = world.start({}, { death });
  await world.clock.runUntil(() => isOver(world, agent), LIMIT_MS);
  const end = agent.isAlive() ? 'survived' : 'killed';
  agent.kill();
  return Object.assign(world, { end } as const);
}

/** The agent is dead, or every mail is final or doubted and was told so. */
function isOver(world: World, agent: RunningAgent): boolean {
  if (!agent.isAlive()) return true;
  const counts = world.ledger.counts();
  const open = counts.claimed + counts.attempting + counts['handed-over'] + counts.untold;
  return counts.sent + counts.uncertain === MAIL_COUNT && open === 0;
}

/** A real ledger where the world keeps one in memory. */
function inPlaceOf(memory: World['ledger'], ledger: Ledger, marks: Marks): World['ledger'] {
  let count = 0;
  const commit = (changes: readonly LedgerChange[]) => {
    count += 1;
    marks('commit', count);
    const done = ledger.commit(changes);
    if (!done.ok) throw new Error(`the recorded life lost a commit: ${JSON.stringify(done.error)}`);
    marks('acknowledged', count);
    return done;
  };
  return { ...memory, ...ledger, commit };
}
