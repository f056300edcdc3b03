import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/main/engine/agent.ts';
import { Pace } from '../../src/shared/settings.ts';
import { NO_PACE, World } from '../support/fakes-world.ts';

describe('an agent that is told to end', () => {
  it('finishes the mail under way, tells its report, starts no other and says what is left', async () => {
    const world = new World();
    world.smtp.stageMs = 5_000;
    world.cloud.queueMany(3);
    const agent = world.start();
    await world.clock.runUntil(() => world.smtp.dialogues.length === 1);

    const report = await world.end(agent, 'drain');

    expect(report).toEqual({ waiting: 2, untold: 0, uncertain: 0 });
    expect(world.smtp.accepted).toEqual(['1']);
    expect(world.cloud.mail('1').status).toBe('sent');
    expect(world.ledger.counts().attempting).toBe(0);
  });

  it('goes on with its heartbeat while the last mail is under way', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'hang', stage: 'handed-over', forMs: 300_000, arrived: true });
    world.cloud.queue('1');
    const agent = world.start();
    await world.clock.runUntil(() => world.smtp.ends.size > 0);

    await world.end(agent, 'drain');

    expect(world.cloud.heartbeats.length).toBeGreaterThanOrEqual(5);
  });

  it('drops what was not handed over when it is told to end at once', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'hang', stage: 'envelope' });
    world.cloud.queueMany(2);
    const agent = world.start();
    await world.clock.runUntil(() => world.cloud.mail('1').begun !== null);
    const beforeMs = world.clock.monotonicMs();

    const report = await world.end(agent, 'abandon');

    expect(report).toMatchObject({ waiting: 2, uncertain: 0 });
    expect(world.clock.monotonicMs() - beforeMs).toBeLessThan(1_000);
    expect(world.smtp.ends.size).toBe(0);
    expect(world.ledger.mail('1')?.state).toMatchObject({ kind: 'claimed', attempt: 1 });
  });

  it('waits for the reply of a mail that was handed over even when it is told to end at once', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'accept', afterMs: 300_000 });
    world.cloud.queue('1');
    const agent = world.start();
    await world.clock.runUntil(() => world.smtp.ends.size > 0);

    await world.end(agent, 'abandon');

    expect(world.state('1')).toBe('sent');
  });

  it('sends a mail that it dropped once when it is started again', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'hang', stage: 'envelope' });
    world.cloud.queue('1');
    const agent = world.start();
    await world.clock.runUntil(() => world.cloud.mail('1').begun !== null);
    await world.end(agent, 'abandon');
    world.start();

    await world.untilStatus('1', 'sent');

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('gives up telling after a while where the cloud is gone, and says how much is untold', async () => {
    const world = new World();
    world.cloud.queue('1');
    world.cloud.faultFor = (name) => (name === 'result' ? 'hang' : null);
    const agent = world.start();
    await world.untilState('1', 'sent');
    const beforeMs = world.clock.monotonicMs();

    const report = await world.end(agent, 'drain');

    expect(report).toEqual({ waiting: 0, untold: 1, uncertain: 0 });
    expect(world.clock.monotonicMs() - beforeMs).toBeLessThan(15_000);
  });

  it('ends at once while it waits for the cloud', async () => {
    const world = new World();
    world.cloud.faultFor = () => 'hang';
    const agent = world.start();
    await world.clock.advance(5_000);

    expect(await world.end(agent, 'drain')).toEqual({ waiting: 0, untold: 0, uncertain: 0 });
  });
});

describe("a person's word", () => {
  /** One mail that may have been sent, and an agent that waits for somebody to say. */
  async function uncertain() {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'break', stage: 'handed-over' });
    world.cloud.queue('1');
    const agent = world.start();
    await world.untilState('1', 'uncertain');
    await world.clock.advance(10_000);
    return { world, agent };
  }

  it.each<[string, (agent: Agent) => unknown]>([
    ['pause', (agent) => agent.pause(null)],
    ['go on', (agent) => agent.resume()],
    ['try now', (agent) => agent.tryNow()],
    ['write to an address again', (agent) => agent.liftAddress('somebody@example.com')],
    ['it was sent', (agent) => agent.resolve('1', 'sent')],
  ])('is told to those who listen before the call is over: %s', async (_, say) => {
    const { agent } = await uncertain();
    let told = 0;
    agent.onChange(() => {
      told += 1;
    });

    say(agent);

    expect(told).toBeGreaterThan(0);
  });

  it('to pause is told to the cloud at once', async () => {
    const world = new World();
    const agent = world.start();
    await world.clock.advance(5_000);

    agent.pause(null);
    await world.clock.advance(1_000);

    expect(world.cloud.heartbeats.at(-1)).toMatchObject({ state: 'paused' });
  });

  it('about an uncertain mail is told to the cloud at once', async () => {
    const { world, agent } = await uncertain();

    expect(agent.resolve('1', 'sent')).toEqual({ ok: true, value: undefined });

    await world.untilStatus('1', 'sent', 1_000);
  });

  it('about an address that is not held changes nothing', () => {
    const world = new World();
    const agent = world.start();

    expect(agent.liftAddress('somebody@example.com')).toEqual({ ok: true, value: undefined });
  });

  it('that cannot be written is not taken', async () => {
    const { world, agent } = await uncertain();
    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });

    expect(agent.resolve('1', 'sent')).toEqual({ ok: false, error: 'ledger' });
    expect(agent.liftAddress('somebody@example.com')).toEqual({ ok: false, error: 'ledger' });
    expect(world.state('1')).toBe('uncertain');
  });
});

