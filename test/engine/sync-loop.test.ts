import { describe, expect, it } from 'vitest';
import { World } from '../support/fakes-world.ts';

/** A paused agent whose ledger has so many mails, all of them its own in the cloud. */
async function holdingAndPaused(count: number): Promise<World> {
  const world = new World();
  world.cloud.queueMany(count);
  for (const mail of world.cloud.mails.values()) Object.assign(mail, { status: 'sending', agentId: 'agent-1' });
  world.start().pause(null);
  await world.untilState(`${count}`, 'claimed');
  return world;
}

describe('a sync that the cloud asks for', () => {
  it('waits until the mail under way has its outcome in the ledger, and disturbs none', async () => {
    const world = new World();
    world.smtp.stageMs = 20_000;
    world.cloud.queueMany(4);
    world.start();
    await world.clock.runUntil(() => world.smtp.dialogues.length === 2);
    world.cloud.faults.set('sync', [{ delayMs: 100_000 }]);
    world.cloud.commands.push('sync');

    await world.clock.runUntil(() => world.cloud.callsOf('sync').length === 2);
    const before = { counts: world.ledger.counts(), dialogues: world.smtp.dialogues.length };
    await world.clock.advance(90_000);
    const after = { counts: world.ledger.counts(), dialogues: world.smtp.dialogues.length };
    await world.untilStatus('4', 'sent');

    expect(before.counts).toMatchObject({ attempting: 0, 'handed-over': 0 });
    expect(after.dialogues).toBe(before.dialogues);
    expect(after.counts.claimed).toBe(before.counts.claimed);
    expect(world.ledger.counts()).toMatchObject({ sent: 4, uncertain: 0, failed: 0 });
    expect(world.smtp.accepted).toEqual(['1', '2', '3', '4']);
  });

  it('breaks off a claim that waits for its answer, and asks the same claim again afterwards', async () => {
    const world = new World();
    world.cloud.queueMany(3);
    world.cloud.faults.set('claim', [{ delayMs: 100_000 }]);
    const agent = world.start();
    await world.clock.advance(1_000);
    world.cloud.commands.push('sync');
    await world.clock.advance(70_000);
    const during = world.cloud.callsOf('sync').length;
    await world.untilStatus('3', 'sent');

    const claimIds = world.cloud.callsOf('claim').map(({ body }) => JSON.parse(body).claim_id);
    expect(during).toBe(2);
    expect(claimIds[1]).toBe(claimIds[0]);
    expect(world.smtp.accepted).toEqual(['1', '2', '3']);
    expect(agent.status().cloudReachable).toBe(true);
  });

  it('does not take the outcome that the disk has no room for', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'accept', afterMs: 30_000 });
    world.cloud.queue('1');
    world.start();
    await world.clock.runUntil(() => world.smtp.ends.size > 0);
    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });
    world.cloud.commands.push('sync');
    await world.clock.advance(10 * 60_000);
    const syncs = world.cloud.callsOf('sync').length;
    world.diskFailure = () => null;

    await world.untilStatus('1', 'sent');

    expect(syncs).toBe(1);
    expect(world.state('1')).toBe('sent');
  });

  it('withdraws what the office took back', async () => {
    const world = new World();
    world.cloud.queueMany(3);
    const agent = world.start();
    agent.pause(null);
    await world.clock.advance(1_000);
    agent.resume();
    world.smtp.playFor = () => ({ kind: 'hang', stage: 'envelope', forMs: 30_000 });
    await world.clock.runUntil(() => world.state('3') === 'claimed');
    world.cloud.cancel('2');
    world.cloud.giveBack('3');
    Object.assign(world.cloud.mail('3'), { status: 'sending', agentId: 'agent-2' });

    world.cloud.commands.push('sync');
    await world.untilStatus('1', 'sent');
    await world.clock.advance(120_000);

    expect([world.state('2'), world.state('3')]).toEqual(['cancelled', 'released']);
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('reads page after page, and names the mails of the ledger once', async () => {
    const world = new World();
    world.cloud.queueMany(120);
    for (const mail of world.cloud.mails.values()) Object.assign(mail, { status: 'sending', agentId: 'agent-1' });
    world.cloud.faults.set('sync', ['too-large']);
    world.start({ holdMax: 500 });

    await world.clock.runUntil(() => world.cloud.callsOf('claim').length > 0);

    const requests = world.cloud.callsOf('sync').map(({ body }) => JSON.parse(body));
    expect(requests.map(({ limit }) => limit)).toEqual([50, 1, 2, 4, 8, 16, 32, 50, 50]);
    expect(requests.at(-1)?.after).toBe('113');
    expect(world.ledger.counts().claimed + world.smtp.dialogues.length).toBeGreaterThanOrEqual(120);
  });

  it('names every mail of the ledger, however many there are', async () => {
    const world = await holdingAndPaused(1_100);
    for (const id of ['1', '600', '1100']) world.cloud.cancel(id);
    const before = world.cloud.callsOf('sync').length;
    world.cloud.commands.push('sync');
    await world.untilState('1100', 'cancelled');

    expect([world.state('1'), world.state('600'), world.state('2')]).toEqual(['cancelled', 'cancelled', 'claimed']);
    const requests = world.cloud.callsOf('sync').slice(before);
    const named = requests.flatMap(({ body }) => JSON.parse(body).known);
    expect([named.length, new Set(named).size]).toEqual([1_100, 1_100]);
  });

  it('goes on naming the mails of the ledger behind the last page of what the cloud holds', async () => {
    const world = await holdingAndPaused(1_100);
    for (const { id } of [...world.cloud.mails.values()]) if (Number(id) <= 1_040) world.cloud.cancel(id);
    const before = world.cloud.callsOf('sync').length;
    world.cloud.commands.push('sync');
    await world.clock.runUntil(() => world.ledger.counts().cancelled === 1_040);
    await world.clock.advance(1_000);

    expect(world.ledger.counts().claimed).toBe(60);
    expect(world.cloud.callsOf('sync').length - before).toBe(3);
  });

  it('names the mails of the ledger again where the first page was too large', async () => {
    const world = new World();
    world.cloud.queue('1');
    const first = world.start();
    await world.untilState('1', 'attempting');
    first.kill();
    world.cloud.cancel('1');
    world.cloud.faults.set('sync', ['too-large']);
    world.start();

    await world.untilState('1', 'cancelled');

    const known = world.cloud.callsOf('sync').map(({ body }) => JSON.parse(body).known);
    expect(known.slice(-2)).toEqual([['1'], ['1']]);
  });

  it('takes in a mail it cannot read as failed, and the others as they are', async () => {
    const world = new World();
    const mail = world.cloud.queue('1');
    Object.assign(mail, { status: 'sending', agentId: 'agent-1' });
    const bad = world.cloud.queue('2');
    Object.assign(bad, { status: 'sending', agentId: 'agent-1', payload: 'gone wrong' });
    world.cloud.extraItems.push({ id: 7 }, null);
    world.start();

    await world.untilStatus('1', 'sent');
    await world.untilStatus('2', 'send_failed');

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('is tried again, less and less often, while the cloud answers nonsense', async () => {
    const world = new World();
    world.cloud.faultFor = (name) => (name === 'sync' ? 'nonsense' : null);
    world.cloud.queue('1');
    world.start();
    await world.clock.advance(3_600_000);
    const calls = world.cloud.callsOf('sync').length;
    world.cloud.faultFor = () => null;

    await world.untilStatus('1', 'sent', 120_000);

    expect(calls).toBeGreaterThan(50);
    expect(calls).toBeLessThan(150);
  });
});
