import { Pace } from '../../src/shared/settings.ts';
import type { ProblemCode } from '../../src/shared/wire/problem.ts';
import { SeededRandom } from '../support/fakes-clock.ts';
import type { Play } from '../support/fakes-mailer.ts';
import { NO_PACE } from '../support/fakes-world.ts';
import type { Folders } from './mailroom.ts';
import { drawPlay } from './plays.ts';

/**
 * Where a mail's life can be interrupted: at every commit, at both ends of every request, at every step of the
 * dialogue. Between two of them the agent touches nothing outside itself, so a crash there is a crash at the next one.
 */
export const LIFE_STEPS = [
  'claim-id-written',
  'claim-asked',
  'claim-answered',
  'claim-written',
  'waiting',
  'preparing',
  'attempt-written',
  'connect',
  'tls',
  'auth',
  'mail',
  'rcpt',
  'data',
  'begin-asked',
  'begin-granted',
  'body',
  'mark-written',
  'gate-open',
  'end-of-data',
  'replied',
  'outcome-written',
  'outcome-kept',
  'not-sent-asked',
  'report-asked',
  'report-answered',
  'report-settled',
  'letters-read',
  'fact-written',
  'fact-kept',
  'fact-asked',
  'fact-answered',
] as const;
export type LifeStep = (typeof LIFE_STEPS)[number];

/** When something happens: at an instant after the start, or the `nth` time that this step (or any) is reached. */
export type When =
  | { readonly kind: 'at'; readonly ms: number }
  | { readonly kind: 'step'; readonly step: LifeStep | null; readonly nth: number };

/** Everything that may go wrong, and everything people may do. `which` chooses among mails or computers, in [0, 1). */
export type Trouble =
  | { readonly kind: 'kill' | 'power-loss'; readonly backAfterMs: number }
  | { readonly kind: 'quit'; readonly mode: 'drain' | 'abandon'; readonly backAfterMs: number }
  | { readonly kind: 'disk'; readonly how: 'full' | 'busy' | 'io'; readonly forMs: number }
  | { readonly kind: 'network-down'; readonly forMs: number }
  | { readonly kind: 'reply-lost' }
  | { readonly kind: 'cloud-answers'; readonly problem: ProblemCode; readonly forMs: number }
  | { readonly kind: 'office-was-faster'; readonly which: number }
  | { readonly kind: 'told-otherwise' }
  | { readonly kind: 'smtp'; readonly play: Play; readonly forMs: number }
  | { readonly kind: 'clock-jump'; readonly ms: number }
  | { readonly kind: 'sleep'; readonly forMs: number }
  | { readonly kind: 'second-process'; readonly lock: 'holds' | 'fails'; readonly forMs: number }
  | { readonly kind: 'backup' }
  | { readonly kind: 'restore' | 'delete-ledger'; readonly which: number }
  | { readonly kind: 'second-pc' | 'clone' }
  | { readonly kind: 'cancel' | 'give-back' | 'send-again'; readonly which: number }
  | { readonly kind: 'settle' | 'answer'; readonly as: 'sent' | 'failed'; readonly which: number }
  | { readonly kind: 'claim-repeated'; readonly hash: 'same' | 'other'; readonly which: number }
  | { readonly kind: 'pause'; readonly forMs: number | null }
  | { readonly kind: 'resume' }
  /** Somebody lets the mails to a held address go. */
  | { readonly kind: 'lift'; readonly which: number }
  | { readonly kind: 'office'; readonly command: 'pause' | 'resume' | 'sync' }
  | { readonly kind: 'queue'; readonly count: number };

export type PlannedTrouble = { readonly when: When; readonly what: Trouble };

