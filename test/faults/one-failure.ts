import type { LedgerFailure } from '../../src/main/engine/ports.ts';
import { err } from '../../src/shared/result.ts';
import { faultyParts, opened, sqliteError } from '../adapters/sqlite/ledger-folder.ts';
import type { CallName, CloudFault } from '../support/fakes-cloud.ts';
import { isSettled } from '../support/fakes-cloud-mail.ts';
import type { Play } from '../support/fakes-mailer.ts';
import { type RunningAgent, World } from '../support/fakes-world.ts';

export const MAIL_COUNT = 5;
const LIMIT_MS = 24 * 3_600_000;

/** One way in which one call of one port goes wrong. Answers the number of calls there were. */
export type FailOnce = (world: World, nth: number, looks: Looks) => () => number;

/** True while the test itself reads the ledger: its calls are not counted. */
type Looks = { now: boolean };

/**
 * Runs five mails with the nth call of a port failing once. Answers what does not hold once all is at rest, and how many
 * calls there were: beyond that number nothing can fail any more.
 */
export async function runFiveMails(
  fail: FailOnce,
  nth: number,
): Promise<{ readonly broken: readonly string[]; readonly calls: number }> {
  const world = new World(7);
  const looks: Looks = { now: false };
  const calls = fail(world, nth, looks);
  const look = <T>(read: () => T): T => {
    looks.now = true;
    const found = read();
    looks.now = false;
    return found;
  };
  world.cloud.queueMany(MAIL_COUNT);
  let agent = startWatched(world);
  const isAtRest = (): boolean => {
    // An agent that found its ledger broken beyond use has ended, as it should; a person starts it again.
    if (agent.hasEnded()) agent = startWatched(world);
    const { claimed, attempting, untold, 'handed-over': handedOver } = look(() => world.ledger.counts());
    return [...world.cloud.mails.values()].every(isSettled) && claimed + attempting + handedOver + untold === 0;
  };
  const came = await world.clock.runUntil(isAtRest, LIMIT_MS).then(
    () => true,
    () => false,
  );
  agent.kill();
  return { broken: [...(came ? [] : ['it never came to rest']), ...look(() => brokenIn(world))], calls: calls() };
}

/** Where it does not even start, once more, as a person would. */
function startWatched(world: World): RunningAgent & { hasEnded(): boolean } {
  let ended = false;
  let agent: RunningAgent;
  try {
    agent = world.start();
  } catch {
    agent = world.start();
  }
  const note = () => {
    ended = true;
  };
  agent.ended.then(note, note);
  return Object.assign(agent, { hasEnded: () => ended });
}

function brokenIn({ cloud, smtp, ledger }: World): readonly string[] {
  const broken: string[] = [];
  for (const mail of cloud.mails.values()) {
    const accepted = smtp.acceptances.get(mail.id) ?? 0;
    if ((smtp.ends.get(mail.id) ?? 0) > 1) broken.push(`mail ${mail.id} was handed over twice`);
    if (mail.status === 'sent' && accepted !== 1) broken.push(`mail ${mail.id} is called sent and was not taken`);
    if (mail.status === 'send_failed') broken.push(`mail ${mail.id} failed, though nothing refused it`);
    const here = ledger.mail(mail.id)?.state.kind;
    const there = mail.status === 'sending' ? 'uncertain' : mail.status;
    if (here !== there) broken.push(`mail ${mail.id}: ${here} here, ${there} there`);
  }
  if (ledger.counts().conflicts > 0) broken.push('a conflict is shown that is none');
  return broken;
}

// ---- the ports

/** The commit does not happen. */
export const commitFails =
  (failure: LedgerFailure): FailOnce =>
  (world, nth) => {
    let count = 0;
    world.diskFailure = () => {
      count += 1;
      return count === nth ? failure : null;
    };
    return () => count;
  };

/** The commit happens and its answer is an error. */
export const commitInDoubt: FailOnce = (world, nth) => {
  let count = 0;
  world.diskDoubt = () => {
    count += 1;
    return count === nth;
  };
  return () => count;
};

/** A read of the ledger throws, as it does where the file is broken beyond use. */
export const readThrows: FailOnce = (world, nth, looks) => {
  let count = 0;
  const real = world.ledger;
  const failing = Object.entries(real).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function' || ['commit', 'close', 'copy'].includes(name)) return [name, value];
    const read = (...args: unknown[]): unknown => {
      if (looks.now) return Reflect.apply(value, real, args);
      count += 1;
      if (count === nth) throw new Error(`SQLITE_IOERR_READ: made by the test at ${name}`);
      return Reflect.apply(value, real, args);
    };
    return [name, read];
  });
  world.ledger = { ...real, ...Object.fromEntries(failing) };
  return () => count;
};

/** `only` leaves the other calls uncounted. */
export const cloudFails =
  (fault: CloudFault, only: readonly CallName[] | null = null): FailOnce =>
  (world, nth) => {
    let count = 0;
    world.cloud.faultFor = (name) => {
      if (only !== null && !only.includes(name)) return null;
      count += 1;
      return count === nth ? fault : null;
    };
    return () => count;
  };

/** What comes before the envelope comes on a fresh connection alone: the one before it is dropped first. */
export const smtpFails =
  (play: Exclude<Play, { kind: 'accept' }>): FailOnce =>
  (world, nth) => {
    const needsConnecting = ['connect', 'tls', 'auth'].includes(play.stage);
    let count = 0;
    world.smtp.playFor = () => {
      count += 1;
      if (count === nth) return play;
      return needsConnecting && count === nth - 1 ? { kind: 'break', stage: 'envelope' } : { kind: 'accept' };
    };
    return () => count;
  };

/** An attachment, or what else a message is made of, cannot be read now. */
export const fileFails: FailOnce = (world, nth) => {
  let count = 0;
  const { composer } = world;
  world.composer = {
    compose: async (mail, signal) => {
      count += 1;
      if (count !== nth) return composer.compose(mail, signal);
      const failure = { stage: 'prepare', class: 'local', reply: null, message: 'EIO' } as const;
      return err({ kind: 'temporary', failure });
    },
  };
  return () => count;
};

/** One statement of the real ledger, before it runs or after, with an error of SQLite's. */
export const statementFails =
  (folder: string, code: string, when: 'before' | 'after'): FailOnce =>
  (world, nth, looks) => {
    const { parts, faults } = faultyParts();
    const { ledger } = opened(folder, parts);
    let count = 0;
    faults[when] = () => {
      if (looks.now) return;
      count += 1;
      if (count === nth) throw sqliteError(code);
    };
    world.ledger = { ...world.ledger, ...ledger };
    return () => count;
  };
