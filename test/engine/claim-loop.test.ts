import { describe, expect, it } from 'vitest';
import { ClaimRequest } from '../../src/shared/wire/messages.ts';
import { failureAt } from '../conformance/ledger-samples.ts';
import { claimedItem } from '../support/fakes-cloud-mail.ts';
import { fakeComposer } from '../support/fakes-mailer.ts';
import { NO_PACE, World } from '../support/fakes-world.ts';

const claimIds = (world: World) => world.cloud.callsOf('claim').map(({ body }) => JSON.parse(body).claim_id);

describe('the claim loop', () => {
  it('has the id of a claim in the ledger before it asks', async () => {
    const world = new World();
    world.cloud.faults.set('claim', ['hang']);
    world.start();

    await world.clock.runUntil(() => world.cloud.callsOf('claim').length > 0);

    expect(world.ledger.openClaim()?.claimId).toBe(claimIds(world)[0]);
  });

  it.each(['lose-request', 'lose-reply', 'nonsense'] as const)('asks with the same id after %s', async (fault) => {
    const world = new World();
    world.cloud.queueMany(2);
    world.cloud.faults.set('claim', [fault, fault]);
    world.start();

    await world.untilStatus('2', 'sent');

    const [first, second, third] = claimIds(world);
    expect([second, third]).toEqual([first, first]);
    expect(world.smtp.accepted).toEqual(['1', '2']);
  });

  it('asks with the same id after a restart', async () => {
    const world = new World();
    world.cloud.queueMany(2);
    world.cloud.faults.set('claim', ['lose-reply']);
    const first = world.start();
    await world.clock.runUntil(() => world.cloud.callsOf('claim').length > 0);
    first.kill();
    world.start();

    await world.untilStatus('2', 'sent');

    expect(new Set(claimIds(world).slice(0, 2)).size).toBe(1);
    expect(world.smtp.accepted).toEqual(['1', '2']);
  });

  it('asks nothing while the id cannot be written', async () => {
    const world = new World();
    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });
    world.cloud.queueMany(1);
    world.start();

    await world.clock.advance(3_600_000);
    const meanwhile = world.cloud.callsOf('claim').length;
    world.diskFailure = () => null;
    await world.untilStatus('1', 'sent');

    expect(meanwhile).toBe(0);
  });

  it('reports what cannot be sent as failed, each with its reason, and sends the others', async () => {
    const world = new World();
    world.cloud.queue('1', { hash: `sha256:${'0'.repeat(64)}` });
    world.cloud.queue('2', {
      payload: { from: { address: 'sales@example.com' }, to: { address: 'a@b@c' }, subject: '', text: 'x' },
    });
    world.cloud.queue('3', {
      payload: { from: { address: 'boss@example.com' }, to: { address: 'a@example.net' }, subject: 's', text: 'x' },
    });
    world.cloud.queue('4', {
      payload: { from: { address: 'sales@example.com' }, to: { address: 'a@example.net' }, subject: 's' },
    });
    world.cloud.queue('5', { payload: 'no object' });
    world.cloud.queue('6', { notAfterMs: world.clock.nowMs() - 1 });
    world.cloud.queue('7');
    world.start();

    await world.untilStatus('7', 'sent');
    await world.clock.advance(60_000);

    for (const id of ['1', '2', '3', '4', '5', '6']) {
      expect(`${id} ${world.cloud.mail(id).status}`).toBe(`${id} send_failed`);
      expect(world.cloud.mail(id).errorMessage?.length).toBeGreaterThan(10);
    }
    expect(world.smtp.accepted).toEqual(['7']);
  });

  it('takes a mail that is named twice alike once, and refuses one that is named twice differently', async () => {
    const world = new World();
    const [one, two] = [world.cloud.queue('1'), world.cloud.queue('2')];
    const item = (mail: typeof one, not_after: string | null) => ({ ...claimedItem(mail), not_after });
    world.start();
    world.cloud.extraItems.push(item(one, null), item(two, '2027-01-01T00:00:00Z'));

    await world.untilStatus('1', 'sent');
    await world.untilStatus('2', 'send_failed');

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('goes on claiming where an answer holds only items that say nothing', async () => {
    const world = new World();
    world.start();
    await world.clock.runUntil(() => world.cloud.callsOf('claim').length > 0);
    world.cloud.extraItems.push(null, 'rubbish', { id: '../../etc' });
    world.cloud.cancel(world.cloud.queue('0').id);
    await world.clock.advance(120_000);

    world.cloud.queue('1');
    await world.untilStatus('1', 'sent');

    expect(world.logged.filter((line) => line.includes('claim.item-unreadable')).length).toBe(3);
  });

  it('asks a cloud that names the same mails for ever less and less often', async () => {
    const world = new World();
    const mail = world.cloud.queue('1');
    world.start();
    await world.untilStatus('1', 'sent');
    world.cloud.faultFor = (name) => {
      if (name === 'claim') world.cloud.extraItems.push({ ...claimedItem(mail) });
      return null;
    };

    await world.clock.advance(600_000);

    expect(world.cloud.callsOf('claim').length).toBeLessThan(40);
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('takes what was too large for one answer in small pages', async () => {
    const world = new World();
    world.cloud.queueMany(3);
    // Asked again it would be as large.
    let first: unknown;
    world.cloud.faultFor = (name) => {
      if (name !== 'claim') return null;
      first ??= claimIds(world).at(-1);
      return claimIds(world).at(-1) === first ? 'too-large' : null;
    };
    world.start();

    await world.untilStatus('3', 'sent');

    expect(world.smtp.accepted).toEqual(['1', '2', '3']);
    expect(claimIds(world).filter((id) => id === first)).toHaveLength(1);
  });

  it('holds no more mails than it may, and fetches more while it sends', async () => {
    const world = new World();
    world.smtp.stageMs = 100;
    world.cloud.queueMany(30);
    world.start({ holdMax: 6 });
    let heldMost = 0;
    await world.clock.runUntil(() => {
      const held = [...world.cloud.mails.values()].filter(({ status }) => status === 'sending').length;
      heldMost = Math.max(heldMost, held);
      return world.cloud.mail('30').status === 'sent';
    });

    expect(heldMost).toBeLessThanOrEqual(7); // one of them is sent and its report on the way
    // Never idle for want of a mail: 30 mails over a kept connection need 6 seconds and a little.
    expect(world.clock.monotonicMs() - (world.cloud.calls[0]?.atMs ?? 0)).toBeLessThan(10_000);
  });

  it('counts a mail that is being handed over among those it holds', async () => {
    const world = new World();
    world.smtp.playFor = (id) => (id === '1' ? { kind: 'accept', afterMs: 60_000 } : { kind: 'accept' });
    world.cloud.queueMany(10);
    world.start({ holdMax: 2 });
    await world.untilState('1', 'handed-over');
    await world.clock.advance(30_000);

    expect([...world.cloud.mails.values()].filter(({ status }) => status === 'sending')).toHaveLength(2);
  });

  it('fetches more where those it holds wait for their next try', async () => {
    const world = new World();
    const greylisted = { code: 450, enhanced: '4.2.0', text: 'greylisted, try again later' };
    world.smtp.playFor = (id) =>
      Number(id) > 25 ? { kind: 'accept' } : { kind: 'reply', stage: 'envelope', command: 'rcpt', reply: greylisted };
    world.cloud.queueMany(30);
    world.start({ holdMax: 10 });

    await world.untilStatus('30', 'sent', 120_000);

    expect(world.ledger.counts()).toMatchObject({ claimed: 25 });
  });

  it('fetches no more where those it holds are due again within the minute', async () => {
    const world = new World();
    world.composer = fakeComposer(() => ({
      ok: false,
      error: { kind: 'temporary', failure: failureAt('prepare') },
    }));
    world.cloud.queueMany(30);
    world.start({ holdMax: 10 });
    await world.clock.advance(5_000);

    expect(world.ledger.counts()).toMatchObject({ claimed: 10 });
  });

  it('fetches several mails with each request', async () => {
    const world = new World();
    // Slow enough that it looks for room several times before half of it is there.
    world.smtp.stageMs = 1_000;
    world.cloud.queueMany(60);
    world.start({ holdMax: 20 });
    await world.untilStatus('60', 'sent');

    const limits = world.cloud.callsOf('claim').map(({ body }) => ClaimRequest.parse(JSON.parse(body)).limit);
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(10);
  });

  it('asks a cloud that waits again as soon as it has waited', async () => {
    const world = new World();
    world.start();
    await world.clock.advance(600_000);

    const times = world.cloud.callsOf('claim').map(({ atMs }) => atMs);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(20);
    for (const gapMs of gaps) expect(gapMs).toBeCloseTo(25_000, -3);
  });

  it('asks a cloud that does not wait less and less often, and soon again once it had a mail', async () => {
    const world = new World();
    world.cloud.waits = false;
    world.start();
    await world.clock.advance(3_600_000);
    const before = world.cloud.callsOf('claim').map(({ atMs }) => atMs);
    world.cloud.queue('1');
    await world.untilStatus('1', 'sent', 61_000);
    await world.clock.advance(11_000);
    const after = world.cloud.callsOf('claim').slice(before.length);

    const gaps = before.slice(1).map((atMs, index) => atMs - (before[index] ?? 0));
    expect(gaps[0]).toBeLessThanOrEqual(10_000);
    expect(Math.min(...gaps.slice(5))).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
    expect(after.length).toBeGreaterThanOrEqual(3);
  });

  it('writes once for each answer without mails', async () => {
    const world = new World();
    world.start();
    await world.clock.advance(300_000);

    const claims = world.cloud.callsOf('claim').length;
    const writes = world.events.filter((events) => events.some((event) => /^(claim-asked|mails-claimed)$/.test(event)));
    expect(writes.length).toBe(claims);
    expect(new Set(claimIds(world)).size).toBe(claims);
  });

  it('that is broken off for a comparison says nothing about the cloud', async () => {
    const world = new World();
    world.cloud.faults.set('claim', ['hang']);
    const agent = world.start();
    await world.clock.advance(5_000);
    const seen = new Set<boolean>();
    agent.onChange(() => seen.add(agent.status().cloudReachable));
    const syncs = world.cloud.callsOf('sync').length;
    world.cloud.commands.push('sync');
    await world.clock.runUntil(() => world.cloud.callsOf('sync').length > syncs, 120_000);
    await world.clock.advance(1_000);

    expect(seen.has(false)).toBe(false);
  });

  it('shows at once that the cloud does not answer, and that it answers again', async () => {
    const world = new World();
    const agent = world.start({ heartbeatIntervalMs: 3_600_000 });
    await world.clock.advance(5_000);
    world.cloud.faultFor = (name) => (name === 'claim' ? 'lose-request' : null);
    await world.clock.advance(120_000);
    const without = agent.status().cloudReachable;
    world.cloud.faultFor = () => null;
    world.cloud.queue('1');
    await world.clock.advance(70_000);
    expect(without).toBe(false);
    expect(agent.status().cloudReachable).toBe(true);
  });

  it('takes a cloud that answers before half its time for one that cannot wait', async () => {
    const world = new World();
    world.cloud.waits = false;
    world.cloud.faultFor = (name) => (name === 'claim' ? { delayMs: 5_000 } : null);
    world.start();
    await world.clock.advance(600_000);

    const times = world.cloud.callsOf('claim').map(({ atMs }) => atMs);
    expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBeGreaterThanOrEqual(35_000);
  });

  it('asks again at once after an answer with one new mail among known ones', async () => {
    const world = new World();
    const known = world.cloud.queue('1');
    world.start();
    await world.untilStatus('1', 'sent');
    await world.clock.advance(1_000);
    const before = world.cloud.callsOf('claim').length;
    const fromMs = world.clock.nowMs();
    world.cloud.extraItems.push(claimedItem(known));
    world.cloud.queue('2');
    await world.clock.runUntil(() => world.cloud.callsOf('claim').length > before);

    expect(world.clock.nowMs() - fromMs).toBeLessThan(100);
  });

  it('asks again at once after an answer with a mail that had gone back to the queue', async () => {
    const world = new World();
    world.cloud.queue('1');
    world.start({ pace: { ...NO_PACE, gapMinMs: 3_600_000, gapMaxMs: 3_600_000 } });
    await world.untilStatus('1', 'sent');
    world.cloud.queue('2');
    await world.untilState('2', 'claimed');
    Object.assign(world.cloud.mail('2'), { agentId: 'agent-2' });
    world.cloud.commands.push('sync');
    await world.untilState('2', 'released');
    await world.clock.advance(1_000);
    const before = world.cloud.callsOf('claim').length;
    const fromMs = world.clock.nowMs();
    world.cloud.giveBack('2');
    await world.clock.runUntil(() => world.cloud.callsOf('claim').length > before);

    expect(world.clock.nowMs() - fromMs).toBeLessThan(100);
  });

  it('tells at once of what it cannot send', async () => {
    const world = new World();
    world.start();
    await world.clock.advance(1_000);
    const fromMs = world.clock.nowMs();
    world.cloud.queue('1', { hash: `sha256:${'0'.repeat(64)}` });
    await world.untilStatus('1', 'send_failed');

    expect(world.clock.nowMs() - fromMs).toBeLessThan(1_000);
  });

  it('asks at once how many mails a new task has, and once for each task', async () => {
    const world = new World();
    world.start({ heartbeatIntervalMs: 3_600_000 });
    await world.clock.advance(10_000);
    const beats = [world.cloud.callsOf('heartbeat').length];
    const elsewhere = new World().cloud;
    for (const [id, task] of ['spring', 'summer', 'spring', 'summer', 'autumn'].entries()) {
      world.cloud.extraItems.push({ ...claimedItem(elsewhere.queue(`${id}`)), task: { id: task, name: task } });
      await world.clock.advance(60_000);
      beats.push(world.cloud.callsOf('heartbeat').length);
    }

    expect(beats).toEqual([1, 2, 3, 3, 3, 4]);
  });

  it('shows what it has claimed while a mail is still under way', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'accept', afterMs: 60_000 });
    world.cloud.queue('1');
    const agent = world.start();
    await world.untilState('1', 'handed-over');
    await world.clock.advance(20_000);
    const shown = new Set<number>();
    agent.onChange(() => shown.add(agent.status().counts.waiting));
    world.cloud.queueMany(3);
    await world.clock.advance(10_000);

    expect([...shown]).toEqual([3]);
  });

  it('claims nothing while sending is held', async () => {
    const world = new World();
    const agent = world.start();
    await world.clock.advance(1_000);
    agent.pause(null);
    await world.clock.advance(60_000);
    const before = world.cloud.callsOf('claim').length;

    world.cloud.queueMany(1);
    await world.clock.advance(3_600_000);

    expect(world.cloud.callsOf('claim').length - before).toBeLessThanOrEqual(1);
    expect(world.smtp.dialogues).toEqual([]);
  });

  it('asks a cloud that fails less and less often', async () => {
    const world = new World();
    world.cloud.faultFor = (name) => (name === 'claim' ? { problem: 'unavailable' } : null);
    world.start();

    await world.clock.advance(3_600_000);

    const times = world.cloud.callsOf('claim').map(({ atMs }) => atMs);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(gaps[0]).toBeLessThanOrEqual(10_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
    expect(Math.min(...gaps.slice(5))).toBeGreaterThanOrEqual(30_000);
  });
});
