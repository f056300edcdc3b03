import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/main/engine/ports.ts';
import type { Pace } from '../../src/shared/settings.ts';
import {
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  sendMail,
  started,
} from '../conformance/ledger-samples.ts';
import { NO_PACE, World } from '../support/fakes-world.ts';

const MINUTE_MS = 60_000;
const SLOW: Pace = { ...NO_PACE, gapMinMs: 100_000, gapMaxMs: 100_000 };
const beats = (world: World) => world.cloud.callsOf('heartbeat').map(({ atMs }) => atMs);

function lose(ledger: Ledger): void {
  commitAll(ledger, claimed([newMail(1)]));
  for (const event of [started(1), handedOver(1), lost('1', 1)]) commitAll(ledger, happened('1', event));
}
function contradict(ledger: Ledger): void {
  commitAll(ledger, claimed([newMail(1)]));
  sendMail(ledger, '1', 3_000);
  const seq = ledger.reportFor('1', null)?.seq ?? 0;
  const end = { kind: 'conflict', problem: 'conflicting-result', stored: null } as const;
  commitAll(ledger, { kind: 'report-ended', seq, end, atMs: 4_000 });
}
function holdAddress(ledger: Ledger): void {
  const address = 'gone@example.com';
  commitAll(ledger, claimed([newMail(1), newMail(2, { payload: { to: { address } } })]));
  sendMail(ledger, '1', 3_000);
  commitAll(ledger, { kind: 'address-held', held: { address, sinceMs: 4_000, mailId: '1', text: 'no such user' } });
}

