import { describe, expect, it } from 'vitest';
import type { LedgerFailure } from '../../src/main/engine/ports.ts';
import { World } from '../support/fakes-world.ts';

const FULL: LedgerFailure = { kind: 'full', text: 'disk full' };

/** Three mails of which one is put off once, so that every kind of commit happens. */
function busyWorld(): World {
  const world = new World();
  world.smtp.plays.push({ kind: 'accept' }, { kind: 'break', stage: 'body' });
  world.cloud.queueMany(3);
  return world;
}

describe('a ledger that cannot be written', () => {
  it.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    'at commit %i and for five minutes after it costs no mail and doubles none',
    async (nth) => {
      const world = busyWorld();
      let commits = 0;
      let backAtMs: number | null = null;
      world.diskFailure = () => {
        commits += 1;
        if (commits >= nth) backAtMs ??= world.clock.nowMs() + 5 * 60_000;
        return backAtMs !== null && world.clock.nowMs() < backAtMs ? FULL : null;
      };
      world.start();

      await world.clock.runUntil(() => world.ledger.counts().sent === 3 && world.ledger.counts().untold === 0);
      await world.clock.advance(60_000);

      expect(world.smtp.accepted.toSorted()).toEqual(['1', '2', '3']);
      expect([...world.cloud.mails.values()].map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
      expect(world.ledger.counts()).toMatchObject({ conflicts: 0, uncertain: 0 });
    },
  );

  it.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    'whose commit %i happened although it failed costs no mail and doubles none',
    async (nth) => {
      const world = busyWorld();
      let commits = 0;
      world.diskDoubt = () => {
        commits += 1;
        return commits === nth;
      };
      world.start();

      await world.clock.runUntil(() => world.ledger.counts().sent === 3 && world.ledger.counts().untold === 0);

      expect(world.smtp.accepted.toSorted()).toEqual(['1', '2', '3']);
      expect(world.ledger.counts()).toMatchObject({ conflicts: 0, uncertain: 0 });
    },
  );

  it('sends nothing while it lasts, says so, and goes on by itself', async () => {
    const world = new World();
    const agent = world.start();
    await world.clock.advance(1_000);
    world.diskFailure = () => FULL;
    world.cloud.queueMany(2);
    await world.clock.advance(600_000);
    const during = { dialogues: world.smtp.dialogues.length, status: agent.status() };
    world.diskFailure = () => null;

    await world.untilStatus('2', 'sent', 120_000);

    expect(during.dialogues).toBe(0);
    expect(during.status).toMatchObject({ state: 'needs-you', holds: [{ kind: 'ledger' }] });
    expect(agent.status().holds).toEqual([]);
  });

  it('that fails once, while nothing is there to send, is tried again within seconds', async () => {
    const world = new World();
    world.start();
    await world.clock.advance(1_000);
    const failures: LedgerFailure[] = [{ kind: 'io', text: 'EIO', reopened: true }];
    world.diskFailure = () => failures.shift() ?? null;
    world.cloud.queue('1');

    await world.untilStatus('1', 'sent', 15_000);

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('keeps a known outcome until there is room, and ends without it only when told to end at once', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'accept', afterMs: 10_000 });
    world.cloud.queue('1');
    const agent = world.start();
    await world.clock.runUntil(() => world.smtp.ends.size > 0);
    world.diskFailure = () => FULL;
    agent.stop('drain');
    await world.clock.advance(600_000);
    const during = world.state('1');

    await world.end(agent, 'abandon');
    world.diskFailure = () => null;
    world.start();
    await world.clock.runUntil(() => world.cloud.mail('1').uncertain);

    expect(during).toBe('handed-over');
    expect(world.state('1')).toBe('uncertain');
    expect(world.smtp.accepted).toEqual(['1']);
  });
});
