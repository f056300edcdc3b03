import { describe, expect, it } from 'vitest';
import type { LedgerFailure } from '../../src/main/engine/ports.ts';
import { fakeComposer } from '../support/fakes-mailer.ts';
import { NO_PACE, World } from '../support/fakes-world.ts';

const HOUR_MS = 3_600_000;

/** A world with two mails, and the instants at which each was composed. */
function worldOfTwo() {
  const world = new World();
  const composed: (readonly [id: string, dateMs: number])[] = [];
  const composer = fakeComposer();
  world.composer = {
    compose(mail, signal) {
      composed.push([mail.id, mail.dateMs]);
      return composer.compose(mail, signal);
    },
  };
  world.smtp.playFor = (id) => ({ kind: 'accept', afterMs: id === '1' ? 5_000 : 0 });
  world.cloud.queueMany(2);
  const timesOf = (id: string) => composed.filter(([mailId]) => mailId === id).map(([, dateMs]) => dateMs);
  return { world, timesOf };
}

describe('the send loop', () => {
  it.each([
    ['for an hour', (nowMs: number) => nowMs + HOUR_MS],
    ['until somebody lets it go on', () => null],
  ])('composes a mail anew where it pauses before its turn, %s', async (_, untilMs) => {
    const { world, timesOf } = worldOfTwo();
    const agent = world.start();
    await world.untilState('1', 'handed-over');
    await world.clock.advance(1_000);
    const before = timesOf('2').length;
    agent.pause(untilMs(world.clock.nowMs()));
    await world.clock.advance(HOUR_MS);
    const nowMs = world.clock.nowMs();
    agent.resume();
    await world.untilStatus('2', 'sent');

    expect(before).toBe(1);
    expect(timesOf('2').at(-1)).toBeGreaterThanOrEqual(nowMs - 1_000);
  });

  it('keeps a mail that is composed where its turn comes within a moment', async () => {
    const { world, timesOf } = worldOfTwo();
    world.start({ pace: { ...NO_PACE, gapMinMs: 1_000, gapMaxMs: 1_000 } });
    await world.untilStatus('2', 'sent');

    expect(timesOf('2')).toHaveLength(1);
  });

  it.each<[string, LedgerFailure, number]>([
    ['compares with the cloud where the start of a mail may be on disk', { kind: 'io', text: '', reopened: false }, 2],
    ['just goes on where it is not', { kind: 'full', text: '' }, 1],
  ])('%s', async (_, failure, syncs) => {
    const world = new World();
    world.cloud.queue('1');
    const startMs = world.clock.nowMs();
    const fails = () => world.state('1') === 'claimed' && world.clock.nowMs() < startMs + 1_000;
    world.diskFailure = () => (fails() ? failure : null);
    // With room for one more the next claim would find the disk in trouble first.
    world.start({ holdMax: 1 });
    await world.untilStatus('1', 'sent');

    expect(world.cloud.callsOf('sync')).toHaveLength(syncs);
  });

  it('shows a mail from the moment its attempt starts until it has ended', async () => {
    const world = new World();
    world.smtp.stageMs = 1_000;
    world.cloud.queue('1');
    const agent = world.start();
    const shown: string[] = [];
    agent.onChange(() => {
      const { current } = agent.status();
      const line = current === null ? 'nothing' : `${current.mailId} ${current.attempt} ${current.stage}`;
      if (shown.at(-1) !== line) shown.push(line);
    });
    await world.untilStatus('1', 'sent');

    expect(shown).toEqual([
      'nothing',
      '1 1 connect',
      '1 1 tls',
      '1 1 auth',
      '1 1 envelope',
      '1 1 body',
      '1 1 handed-over',
      'nothing',
    ]);
  });
});
