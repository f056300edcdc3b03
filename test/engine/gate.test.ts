import { describe, expect, it } from 'vitest';
import { BeginRequest } from '../../src/shared/wire/messages.ts';
import type { CloudFault } from '../support/fakes-cloud.ts';
import { World } from '../support/fakes-world.ts';

/** A mail whose envelope is under way, so that something can still come between it and its end. */
async function atEnvelope(): Promise<{ world: World; agent: ReturnType<World['start']> }> {
  const world = new World();
  world.smtp.stageMs = 1_000;
  world.cloud.queue('1');
  const agent = world.start();
  await world.clock.runUntil(() => world.smtp.dialogues[0]?.stages.includes('auth') === true);
  return { world, agent };
}

describe('the gate', () => {
  it('stays shut for a mail that was cancelled in time, and nothing more is said about it', async () => {
    const { world } = await atEnvelope();

    const stopped = world.cloud.cancel('1');
    await world.untilState('1', 'cancelled');
    await world.clock.advance(3_600_000);

    expect(stopped).toBe('stopped');
    expect(world.smtp.dialogues.map(({ gate }) => gate)).toEqual(['shut']);
    expect(world.smtp.ends.size).toBe(0);
    expect(world.cloud.mail('1').history).toEqual(['queued', 'sending', 'cancelled']);
  });

  it('lets a mail through that began before somebody wanted to cancel it', async () => {
    const { world } = await atEnvelope();
    await world.clock.runUntil(() => world.cloud.mail('1').begun !== null);

    expect(world.cloud.cancel('1')).toBe('too-late');
    await world.untilStatus('1', 'sent');

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('asks once more after the machine slept, and stays shut where a person settled the mail meanwhile', async () => {
    const { world } = await atEnvelope();
    await world.clock.runUntil(() => world.cloud.mail('1').begun !== null);

    world.clock.jump(3_600_000);
    world.cloud.resolve('1', 'send_failed');
    await world.untilState('1', 'released');

    expect(world.smtp.dialogues.map(({ gate }) => gate)).toEqual(['shut']);
    expect(world.smtp.ends.size).toBe(0);
  });

  it('asks no more after the machine slept where it was refused before', async () => {
    const { world } = await atEnvelope();
    world.cloud.cancel('1');
    await world.clock.runUntil(() => world.cloud.callsOf('begin').length > 0);

    world.clock.jump(3_600_000);
    await world.untilState('1', 'cancelled');

    expect(world.cloud.callsOf('begin')).toHaveLength(1);
  });

  it('opens after the machine slept where nothing has changed: the same nonce is granted again', async () => {
    const { world } = await atEnvelope();
    await world.clock.runUntil(() => world.cloud.mail('1').begun !== null);

    world.clock.jump(3_600_000);
    await world.untilStatus('1', 'sent');

    expect(world.smtp.accepted).toEqual(['1']);
    expect(world.cloud.callsOf('begin').length).toBe(2);
  });

  it.each<[string, CloudFault]>([
    ['because its token cannot be read', 'no-credentials'],
    ['for a reason that says nothing about the mail', { problem: 'nonce-retired' }],
  ])('stays shut where begin is not granted %s; the mail is tried again with another nonce', async (_, fault) => {
    const { world } = await atEnvelope();

    world.cloud.faults.set('begin', [fault]);
    await world.untilStatus('1', 'sent');

    expect(world.smtp.dialogues.map(({ gate }) => gate)).toEqual(['shut', 'open']);
    expect(world.smtp.accepted).toEqual(['1']);
    const nonces = world.cloud.callsOf('begin').map(({ body }) => BeginRequest.parse(JSON.parse(body)).nonce);
    expect(new Set(nonces).size).toBe(2);
  });

  it('stays shut for a mail whose time has passed, which is told as failed', async () => {
    const { world } = await atEnvelope();

    world.cloud.mail('1').notAfterMs = world.clock.nowMs();
    await world.untilStatus('1', 'send_failed');

    expect(world.smtp.ends.size).toBe(0);
    expect(world.cloud.mail('1').errorMessage).toMatch(/time until which this mail could be sent has passed/);
  });

  it('stays shut for a mail that was given back and taken by another agent', async () => {
    const { world } = await atEnvelope();

    world.cloud.giveBack('1');
    const claim = { claimId: world.random.uuid(), limit: 1, waitSeconds: 0 };
    void world.cloud.port('agent-2').claim(claim, new AbortController().signal);
    await world.untilState('1', 'released');

    expect(world.smtp.dialogues.map(({ gate }) => gate)).toEqual(['shut']);
  });

  it('stays shut for a mail that changed in the cloud', async () => {
    const { world } = await atEnvelope();

    world.cloud.mail('1').hash = `sha256:${'0'.repeat(64)}`;
    await world.untilState('1', 'failed');
    await world.clock.advance(3_600_000);

    expect(world.smtp.ends.size).toBe(0);
    expect(world.ledger.counts().conflicts).toBe(1);
  });

  it('stays shut for a mail that another process began, which becomes uncertain', async () => {
    const { world } = await atEnvelope();

    world.cloud.mail('1').begun = 'x'.repeat(22);
    await world.clock.runUntil(() => world.cloud.mail('1').uncertain);

    expect(world.state('1')).toBe('uncertain');
    expect(world.smtp.ends.size).toBe(0);
    expect(world.cloud.mail('1').status).toBe('sending');
  });

  it('stays shut when begin is not answered; the mail is told as not sent and tried again with another nonce', async () => {
    const { world } = await atEnvelope();

    world.cloud.faults.set('begin', ['hang']);
    await world.clock.runUntil(() => world.cloud.callsOf('notSent').length > 0);
    const shut = { gate: world.smtp.dialogues[0]?.gate, ends: world.smtp.ends.size };
    const waitedMs = world.clock.nowMs() - (world.cloud.callsOf('begin')[0]?.atMs ?? 0);
    await world.untilStatus('1', 'sent');

    expect(shut).toEqual({ gate: 'shut', ends: 0 });
    expect(waitedMs).toBeLessThan(61_000);
    const [first, second] = world.cloud.callsOf('begin').map(({ body }) => JSON.parse(body));
    expect([first.attempt, second.attempt]).toEqual([1, 2]);
    expect(first.nonce).not.toBe(second.nonce);
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it.each<[string, CloudFault]>([
    ['is lost', 'lose-reply'],
    ['makes no sense', 'nonsense'],
    ['is a failure of the cloud', { problem: 'internal' }],
    ['asks for patience', { problem: 'unavailable', retryAfterMs: 1_000 }],
  ])('asks again with the same nonce when the answer to begin %s', async (_, fault) => {
    const { world } = await atEnvelope();

    world.cloud.faults.set('begin', [fault, fault]);
    await world.untilStatus('1', 'sent');

    const nonces = world.cloud.callsOf('begin').map(({ body }) => JSON.parse(body).nonce);
    expect(nonces.length).toBe(3);
    expect(new Set(nonces).size).toBe(1);
    expect(world.smtp.dialogues.length).toBe(1);
  });

  it('stays shut while the ledger cannot take the mark, and the mail goes once the disk has room', async () => {
    const { world } = await atEnvelope();

    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });
    await world.clock.advance(60_000);
    const meanwhile = { ends: world.smtp.ends.size, gate: world.smtp.dialogues[0]?.gate };
    world.diskFailure = () => null;
    await world.untilStatus('1', 'sent');

    expect(meanwhile).toEqual({ ends: 0, gate: 'shut' });
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('refuses a begin that arrives after its attempt was told as not sent', async () => {
    const { world } = await atEnvelope();

    world.cloud.faults.set('begin', [{ arriveAfterMs: 100_000 }, ...Array(200).fill('lose-request')]);
    await world.clock.runUntil(() => world.cloud.mail('1').retired.length > 0);
    world.cloud.faults.delete('begin');
    await world.untilStatus('1', 'sent');
    await world.clock.advance(600_000);

    expect(world.cloud.mail('1').history).toEqual(['queued', 'sending', 'sent']);
    expect(world.cloud.mail('1').uncertain).toBe(false);
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('is not asked for where no envelope came about, and the cloud hears nothing of that', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'auth' });
    world.cloud.queue('1');
    world.start();
    await world.untilStatus('1', 'sent');

    expect([world.smtp.dialogues.length, world.cloud.callsOf('begin').length]).toEqual([2, 1]);
    expect(world.cloud.callsOf('notSent')).toEqual([]);
  });

  it('does not start the next attempt before the cloud has heard that the last one did not send', async () => {
    const { world } = await atEnvelope();

    world.cloud.faults.set('begin', ['hang']);
    world.cloud.faultFor = (name) => (name === 'notSent' ? 'lose-request' : null);
    await world.clock.advance(3_600_000);
    const meanwhile = { attempts: world.smtp.dialogues.length, state: world.ledger.mail('1')?.state };
    world.cloud.faultFor = () => null;
    await world.untilStatus('1', 'sent');

    expect(meanwhile).toMatchObject({ attempts: 1, state: { kind: 'claimed', attempt: 1 } });
    expect(world.smtp.dialogues.length).toBe(2);
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('asks no more once the dialogue is over', async () => {
    const world = new World();
    world.smtp.stageMs = 2_000;
    world.smtp.plays.push({ kind: 'break', stage: 'envelope' });
    world.cloud.faultFor = (name) => (name === 'begin' ? { problem: 'unavailable' } : null);
    world.cloud.queue('1');
    world.start();
    await world.clock.advance(120_000);

    const nonces = world.cloud.callsOf('begin').map(({ body }) => BeginRequest.parse(JSON.parse(body)).nonce);
    expect(nonces.filter((nonce) => nonce === nonces[0]).length).toBeLessThan(10);
  });

  it('takes no notice of a grant that comes after the dialogue broke', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'body' });
    world.cloud.faults.set('begin', [{ delayMs: 5_000 }]);
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent');

    expect(world.smtp.accepted).toEqual(['1']);
    expect(world.ledger.attempts('1').map(({ outcome }) => outcome)).toEqual(['not-sent', 'accepted']);
  });
});
