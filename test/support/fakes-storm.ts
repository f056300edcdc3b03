import { expect } from 'vitest';
import { SeededRandom } from './fakes-clock.ts';
import type { CallName, CloudFault } from './fakes-cloud.ts';
import type { CloudMail } from './fakes-cloud-mail.ts';
import { Killed } from './fakes-life.ts';
import type { Play } from './fakes-mailer.ts';
import { type RunningAgent, World } from './fakes-world.ts';
import type { MemoryLedger } from './memory-ledger.ts';

const HOUR_MS = 3_600_000;

/** Crashes, losses, a failing disk, an office that changes its mind: a few lives of an agent under everything at once. */
export class Storm {
  readonly world: World;
  readonly random: SeededRandom;
  /** Mails whose cancellation the cloud acknowledged. */
  readonly cancelled = new Set<string>();
  readonly #backups: MemoryLedger[] = [];
  #agents: RunningAgent[] = [];

  constructor(seed: number) {
    this.world = new World(seed);
    this.random = new SeededRandom(seed ^ 0x5eed);
    const { cloud } = this.world;
    cloud.queueMany(5);
    cloud.queue('bad-hash', { hash: `sha256:${'0'.repeat(64)}` });
    cloud.queue('short-lived', { notAfterMs: this.world.clock.nowMs() + 5 * 60_000 });
    this.#stir();
  }

