import type { Fault, NewConnection } from '../../test/support/faulty-proxy.ts';

/** Something that happens once so many mails of the task were taken over, and a moment later. */
export type ChaosEvent = {
  readonly kind: 'kill' | 'cut-smtp' | 'cut-http';
  readonly afterAccepted: number;
  readonly delayMs: number;
};

/** Everything that goes wrong in one run, drawn before it starts; then it is over and the run must end. */
export type ChaosPlan = {
  /** In the order in which they happen. */
  readonly events: readonly ChaosEvent[];
  /** For the first connections, one each; all later ones pass. */
  readonly smtpFaults: readonly Fault[];
  readonly httpFaults: readonly Fault[];
};

/** Uniform in [0, 1), the same sequence for the same seed. A 32-bit counter, mixed by multiply and shift. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

const MAILS_PER_KILL = 8;
const MAILS_PER_CUT = 6;
const MAILS_PER_FAULT = 4;
/** The last quarter of the mails is left for what the faults held up. */
const FAULTY_PART = 0.75;

/** For 40 mails: 5 to 7 kills, 14 cuts at a moment, 20 faults of single connections. */
export function planChaos(seed: number, mails: number): ChaosPlan {
  const random = seededRandom(seed);
  const whole = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <T>(choices: readonly [T, ...T[]]): T => choices[whole(0, choices.length - 1)] ?? choices[0];
  const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  const share = (perMails: number) => Math.max(2, Math.ceil(mails / perMails));

  const event = (kind: ChaosEvent['kind'], delayMaxMs: number): ChaosEvent => ({
    kind,
    afterAccepted: Math.floor(random() * mails * FAULTY_PART),
    delayMs: whole(0, delayMaxMs),
  });
  const events = [
    // A start takes about a second: some kills hit it, others the middle of a mail.
    ...times(share(MAILS_PER_KILL) + whole(0, 2), () => event('kill', 1_500)),
    ...times(share(MAILS_PER_CUT), () => event('cut-smtp', 200)),
    ...times(share(MAILS_PER_CUT), () => event('cut-http', 200)),
  ].sort((a, b) => a.afterAccepted - b.afterAccepted);

  /** Bytes of one connection within which a fault hits it: in its set-up, or in what it carries afterwards. */
  const fault = (upBytes: number, downBytes: number): Fault =>
    pick<() => Fault>([
      () => ({ kind: 'refuse' }),
      () => ({ kind: 'cut', direction: 'up', afterBytes: whole(0, upBytes) }),
      () => ({ kind: 'cut', direction: 'down', afterBytes: whole(0, downBytes) }),
      () => ({ kind: 'lose-reply', afterBytes: whole(0, downBytes), resetAfterMs: whole(20, 400) }),
      () => ({ kind: 'lose-reply', afterBytes: whole(0, downBytes), resetAfterMs: whole(20, 400) }),
      () => ({ kind: 'delay', oneWayMs: whole(1, 40) }),
    ])();
  return {
    events,
    smtpFaults: times(share(MAILS_PER_FAULT), () => fault(20_000, 3_500)),
    httpFaults: times(share(MAILS_PER_FAULT), () => fault(4_000, 1_500)),
  };
}

/**
 * Whether a connection to the cloud carries calls. One that carries an attachment is spared: a broken download puts its
 * mail off by minutes, which is right and too long to watch.
 */
export const isCall = ({ firstBytes }: NewConnection): boolean => firstBytes?.toString('latin1', 0, 4) !== 'GET ';