/** A whole run, but for the dice: the same seed and plan give the same run. */
export type Plan = {
  readonly seed: number;
  readonly mailCount: number;
  readonly pace: Pace;
  /** How often a request or reply goes astray, a dialogue goes wrong, a message is late; in [0, 1). */
  readonly roughness: number;
  /** How many mails come with a wrong hash or an end that is near, in [0, 1). */
  readonly oddity: number;
  /** How many mails go to an address that was written to before, in [0, 1). */
  readonly sharing: number;
  readonly folders: Folders;
  /** How often a mail is answered or comes back, in [0, 1). */
  readonly answers: number;
  readonly troubles: readonly PlannedTrouble[];
  /** No trouble is planned after this; then everything mends. */
  readonly calmAfterMs: number;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export type Profile = 'quick' | 'long';

/** What a seed stands for: how many mails, how rough the sea, which troubles when. `long` has larger storms. */
export function drawPlan(seed: number, profile: Profile): Plan {
  const random = new SeededRandom(seed ^ 0x51_ed_27);
  const weather = random.fraction();
  const isStorm = weather < 0.45;
  const isCalm = weather > 0.8;
  const size = profile === 'long' ? 2 : 1;
  const mailCount = isStorm ? random.between(4, 30) : isCalm ? random.between(300, 700) : random.between(40, 160);
  const troubleCount = isStorm ? random.between(3, 16 * size) : random.between(0, 8 * size);
  const calmAfterMs = (isStorm ? random.between(2, 40) : random.between(1, 20)) * MINUTE_MS;
  const troubles = Array.from({ length: troubleCount }, (): PlannedTrouble => {
    const when: When = random.chance(0.45)
      ? { kind: 'at', ms: random.between(0, calmAfterMs) }
      : {
          kind: 'step',
          step: random.chance(0.4) ? null : random.oneOf(LIFE_STEPS),
          nth: 1 + random.below(random.chance(0.5) ? 6 : 60),
        };
    return { when, what: drawTrouble(random) };
  });
  const roughness = isStorm ? 0.02 + random.fraction() * 0.25 : isCalm ? 0.002 : random.fraction() * 0.04;
  return {
    seed,
    mailCount,
    pace: drawPace(random, isStorm ? 'any' : 'short'),
    roughness,
    oddity: 0.025,
    sharing: isStorm ? 0.3 : 0.03,
    folders: random.oneOf(['none', 'yes', 'no', 'unknown']),
    answers: isStorm ? 0.35 : isCalm ? 0.02 : 0.08,
    troubles,
    calmAfterMs,
  };
}

/** `any` may take days, `short` is over within hours. */
function drawPace(random: SeededRandom, length: 'any' | 'short'): Pace {
  if (random.chance(0.75)) return NO_PACE;
  const gapMinMs = random.between(0, 2_000);
  const isSlow = length === 'any' && random.chance(0.3);
  return Pace.parse({
    gapMinMs,
    gapMaxMs: gapMinMs + random.between(0, 3_000),
    perMinute: random.chance(0.7) ? random.between(8, 30) : null,
    perHour: random.chance(0.3) ? random.between(200, 500) : null,
    perDay: isSlow ? random.between(25, 60) : null,
    perHourPerDomain: length === 'any' && random.chance(0.4) ? random.between(2, 10) : null,
    rampUpDays: isSlow ? random.between(1, 5) : null,
    pauseAfterEqualErrors: random.chance(0.4) ? random.between(2, 5) : null,
    pauseAboveRefusedPercent: random.chance(0.4) ? random.between(20, 60) : null,
    workingHours: isSlow ? { from: '08:30', to: '17:30', days: [1, 2, 3, 4, 5], timeZone: 'Asia/Shanghai' } : null,
  });
}

const JUMPS_MS = [HOUR_MS, -HOUR_MS, 10 * 365 * 24 * HOUR_MS, -10 * 365 * 24 * HOUR_MS, 90_000, -90_000];

/** The faults by weight; each is drawn with its own measures. */
const DRAWS: readonly (readonly [weight: number, draw: (random: SeededRandom) => Trouble])[] = [
  [12, (random) => ({ kind: 'kill', backAfterMs: random.between(100, 2 * MINUTE_MS) })],
  [8, (random) => ({ kind: 'power-loss', backAfterMs: random.between(100, 5 * MINUTE_MS) })],
  [
    4,
    (random) => ({ kind: 'quit', mode: random.oneOf(['drain', 'abandon']), backAfterMs: random.between(1, MINUTE_MS) }),
  ],
  [6, (random) => ({ kind: 'disk', how: random.oneOf(['full', 'busy', 'io']), forMs: random.between(1, MINUTE_MS) })],
  [5, (random) => ({ kind: 'network-down', forMs: random.between(100, 10 * MINUTE_MS) })],
  [8, () => ({ kind: 'reply-lost' })],
  [5, (random) => ({ kind: 'cloud-answers', problem: random.oneOf(PROBLEMS), forMs: random.between(1, MINUTE_MS) })],
  [3, (random) => ({ kind: 'office-was-faster', which: random.fraction() })],
  [1, () => ({ kind: 'told-otherwise' })],
  [10, (random) => ({ kind: 'smtp', play: drawPlay(random, null), forMs: random.between(1, MINUTE_MS) })],
  [3, (random) => ({ kind: 'clock-jump', ms: random.oneOf(JUMPS_MS) })],
  [4, (random) => ({ kind: 'sleep', forMs: random.between(1_000, 3 * HOUR_MS) })],
  [
    2,
    (random) => ({
      kind: 'second-process',
      lock: random.oneOf(['holds', 'fails']),
      forMs: random.between(1_000, 3 * MINUTE_MS),
    }),
  ],
  [3, () => ({ kind: 'backup' })],
  [4, (random) => ({ kind: 'restore', which: random.fraction() })],
  [3, (random) => ({ kind: 'delete-ledger', which: random.fraction() })],
  [3, () => ({ kind: 'second-pc' })],
  [3, () => ({ kind: 'clone' })],
  [8, (random) => ({ kind: 'cancel', which: random.fraction() })],
  [5, (random) => ({ kind: 'give-back', which: random.fraction() })],
  [4, (random) => ({ kind: 'send-again', which: random.fraction() })],
  [4, (random) => ({ kind: 'settle', as: random.oneOf(['sent', 'failed']), which: random.fraction() })],
  [4, (random) => ({ kind: 'answer', as: random.oneOf(['sent', 'failed']), which: random.fraction() })],
  [3, (random) => ({ kind: 'claim-repeated', hash: random.oneOf(['same', 'other']), which: random.fraction() })],
  [3, (random) => ({ kind: 'pause', forMs: random.chance(0.5) ? random.between(1_000, 10 * MINUTE_MS) : null })],
  [4, () => ({ kind: 'resume' })],
  [3, (random) => ({ kind: 'lift', which: random.fraction() })],
  [3, (random) => ({ kind: 'office', command: random.oneOf(['pause', 'resume', 'sync']) })],
  [3, (random) => ({ kind: 'queue', count: random.between(1, 5) })],
];
const PROBLEMS: readonly ProblemCode[] = ['unavailable', 'internal', 'rate-limited', 'unauthorized'];
const WEIGHT = DRAWS.reduce((sum, [weight]) => sum + weight, 0);

function drawTrouble(random: SeededRandom): Trouble {
  let left = random.fraction() * WEIGHT;
  for (const [weight, draw] of DRAWS) {
    left -= weight;
    if (left < 0) return draw(random);
  }
  return { kind: 'reply-lost' };
}
