import { describe, expect, it } from 'vitest';
import { World } from '../support/fakes-world.ts';

describe('the report loop', () => {
  it('tells the same bytes on every try until they are taken', async () => {
    const world = new World();
    world.cloud.faults.set('result', ['lose-request', 'lose-reply', 'nonsense', { problem: 'internal' }, 'too-large']);
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent');
    await world.clock.runUntil(() => world.ledger.counts().untold === 0);

    const bodies = world.cloud.callsOf('result').map(({ body }) => body);
    expect(bodies.length).toBe(6);
    expect(new Set(bodies).size).toBe(1);
    expect(world.ledger.counts()).toMatchObject({ sent: 1, conflicts: 0 });
  });

  it('tells them after a restart', async () => {
    const world = new World();
    world.cloud.faultFor = (name) => (name === 'result' ? 'lose-request' : null);
    world.cloud.queue('1');
    const first = world.start();
    await world.untilState('1', 'sent');
    await world.clock.advance(10_000);
    first.kill();
    world.cloud.faultFor = () => null;
    world.start();

    await world.untilStatus('1', 'sent');

    expect(new Set(world.cloud.callsOf('result').map(({ body }) => body)).size).toBe(1);
  });

  it('writes what the cloud has taken a moment later, though nothing else is written', async () => {
    const world = new World();
    world.cloud.queue('1');
    world.start();
    await world.untilStatus('1', 'sent');
    await world.clock.advance(1_000);

    expect(world.ledger.counts().untold).toBe(0);
  });

  it('waits as long as the cloud asks for', async () => {
    const world = new World();
    world.cloud.faults.set('result', [{ problem: 'rate-limited', retryAfterMs: 90_000 }]);
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent');

    const [first, second] = world.cloud.callsOf('result').map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(90_000);
  });

  it('waits no longer than that, and looks at nothing meanwhile', async () => {
    const world = new World();
    world.cloud.faults.set('result', [{ problem: 'rate-limited', retryAfterMs: 10_000 }]);
    const { untold } = world.ledger;
    let looks = 0;
    world.ledger = {
      ...world.ledger,
      untold: (nowMs, limit) => {
        looks += 1;
        return untold(nowMs, limit);
      },
    };
    world.cloud.queue('1');
    world.start();
    await world.untilStatus('1', 'sent');

    const [first, second] = world.cloud.callsOf('result').map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeLessThan(11_000);
    expect(looks).toBeLessThan(20);
  });

  it('finds out by itself that the disk is back, while a mail is under way', async () => {
    const world = new World();
    world.smtp.playFor = (id) => ({ kind: 'accept', afterMs: id === '2' ? 60_000 : 0 });
    world.cloud.faultFor = (name) => (name === 'result' ? { delayMs: 1_000 } : null);
    world.cloud.queueMany(2);
    const agent = world.start({ heartbeatIntervalMs: 3_600_000 });
    await world.untilState('2', 'handed-over');
    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });
    await world.clock.advance(5_000);
    const meanwhile = agent.status().holds.map(({ kind }) => kind);
    world.diskFailure = () => null;
    await world.clock.advance(5_000);

    expect([meanwhile, agent.status().holds, world.state('2')]).toEqual([['ledger'], [], 'handed-over']);
  });

  it('tells one after the other without a pause where many are to be told', async () => {
    const world = new World();
    world.cloud.faultFor = (name) => (name === 'result' ? 'lose-request' : null);
    world.cloud.queueMany(13);
    const first = world.start();
    await world.untilState('13', 'sent');
    first.kill();
    world.cloud.faultFor = () => null;
    await world.clock.advance(600_000);
    const before = world.cloud.callsOf('result').length;
    world.start();
    await world.untilStatus('13', 'sent');

    const times = world.cloud
      .callsOf('result')
      .slice(before)
      .map(({ atMs }) => atMs);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(200);
  });

  it('keeps a conflict for a person and goes on with the other mails', async () => {
    const world = new World();
    world.cloud.faults.set('result', ['lose-request']);
    world.cloud.queueMany(2);
    const agent = world.start();
    await world.untilState('1', 'sent');
    world.cloud.resolve('1', 'send_failed', { errorMessage: 'not in Sent' });

    await world.untilStatus('2', 'sent');
    await world.clock.runUntil(() => world.ledger.counts().conflicts === 1);

    expect(world.cloud.mail('1')).toMatchObject({ status: 'send_failed', errorMessage: 'not in Sent' });
    expect(agent.status().state).toBe('needs-you');
    expect(world.ledger.reportFor('1', null)?.ended).toBe('conflict');
  });

  it.each([
    ['sent', 'sent'],
    ['send_failed', 'failed'],
  ] as const)('takes the word of the cloud where it says only that it does not know: %s', async (status, state) => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'handed-over', arrived: true });
    world.cloud.faults.set('result', ['lose-request']);
    world.cloud.queue('1');
    world.start();
    await world.untilState('1', 'uncertain');
    world.cloud.resolve('1', status);

    await world.untilState('1', state);

    expect(world.ledger.counts()).toMatchObject({ untold: 0, conflicts: 0 });
  });

  it.each([
    ['sent', 'sent'],
    ['send_failed', 'failed'],
  ] as const)(
    'contradicts nothing where a comparison brought the word of the cloud first: %s',
    async (status, state) => {
      const world = new World();
      world.smtp.plays.push({ kind: 'break', stage: 'handed-over', arrived: true });
      world.cloud.faultFor = (name) => (name === 'result' ? 'lose-request' : null);
      world.cloud.queue('1');
      world.start();
      await world.untilState('1', 'uncertain');
      world.cloud.resolve('1', status);
      world.cloud.commands.push('sync');
      await world.untilState('1', state);

      world.cloud.faultFor = () => null;
      await world.clock.runUntil(() => world.ledger.counts().untold === 0);

      expect(world.cloud.callsOf('result').at(-1)?.answer).toBe('conflicting-result');
      expect(world.ledger.counts().conflicts).toBe(0);
    },
  );

  it('comes to an end where person and cloud settle an uncertain mail differently at the same time', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'handed-over', arrived: true });
    world.cloud.faults.set('result', ['lose-request']);
    world.cloud.queue('1');
    const agent = world.start();
    await world.untilState('1', 'uncertain');
    world.cloud.resolve('1', 'sent');
    agent.resolve('1', 'not-sent');

    await world.clock.runUntil(() => world.ledger.counts().untold === 0);
    const calls = world.cloud.callsOf('result').length;
    await world.clock.advance(3_600_000);

    expect(world.ledger.counts().conflicts).toBeGreaterThan(0);
    expect(world.cloud.callsOf('result').length).toBe(calls);
    expect(world.cloud.mail('1').status).toBe('sent');
  });

  it('tells the evidence of a person for an uncertain mail', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'handed-over', arrived: true });
    world.cloud.queue('1');
    const agent = world.start();
    await world.clock.runUntil(() => world.cloud.mail('1').uncertain);

    expect(agent.resolve('2', 'sent')).toEqual({ ok: false, error: 'unknown-mail' });
    expect(agent.resolve('1', 'sent')).toEqual({ ok: true, value: undefined });
    expect(agent.resolve('1', 'sent')).toEqual({ ok: false, error: 'not-uncertain' });
    await world.untilStatus('1', 'sent');

    expect(JSON.parse(world.cloud.callsOf('result').at(-1)?.body ?? '')).toMatchObject({
      evidence: { kind: 'person' },
    });
  });

  it('does not hammer the cloud while nothing can be written', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'body' });
    world.cloud.faults.set('notSent', ['lose-request']);
    world.cloud.queue('1');
    world.start();
    await world.clock.runUntil(() => world.cloud.callsOf('notSent').length === 1);

    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });
    await world.clock.advance(60_000);
    const meanwhile = world.cloud.callsOf('notSent').length;
    world.diskFailure = () => null;
    await world.untilStatus('1', 'sent');

    expect(meanwhile).toBeLessThan(40);
  });
});