describe('the heartbeat', () => {
  it.each<[string, (world: World) => void]>([
    ['nothing happens', () => undefined],
    [
      'a mail hangs at its mail server',
      (world) => {
        world.smtp.playFor = () => ({ kind: 'hang', stage: 'handed-over', forMs: 10 * MINUTE_MS, arrived: true });
        world.cloud.queue('1');
      },
    ],
    ['a claim hangs', (world) => world.cloud.faults.set('claim', ['hang'])],
    ['a sync hangs', (world) => world.cloud.faults.set('sync', ['hang'])],
    [
      'a report hangs',
      (world) => {
        world.cloud.queue('1');
        world.cloud.faults.set('result', ['hang']);
      },
    ],
    [
      'the ledger cannot be written',
      (world) => {
        world.diskFailure = () => ({ kind: 'full', text: 'disk full' });
      },
    ],
  ])('comes every 60 s while %s', async (_, arrange) => {
    const world = new World();
    arrange(world);
    world.start();

    await world.clock.advance(10 * MINUTE_MS);

    const [first = 0] = beats(world);
    // A claim that brought a task new here asks for one more in between.
    const minutes = beats(world).map((atMs) => (atMs - first) / MINUTE_MS);
    expect([...new Set(minutes.filter(Number.isInteger))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(minutes.length).toBeLessThanOrEqual(12);
  });

  it('keeps its beat when one takes long, and does not catch up on those it missed', async () => {
    const world = new World();
    world.cloud.faults.set('heartbeat', [null, { delayMs: 20_000 }, null, { delayMs: 150_000 }]);
    world.start();

    await world.clock.advance(9 * MINUTE_MS);

    const [first = 0] = beats(world);
    expect(beats(world).map((atMs) => (atMs - first) / MINUTE_MS)).toEqual([0, 1, 2, 3, 5.5, 6.5, 7.5, 8.5]);
  });

  it('asks at once how many mails a new task has, and counts with those it does not hold', async () => {
    const world = new World();
    world.cloud.queueMany(40);
    const agent = world.start();

    await world.clock.advance(1_000);

    expect(world.ledger.counts().claimed + world.ledger.counts().sent).toBeLessThanOrEqual(40);
    expect(agent.status().tasks).toMatchObject([{ total: 40 }]);
    await world.clock.advance(30 * MINUTE_MS);
    expect(agent.status().tasks).toMatchObject([{ total: 40, sent: 40 }]);
    // One for the task, one a minute, and none for the claims that brought more of the same.
    expect(beats(world).length).toBeLessThanOrEqual(32);
  });

  it('forgets mails that were stopped in the queue with the next heartbeat', async () => {
    const world = new World();
    world.cloud.queueMany(40);
    const agent = world.start();
    await world.clock.advance(1_000);
    agent.pause(null);
    const stopped = [...world.cloud.mails.values()].filter(({ status }) => status === 'queued');
    for (const { id } of stopped) world.cloud.cancel(id);

    await world.clock.advance(MINUTE_MS);

    expect(agent.status().tasks).toMatchObject([{ total: 40 - stopped.length }]);
  });

  it('writes what the cloud tells of tasks only where it is another thing', async () => {
    const world = new World();
    world.start();
    await world.clock.advance(600_000);
    world.cloud.queue('1');
    await world.untilStatus('1', 'sent');
    await world.clock.advance(600_000);

    const told = world.events.filter((events) => events.includes('tasks-told')).length;
    expect(told).toBeGreaterThan(1);
    expect(told).toBeLessThan(6);
  });

  it('is shown at once when it was answered', async () => {
    const world = new World();
    const agent = world.start({ heartbeatIntervalMs: 45_000 });
    await world.clock.advance(5_000);
    const firstAtMs = agent.status().lastHeartbeatAtMs ?? 0;
    /** After how long each was first shown. */
    const lags = new Map<number, number>();
    agent.onChange(() => {
      const atMs = agent.status().lastHeartbeatAtMs ?? 0;
      if (!lags.has(atMs)) lags.set(atMs, world.clock.nowMs() - atMs);
    });
    await world.clock.advance(100_000);

    lags.delete(firstAtMs);
    expect([...lags.values()]).toEqual([0, 0]);
  });

  it('says what the agent does and why', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'reply', stage: 'auth', reply: { code: 535, enhanced: '5.7.8', text: 'no' } });
    world.cloud.queueMany(3);
    world.start();

    await world.clock.advance(MINUTE_MS);

    expect(world.cloud.heartbeats.at(-1)).toMatchObject({
      interval_seconds: 60,
      state: 'needs-you',
      why: world.ledger.holds()[0]?.text,
      counts: { holding: 3, sent: 0, failed: 0, uncertain: 0, untold: 0 },
      version: '1.0.0',
    });
    expect(new Set(world.cloud.heartbeats.map((beat) => beat.boot_id)).size).toBe(1);
  });

  it('says whether a mail is under way', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'hang', stage: 'envelope', forMs: 10 * MINUTE_MS });
    world.start();
    await world.clock.advance(MINUTE_MS / 2);
    world.cloud.queue('1');

    await world.clock.advance(MINUTE_MS);

    expect([world.cloud.heartbeats[0], world.cloud.heartbeats.at(-1)]).toMatchObject([
      { state: 'idle' },
      { state: 'sending' },
    ]);
  });

  it.each<[string, number, (ledger: Ledger) => void]>([
    ['what became of a mail', 1, lose],
    ['whether the cloud’s word is right, which contradicts ours', 0, contradict],
    ['whether an address is still one, for which a mail waits', 0, holdAddress],
  ])('says that a person is asked %s', async (_, uncertain, arrange) => {
    const world = new World();
    arrange(world.ledger);
    world.start();

    await world.clock.settle();

    expect(world.cloud.heartbeats[0]).toMatchObject({ state: 'needs-you', counts: { uncertain } });
  });

  it('says a long reason only as far as the contract goes', async () => {
    const world = new World();
    const text = 'The mail server said much. '.repeat(20);
    commitAll(world.ledger, {
      kind: 'hold-set',
      hold: { kind: 'account', sinceMs: 1, untilMs: null, text, repeat: 1 },
    });
    world.start();

    await world.clock.settle();

    expect(world.cloud.heartbeats[0]).toMatchObject({ state: 'needs-you', why: text.slice(0, 300) });
  });

  it('says that nothing can be written, since when the first write failed', async () => {
    const world = new World();
    const agent = world.start();
    await world.clock.advance(1_000);
    const sinceMs = world.clock.nowMs();
    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });
    agent.pause(null);

    await world.clock.advance(5 * MINUTE_MS);

    expect(world.cloud.heartbeats.at(-1)).toMatchObject({ state: 'needs-you', why: expect.stringContaining('disk') });
    expect(agent.status().holds).toMatchObject([{ kind: 'ledger', sinceMs }]);
  });

  it('ignores a command it does not know', async () => {
    const world = new World();
    world.cloud.commands.push('format-disk');
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent');

    expect(world.logged.some((line) => line.includes('heartbeat.unknown-command'))).toBe(true);
  });
});

