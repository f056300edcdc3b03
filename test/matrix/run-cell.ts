import { assertNever } from '../../src/shared/result.ts';
import { Pace } from '../../src/shared/settings.ts';
import type { Stage } from '../../src/shared/wire/messages.ts';
import type { LifeStep, Plan, PlannedTrouble, Trouble } from '../sim/plan.ts';
import { drawPlay } from '../sim/plays.ts';
import { type RunResult, runPlan } from '../sim/simulation.ts';
import { SeededRandom } from '../support/fakes-clock.ts';
import { NO_PACE } from '../support/fakes-world.ts';
import type { Cell } from './cells.ts';

const MAIL_COUNT = 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEARS_MS = 10 * 365 * 24 * HOUR_MS;

/** Steps that come once for all mails of a claim, or once for a connection that is kept. */
const ONCE: readonly LifeStep[] = [
  'claim-id-written',
  'claim-asked',
  'claim-answered',
  'claim-written',
  'waiting',
  'connect',
  'tls',
  'auth',
  'not-sent-asked',
];

/** One run of a cell: a small world in which the fault strikes at the step, for one of its mails. */
function cellPlan({ step, fault }: Cell, seed: number): Plan {
  const random = new SeededRandom((seed * 7_919) ^ hashOf(`${step.id}${fault.id}`));
  const reached = random.oneOf(step.reached);
  const nth = ONCE.includes(reached) || random.chance(0.5) ? 1 : 2;
  const troubles: PlannedTrouble[] = [];
  if (step.id === 'S17a') {
    // An earlier attempt must have ended with a certain "not sent".
    const reply = { code: 451, enhanced: '4.3.0', text: 'not now' };
    const play = { kind: 'reply', stage: 'envelope', command: 'data', reply } as const;
    troubles.push({ when: { kind: 'step', step: 'mail', nth: 1 }, what: { kind: 'smtp', play, forMs: 1 } });
  }
  if (fault.id === 'F17') {
    const when = random.chance(0.5) || reached === 'claim-id-written' ? 0 : random.below(40);
    troubles.push({ when: { kind: 'at', ms: when }, what: { kind: 'backup' } });
  }
  troubles.push({ when: { kind: 'step', step: reached, nth }, what: strike(fault.id, step.id, reached, random) });
  const waits = step.id === 'S05' && random.chance(0.7);
  const pace = waits
    ? Pace.parse({ gapMinMs: 2_000, gapMaxMs: 5_000, perMinute: null, perHour: null, perDay: null })
    : NO_PACE;
  return {
    seed: seed ^ hashOf(step.id),
    mailCount: MAIL_COUNT,
    pace,
    roughness: 0,
    oddity: 0,
    sharing: 0,
    folders: 'none',
    answers: 0,
    troubles,
    calmAfterMs: 3 * MINUTE_MS,
  };
}

function strike(
  fault: Cell['fault']['id'],
  step: Cell['step']['id'],
  reached: LifeStep,
  random: SeededRandom,
): Trouble {
  const forMs = random.between(1, random.oneOf([200, 5_000, 90_000]));
  const which = random.fraction();
  switch (fault) {
    case 'F01':
      return { kind: 'kill', backAfterMs: random.between(1, 5_000) };
    case 'F02':
      return { kind: 'power-loss', backAfterMs: random.between(1, 20_000) };
    case 'F03':
      return { kind: 'disk', how: 'full', forMs };
    case 'F04':
      return { kind: 'disk', how: 'io', forMs };
    case 'F05':
      return { kind: 'disk', how: 'busy', forMs };
    case 'F06':
      return { kind: 'network-down', forMs };
    case 'F07':
      return { kind: 'reply-lost' };
    case 'F08':
      return { kind: 'cloud-answers', problem: random.oneOf(['unavailable', 'internal']), forMs };
    case 'F09':
      // What was asked for was decided otherwise; where nothing is to decide, any other 409.
      if (step === 'S12a') return { kind: 'office-was-faster', which };
      if (step === 'S18') return { kind: 'told-otherwise' };
      return { kind: 'cloud-answers', problem: 'illegal-move', forMs: Math.min(forMs, 5_000) };
    case 'F10':
      return { kind: 'cloud-answers', problem: 'unauthorized', forMs };
    case 'F11':
      return { kind: 'cloud-answers', problem: 'rate-limited', forMs };
    case 'F12':
    case 'F13':
      return { kind: 'smtp', play: playAt(reached, fault === 'F12' ? 'broken' : 'replied', random), forMs: 1_000 };
    case 'F14':
      return { kind: 'clock-jump', ms: random.oneOf([HOUR_MS, -HOUR_MS, YEARS_MS, -YEARS_MS]) };
    case 'F15':
      return { kind: 'sleep', forMs: random.between(MINUTE_MS, 9 * HOUR_MS) };
    case 'F16':
      return { kind: 'second-process', lock: random.oneOf(['holds', 'fails']), forMs: random.between(1, 20_000) };
    case 'F17':
      return { kind: 'restore', which };
    case 'F18':
      return { kind: 'delete-ledger', which };
    case 'F19':
      return { kind: random.oneOf(['second-pc', 'second-pc', 'clone']) };
    case 'F20':
      return { kind: 'cancel', which };
    case 'F21':
      return { kind: 'claim-repeated', hash: random.oneOf(['same', 'other']), which };
    case 'F22':
      return { kind: 'quit', mode: random.oneOf(['drain', 'abandon']), backAfterMs: random.between(1, MINUTE_MS) };
    default:
      return assertNever(fault);
  }
}

/** What the mail server does wrong just there; after a mail's end it meets the next dialogue. */
function playAt(reached: LifeStep, how: 'broken' | 'replied', random: SeededRandom) {
  const stages: Readonly<Partial<Record<LifeStep, Stage>>> = {
    connect: 'connect',
    tls: 'tls',
    auth: 'auth',
    mail: 'envelope',
    rcpt: 'envelope',
    data: 'envelope',
    body: 'body',
    'mark-written': 'body',
    'gate-open': 'body',
    'end-of-data': 'handed-over',
  };
  const stage = stages[reached] ?? 'envelope';
  return drawPlay(random, { stage, command: stages[reached] === 'envelope' ? reached : null, how });
}

/** What is wrong with the run of a cell, for a person; null where all is as it must be. */
export async function judgeCell(cell: Cell, seed: number): Promise<string | null> {
  const plan = cellPlan(cell, seed);
  const result = await runPlan(plan);
  if (result.failure !== null) return result.failure;
  if (result.appliedCount !== plan.troubles.length) return 'the fault never struck';
  return isSurelySent(cell, plan) ? notAllSent(result) : null;
}

/** Struck before anybody can have begun it, by what only delays, a mail is sent; doubt would be a fault of ours. */
function isSurelySent({ step, fault }: Cell, plan: Plan): boolean {
  const when = plan.troubles.at(-1)?.when;
  return step.certain && fault.harmless && when?.kind === 'step' && when.nth === 1;
}

function notAllSent({ ends }: RunResult): string | null {
  const other = ends.filter((end) => end !== 'sent');
  return other.length === 0 ? null : `not sent without need: ${other.join(', ')}`;
}

function hashOf(text: string): number {
  let hash = 5381;
  for (const character of text) hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