describe('an agent with a fault of its own', () => {
  it('ends by rejecting, whichever loop it is in, and stops all the others', async () => {
    for (const broken of ['sendLoop', 'reportLoop'] as const) {
      const world = new World();
      const agent = world.start();
      await world.clock.advance(1_000);
      const fault = () => {
        throw new Error('a fault');
      };
      if (broken === 'sendLoop') world.composer.compose = fault;
      else world.cloud.faultFor = (name) => (name === 'result' ? fault() : null);
      world.cloud.queue('1');
      await world.clock.advance(60_000);

      await expect(agent.ended).rejects.toThrow('a fault');
      const calls = world.cloud.calls.length;
      await world.clock.advance(600_000);
      expect(world.cloud.calls.length).toBe(calls);
    }
  });
});

describe('the pace', () => {
  const pace = Pace.parse({ ...NO_PACE, gapMinMs: 20_000, gapMaxMs: 60_000, perHour: 3 });
  const times = (world: World) => world.cloud.callsOf('begin').map(({ atMs }) => atMs);

  it('keeps a random pause between two mails and the limit of an hour', async () => {
    const world = new World();
    world.cloud.queueMany(5);
    const agent = world.start({ pace });

    await world.untilStatus('3', 'sent');
    await world.clock.advance(60_000);
    const status = agent.status();
    await world.untilStatus('5', 'sent');

    const [one = 0, two = 0, three = 0, four = 0] = times(world);
    for (const gapMs of [two - one, three - two]) {
      expect(gapMs).toBeGreaterThanOrEqual(20_000);
      expect(gapMs).toBeLessThanOrEqual(61_000);
    }
    expect(two - one).not.toBe(three - two);
    expect(four - one).toBeGreaterThanOrEqual(3_600_000);
    expect(status).toMatchObject({ state: 'idle', waiting: { why: 'per-hour', untilMs: expect.any(Number) } });
  });

  it('is remembered over a restart', async () => {
    const world = new World();
    world.cloud.queueMany(4);
    const first = world.start({ pace });
    await world.untilStatus('3', 'sent');
    const thirdMs = times(world)[0] ?? 0;
    first.kill();
    world.start({ pace });

    await world.untilStatus('4', 'sent');

    expect(world.clock.nowMs() - thirdMs).toBeGreaterThanOrEqual(3_600_000);
  });

  it('counts a mail that may have arrived, and not one that certainly did not', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'body' }, { kind: 'break', stage: 'handed-over' });
    world.cloud.queueMany(3);
    world.start({ pace: Pace.parse({ ...NO_PACE, perHour: 2 }) });

    await world.untilStatus('2', 'sent');
    const second = {
      atMs: world.clock.nowMs(),
      submissions: world.ledger.recentSubmissions(10, world.clock.nowMs()).length,
    };
    await world.untilStatus('3', 'sent');

    const [startMs = 0] = times(world);
    expect(second.atMs - startMs).toBeLessThan(3_600_000);
    expect(second.submissions).toBe(2);
    expect(world.clock.nowMs() - startMs).toBeGreaterThan(3_600_000);
  });
});

describe('what an agent shows', () => {
  it('counts the mails and names the one under way with its stage', async () => {
    const world = new World();
    world.smtp.stageMs = 1_000;
    world.cloud.queueMany(3);
    const agent = world.start();
    await world.untilStatus('1', 'sent');
    await world.clock.advance(500);

    expect(agent.status()).toMatchObject({
      state: 'sending',
      synced: true,
      cloudReachable: true,
      counts: { sent: 1, waiting: 1, sending: 1, untold: expect.any(Number) },
      current: { mailId: '2', attempt: 1, stage: 'envelope' },
      waiting: null,
    });
  });

  it('tells those who listen until they listen no more', async () => {
    const world = new World();
    const agent = world.start();
    let changes = 0;
    const unlisten = agent.onChange(() => {
      changes += 1;
    });
    world.cloud.queue('1');
    await world.untilStatus('1', 'sent');
    const heard = changes;
    unlisten();
    world.cloud.queue('2');
    await world.untilStatus('2', 'sent');

    expect(heard).toBeGreaterThan(3);
    expect(changes).toBe(heard);
  });

  it('looks for mails at once when a person asks', async () => {
    const world = new World();
    world.cloud.faultFor = (name) => (name === 'claim' ? 'lose-request' : null);
    const agent = world.start();
    await world.clock.advance(600_000);
    world.cloud.faultFor = () => null;
    world.cloud.queue('1');

    agent.checkNow();
    await world.untilStatus('1', 'sent', 2_000);
  });
});