describe('a command of the office', () => {
  it('that pauses is seen at once, and not when the agent next looks', async () => {
    const world = new World();
    const agent = world.start({ pace: SLOW });
    world.cloud.queueMany(2);
    await world.untilStatus('1', 'sent');
    const before = agent.status().waiting?.why;
    world.cloud.commands.push('pause');

    await world.clock.runUntil(() => world.cloud.commands.length === 0);

    expect([before, agent.status().waiting?.why]).toEqual(['gap', 'held']);
  });

  it.each([
    ['what waits here is sent', 2],
    ['what waits in the cloud is claimed', 1],
  ])('that resumes is obeyed at once: %s', async (_, before) => {
    const world = new World();
    // No multiple of the times at which the loops look by themselves.
    world.start({ pace: SLOW, heartbeatIntervalMs: 63_000 });
    world.cloud.queueMany(before);
    await world.untilStatus('1', 'sent');
    world.cloud.commands.push('pause');
    await world.clock.advance(2 * MINUTE_MS);
    if (before === 1) world.cloud.queue('2');
    world.cloud.commands.push('resume');
    await world.clock.runUntil(() => world.cloud.commands.length === 0);

    await world.untilStatus('2', 'sent', 1_000);
  });
});

describe('a token that the cloud refuses', () => {
  it('holds everything and asks three times an hour at most', async () => {
    const world = new World();
    world.cloud.queueMany(2);
    const agent = world.start();
    await world.clock.advance(30_000);
    world.cloud.tokenRefused = true;
    await world.clock.advance(2 * MINUTE_MS);
    const before = world.cloud.calls.length;

    await world.clock.advance(60 * MINUTE_MS);

    expect(world.cloud.calls.length - before).toBeLessThanOrEqual(3);
    expect(agent.status()).toMatchObject({ state: 'needs-you', holds: [{ kind: 'token' }] });
  });

  it('is tried again after a restart, and the hold ends when it works', async () => {
    const world = new World();
    world.cloud.tokenRefused = true;
    const first = world.start();
    await world.clock.advance(5 * MINUTE_MS);
    first.kill();
    world.cloud.tokenRefused = false;
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent', 2_000);

    expect(world.ledger.holds()).toEqual([]);
  });

  it('that is refused at begin leaves the mail unsent and waiting', async () => {
    const world = new World();
    world.cloud.faults.set('begin', [{ problem: 'unauthorized' }]);
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent');

    expect(world.ledger.attempts('1').map(({ outcome }) => outcome)).toEqual(['not-sent', 'accepted']);
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('that cannot be read from the keychain pauses sending with a clear text, until it can', async () => {
    const world = new World();
    world.cloud.queueMany(1);
    world.cloud.faultFor = () => 'no-credentials';
    const agent = world.start();
    await world.clock.advance(10 * MINUTE_MS);
    const during = agent.status();
    world.cloud.faultFor = () => null;

    await world.untilStatus('1', 'sent', 3 * MINUTE_MS);

    expect(during).toMatchObject({
      state: 'needs-you',
      holds: [{ kind: 'keychain', sinceMs: expect.any(Number), untilMs: null, text: 'The keychain is locked.' }],
    });
    expect(agent.status().holds).toEqual([]);
  });

  it('that is gone from the keychain asks for a new pairing, not for the keychain', async () => {
    const world = new World();
    world.cloud.faultFor = () => 'no-token';
    const agent = world.start();

    await world.clock.advance(MINUTE_MS);

    expect(agent.status().holds).toMatchObject([{ kind: 'token', untilMs: null, text: 'There is no token.' }]);
  });
});