  async live(): Promise<void> {
    for (let life = 0; life < 4; life += 1) {
      const death = this.#chance(0.7)
        ? ({ call: 1 + this.random.below(60), when: this.#chance(0.5) ? 'before' : 'after' } as const)
        : null;
      this.#agents.push(this.world.start({}, { death }));
      if (this.#chance(0.15)) this.#startClone();
      for (let moment = 0; moment < 4; moment += 1) {
        await this.world.clock.advance(this.random.below(120_000));
        this.#act();
        expectSafe(this);
      }
      for (const agent of this.#agents.splice(0)) agent.kill();
      this.#backups.push(this.world.ledger.copy());
      const fate = this.random.fraction();
      if (fate < 0.2) this.world.ledger = this.world.emptyLedger();
      else if (fate < 0.4) this.world.ledger = this.#oneOf(this.#backups).copy();
    }
  }

  /** The faults stop, and somebody ends every pause. */
  async calm(): Promise<void> {
    const { world } = this;
    world.cloud.faultFor = () => null;
    world.smtp.playFor = () => ({ kind: 'accept' });
    world.diskFailure = () => null;
    world.diskDoubt = () => false;
    world.cloud.commands.splice(0);
    const agent = world.start();
    await world.clock.settle();
    agent.resume();
    world.ledger.commit([{ kind: 'hold-lifted', holdKind: 'cloud' }]);
    await world.clock.runUntil(() => isAtRest(world), 48 * HOUR_MS).catch(() => undefined);
    agent.kill();
  }

  #stir(): void {
    const { cloud, smtp } = this.world;
    cloud.faultFor = (name) => (this.#chance(0.25) ? this.#oneOf(faultsOf(name)) : null);
    smtp.playFor = () => (this.#chance(0.5) ? this.#oneOf(PLAYS) : { kind: 'accept' });
    this.world.diskFailure = () => (this.#chance(0.05) ? { kind: 'full', text: 'disk full' } : null);
    this.world.diskDoubt = () => this.#chance(0.03);
  }

  #act(): void {
    const { cloud } = this.world;
    const mail = this.#oneOf([...cloud.mails.values()]);
    switch (this.random.below(8)) {
      case 0:
        if (cloud.cancel(mail.id) === 'stopped') this.cancelled.add(mail.id);
        return;
      case 1:
        cloud.giveBack(mail.id);
        return;
      case 2:
        cloud.commands.push(this.#oneOf(['sync', 'sync', 'pause', 'resume', 'dance']));
        return;
      case 3:
        cloud.queueMany(1);
        return;
      case 4:
        for (const agent of this.#agents) if (agent.isAlive()) resumeOrDie(agent);
        return;
      default:
    }
  }

  /** The data folder was copied to a second computer, and both run. */
  #startClone(): void {
    const own = this.world.ledger;
    this.world.ledger = own.copy();
    this.#agents.push(this.world.start());
    this.world.ledger = own;
  }

  #chance(probability: number): boolean {
    return this.random.fraction() < probability;
  }

  #oneOf<T>(list: readonly T[]): T {
    const one = list[this.random.below(list.length)];
    if (one === undefined) throw new Error('an empty list');
    return one;
  }
}

/** The process may die in the middle of this, too. */
function resumeOrDie(agent: RunningAgent): void {
  try {
    agent.resume();
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

function faultsOf(name: CallName): readonly CloudFault[] {
  const delays: CloudFault[] = [{ delayMs: 3_000 }, { delayMs: 100_000 }];
  const late: CloudFault[] =
    name === 'begin' || name === 'notSent' || name === 'result' ? [{ arriveAfterMs: 20_000 }] : [];
  return [
    'lose-request',
    'lose-reply',
    'lose-reply',
    'nonsense',
    { problem: 'unavailable' },
    { problem: 'internal' },
    ...delays,
    ...late,
    ...(name === 'claim' || name === 'sync' ? (['too-large'] as const) : []),
  ];
}

const reply = (code: number, enhanced: string, text: string) => ({ code, enhanced, text });
const PLAYS: readonly Play[] = [
  { kind: 'break', stage: 'connect', cause: 'refused' },
  { kind: 'break', stage: 'tls', cause: 'certificate' },
  { kind: 'reply', stage: 'auth', reply: reply(535, '5.7.8', 'bad password') },
  { kind: 'reply', stage: 'envelope', command: 'rcpt', reply: reply(550, '5.1.1', 'no such user') },
  { kind: 'reply', stage: 'envelope', command: 'rcpt', reply: reply(450, '4.2.0', 'greylisted, try later') },
  { kind: 'break', stage: 'envelope' },
  { kind: 'break', stage: 'body' },
  { kind: 'hang', stage: 'envelope', forMs: 90_000 },
  { kind: 'reply', stage: 'handed-over', reply: reply(554, '5.6.0', 'malformed') },
  { kind: 'reply', stage: 'handed-over', reply: reply(451, '4.3.0', 'try again later') },
  { kind: 'reply', stage: 'handed-over', reply: reply(421, '4.4.2', 'closing') },
  { kind: 'break', stage: 'handed-over', arrived: true },
  { kind: 'break', stage: 'handed-over', arrived: false },
  { kind: 'hang', stage: 'handed-over', forMs: 60_000, arrived: true },
];

/** I1, I4, I5 and the truth of every result, at any moment. */
export function expectSafe({ world, cancelled }: Storm): void {
  const { smtp, cloud } = world;
  for (const [id, count] of smtp.acceptances) expect(`${id} accepted ${count} times`).toBe(`${id} accepted 1 times`);
  expect(smtp.ends.has('bad-hash')).toBe(false);
  expect(
    [...cancelled].filter((id) => smtp.ends.has(id) && wasAcceptedAfter(cloud.mail(id), smtp.acceptances)),
  ).toEqual([]);
  for (const mail of cloud.mails.values()) {
    if (mail.status === 'sent') expect(`${mail.id} ${smtp.acceptances.get(mail.id) ?? 0}`).toBe(`${mail.id} 1`);
    if (mail.status === 'send_failed') expect(smtp.acceptances.get(mail.id) ?? 0).toBe(0);
  }
}

const wasAcceptedAfter = (mail: CloudMail, acceptances: ReadonlyMap<string, number>): boolean =>
  acceptances.has(mail.id);

/** I2 and I3: every mail is final in the cloud or stands before a person, and everything was told. */
function isAtRest({ cloud, ledger }: World): boolean {
  const counts = ledger.counts();
  const settled = [...cloud.mails.values()].every(isSettled);
  return settled && counts.claimed + counts.attempting + counts['handed-over'] + counts.untold === 0;
}

export const isSettled = (mail: CloudMail): boolean =>
  mail.status === 'sending' ? mail.uncertain : mail.status !== 'queued';
