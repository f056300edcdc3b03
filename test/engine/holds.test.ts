import { describe, expect, it } from 'vitest';
import type { Play } from '../support/fakes-mailer.ts';
import { World } from '../support/fakes-world.ts';

const reply = (code: number, enhanced: string | null, text: string) => ({ code, enhanced, text });
const holdKinds = (world: World) => world.ledger.holds().map(({ kind }) => kind);

describe('trouble with the account', () => {
  it.each<[string, Play]>([
    ['a refused login', { kind: 'reply', stage: 'auth', reply: reply(535, '5.7.8', 'authentication failed') }],
    ['a certificate that does not fit', { kind: 'break', stage: 'tls', cause: 'certificate' }],
    ['a permission that was taken back', { kind: 'break', stage: 'auth', cause: 'sign-in-again' }],
    ['a server without STARTTLS', { kind: 'break', stage: 'tls', cause: 'starttls-missing' }],
    [
      'a blocked sender',
      {
        kind: 'reply',
        stage: 'envelope',
        command: 'mail',
        reply: reply(550, '5.7.501', 'Access denied, spam abuse detected'),
      },
    ],
  ])('pauses sending and keeps the queue: %s', async (_, play) => {
    const world = new World();
    world.smtp.playFor = () => play;
    world.cloud.queueMany(3);
    const agent = world.start();

    await world.clock.advance(12 * 3_600_000);

    expect(holdKinds(world)).toEqual(['account']);
    expect(world.smtp.dialogues.length).toBe(1);
    expect(world.ledger.counts()).toMatchObject({ claimed: 3, failed: 0, untold: 0 });
    expect(agent.status()).toMatchObject({ state: 'needs-you', waiting: { why: 'held' } });
  });

  it('says that a person has to sign in again, and goes on with the whole queue once they did', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'auth', cause: 'sign-in-again' });
    world.cloud.queueMany(2);
    const agent = world.start();
    await world.clock.runUntil(() => holdKinds(world).includes('account'));

    const asked = agent.status().holds.map(({ text }) => text);
    // What set-up commits after a sign-in that works; the agent starts anew with it.
    await world.end(agent);
    world.ledger.commit([{ kind: 'hold-lifted', holdKind: 'account' }]);
    world.start();
    await world.untilStatus('2', 'sent', 120_000);

    expect(asked).toEqual([expect.stringContaining('Please sign in again')]);
    expect(world.ledger.counts()).toMatchObject({ sent: 2, failed: 0 });
  });

  it('is none where the sign-in of the provider does not answer: it is tried again by itself', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'auth', cause: 'sign-in-unreachable' });
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent', 10 * 60_000);

    expect(holdKinds(world)).toEqual([]);
  });

  it('ends when a person resumes', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'reply', stage: 'auth', reply: reply(535, '5.7.8', 'authentication failed') });
    world.cloud.queueMany(2);
    const agent = world.start();
    await world.clock.runUntil(() => holdKinds(world).includes('account'));

    agent.resume();
    await world.untilStatus('2', 'sent', 60_000);

    expect(holdKinds(world)).toEqual([]);
  });

  it('ends at once when a person wants to try now, and their own pause does not', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'reply', stage: 'auth', reply: reply(535, '5.7.8', 'authentication failed') });
    world.cloud.queueMany(2);
    const agent = world.start();
    await world.clock.runUntil(() => holdKinds(world).includes('account'));
    agent.pause(null);

    agent.tryNow();
    await world.clock.advance(3_600_000);
    const paused = { holds: holdKinds(world), dialogues: world.smtp.dialogues.length };
    agent.resume();
    await world.untilStatus('2', 'sent', 60_000);

    expect(paused).toEqual({ holds: ['user'], dialogues: 1 });
  });

  it('counts against no mail, however often it comes back', async () => {
    const world = new World();
    for (let time = 0; time < 6; time += 1) {
      world.smtp.plays.push({ kind: 'reply', stage: 'auth', reply: reply(535, '5.7.8', 'authentication failed') });
    }
    world.smtp.plays.push({
      kind: 'reply',
      stage: 'envelope',
      command: 'rcpt',
      reply: reply(450, '4.2.0', 'greylisted'),
    });
    world.cloud.queue('1');
    const agent = world.start();

    for (let time = 0; time < 6; time += 1) {
      await world.clock.runUntil(() => holdKinds(world).includes('account'));
      agent.resume();
      await world.clock.settle();
    }
    await world.untilStatus('1', 'sent');

    expect(world.ledger.mail('1')?.state).toEqual({ kind: 'sent', attempt: 8 });
  });

  it('tries again by itself where the password could not be read from the keychain', async () => {
    const world = new World();
    world.smtp.plays.push({ kind: 'break', stage: 'auth', cause: 'no-credentials' });
    world.cloud.queue('1');
    world.start();
    await world.clock.runUntil(() => holdKinds(world).includes('keychain'));

    await world.untilStatus('1', 'sent', 120_000);
  });
});

describe('a limit of the provider', () => {
  const limited: Play = {
    kind: 'reply',
    stage: 'envelope',
    command: 'mail',
    reply: reply(450, '4.7.1', 'Too much mail, rate limit exceeded'),
  };

  it('backs the account off, twice as long each time, until a mail goes through', async () => {
    const world = new World();
    world.smtp.plays.push(limited, limited, limited);
    world.cloud.queueMany(2);
    world.start();
    const waits: number[] = [];
    for (let time = 1; time <= 3; time += 1) {
      await world.clock.runUntil(() => world.ledger.holds()[0]?.repeat === time);
      const [hold] = world.ledger.holds();
      expect(hold?.kind).toBe('back-off');
      waits.push((hold?.untilMs ?? 0) - (hold?.sinceMs ?? 0));
    }

    await world.untilStatus('2', 'sent');

    const [first = 0, second, third] = waits;
    expect([second, third]).toEqual([2 * first, 4 * first]);
    expect(holdKinds(world)).toEqual([]);
    expect(world.ledger.counts()).toMatchObject({ sent: 2, failed: 0 });
  });

  it('is not waited for when a person wants to try now', async () => {
    const world = new World();
    world.smtp.plays.push({
      kind: 'reply',
      stage: 'envelope',
      command: 'mail',
      reply: reply(450, '4.7.1', 'rate limit'),
    });
    world.cloud.queue('1');
    const agent = world.start();
    await world.clock.runUntil(() => holdKinds(world).includes('back-off'));

    agent.tryNow();
    await world.untilStatus('1', 'sent', 60_000);

    expect(world.smtp.dialogues.length).toBe(2);
  });

  it('is waited for after a restart, too', async () => {
    const world = new World();
    world.smtp.plays.push(limited);
    world.cloud.queue('1');
    const first = world.start();
    await world.clock.runUntil(() => holdKinds(world).includes('back-off'));
    const untilMs = world.ledger.holds()[0]?.untilMs ?? 0;
    await world.clock.runUntil(() => world.ledger.counts().untold === 0);
    first.kill();
    world.start();

    await world.untilStatus('1', 'sent');

    expect(world.clock.nowMs()).toBeGreaterThanOrEqual(untilMs);
  });
});

describe('a mail that the server puts off', () => {
  const greylisted: Play = {
    kind: 'reply',
    stage: 'envelope',
    command: 'rcpt',
    reply: reply(450, '4.2.0', 'greylisted, try later'),
  };

  it('is tried three times at most, and never holds up another', async () => {
    const world = new World();
    world.smtp.playFor = (id) => (id === '1' ? greylisted : { kind: 'accept' });
    world.cloud.queueMany(2);
    world.start();

    await world.untilStatus('2', 'sent', 60_000);
    await world.untilStatus('1', 'send_failed');

    expect(world.ledger.attempts('1').map(({ outcome }) => outcome)).toEqual(['not-sent', 'not-sent', 'refused']);
    expect(world.cloud.mail('1').errorMessage).toMatch(/put this mail off every time/);
  });

  it('goes through on the second try', async () => {
    const world = new World();
    world.smtp.plays.push(greylisted);
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent');

    expect(JSON.parse(world.cloud.callsOf('notSent')[0]?.body ?? '')).toMatchObject({ stage: 'envelope', code: 450 });
  });
});

describe('trouble with the connection', () => {
  it.each<[string, Play]>([
    ['no server', { kind: 'break', stage: 'connect', cause: 'refused' }],
    ['a name that is not found', { kind: 'break', stage: 'connect', cause: 'dns' }],
    ['a drop in the envelope', { kind: 'break', stage: 'envelope', cause: 'dropped' }],
    ['a drop in the body', { kind: 'break', stage: 'body', cause: 'dropped' }],
    ['a goodbye', { kind: 'reply', stage: 'envelope', command: 'mail', reply: reply(421, '4.3.2', 'shutting down') }],
  ])('never fails a mail, however long it lasts: %s', async (_, play) => {
    const world = new World();
    world.smtp.playFor = () => play;
    world.cloud.queueMany(2);
    world.start();
    await world.clock.advance(24 * 3_600_000);
    const counts = world.ledger.counts();
    const attempts = world.smtp.dialogues.length;

    world.smtp.playFor = () => ({ kind: 'accept' });
    await world.untilStatus('2', 'sent');

    expect(counts).toMatchObject({ failed: 0, uncertain: 0 });
    expect(attempts).toBeGreaterThan(20);
    expect(attempts).toBeLessThan(400);
    expect(world.smtp.accepted).toEqual(['1', '2']);
  });
});

describe('a mail that cannot be prepared', () => {
  it('waits where an attachment is out of reach, without an attempt, and lets the others pass', async () => {
    const world = new World();
    const failure = {
      stage: 'prepare',
      class: 'connection',
      reply: null,
      message: 'An attachment is out of reach.',
    } as const;
    const composer = world.composer;
    let tries = 0;
    world.composer = {
      async compose(mail, signal) {
        if (mail.id !== '1') return composer.compose(mail, signal);
        tries += 1;
        return tries < 3 ? { ok: false, error: { kind: 'temporary', failure } } : composer.compose(mail, signal);
      },
    };
    world.cloud.queueMany(2);
    world.start();

    await world.untilStatus('2', 'sent', 60_000);
    await world.untilStatus('1', 'sent');

    expect(tries).toBe(3);
    expect(world.ledger.mail('1')?.state).toEqual({ kind: 'sent', attempt: 1 });
  });

  it('fails where it can never be built, and is looked at once', async () => {
    const world = new World();
    const failure = {
      stage: 'prepare',
      class: 'payload',
      reply: null,
      message: 'The attachment is another one.',
    } as const;
    let tries = 0;
    world.composer = {
      async compose() {
        tries += 1;
        return { ok: false, error: { kind: 'permanent', failure } };
      },
    };
    world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'send_failed');

    expect(world.cloud.mail('1').errorMessage).toBe('The attachment is another one.');
    expect(tries).toBe(1);
  });
});

describe('a pause', () => {
  it('that comes while a mail is composed keeps that mail', async () => {
    const world = new World();
    const composer = world.composer;
    world.composer = {
      async compose(mail, signal) {
        await world.clock.sleep(10_000, signal);
        return composer.compose(mail, signal);
      },
    };
    world.cloud.queue('1');
    const agent = world.start();
    await world.clock.advance(5_000);

    agent.pause(null);
    await world.clock.advance(3_600_000);
    const meanwhile = world.smtp.dialogues.length;
    agent.resume();
    await world.untilStatus('1', 'sent');

    expect(meanwhile).toBe(0);
  });

  it('of a person says why and since when, and ends by itself where it has an end', async () => {
    const world = new World();
    const agent = world.start();
    await world.clock.advance(1_000);
    const untilMs = world.clock.nowMs() + 30 * 60_000;

    agent.pause(untilMs);
    world.cloud.queue('1');
    await world.clock.advance(60_000);
    const status = agent.status();
    await world.untilStatus('1', 'sent');

    expect(status).toMatchObject({ state: 'paused', holds: [{ kind: 'user', untilMs, text: 'Paused by you.' }] });
    expect(world.clock.nowMs()).toBeGreaterThanOrEqual(untilMs);
    expect(world.clock.nowMs()).toBeLessThan(untilMs + 90_000);
  });

  it('finishes the mail under way', async () => {
    const world = new World();
    world.smtp.stageMs = 1_000;
    world.cloud.queueMany(2);
    const agent = world.start();
    await world.clock.runUntil(() => world.smtp.dialogues.length > 0);

    agent.pause(null);
    await world.clock.advance(3_600_000);

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('holds although the disk was full when it was asked for', async () => {
    const world = new World();
    const agent = world.start();
    await world.clock.advance(1_000);
    world.diskFailure = () => ({ kind: 'full', text: 'disk full' });

    agent.pause(null);
    world.cloud.queue('1');
    await world.clock.advance(60_000);
    world.diskFailure = () => null;
    await world.clock.advance(3_600_000);

    expect(holdKinds(world)).toEqual(['user']);
    expect(world.smtp.dialogues).toEqual([]);
  });

  it('from the office stands beside one of the person’s own, and since the first time it was asked', async () => {
    const world = new World();
    const agent = world.start();
    await world.clock.advance(1_000);
    agent.pause(null);
    world.cloud.commands.push('pause');
    await world.clock.advance(61_000);
    const first = world.ledger.holds().find(({ kind }) => kind === 'cloud');
    world.cloud.commands.push('pause');
    await world.clock.advance(120_000);

    expect(first).toBeDefined();
    expect(holdKinds(world).toSorted()).toEqual(['cloud', 'user']);
    expect(world.ledger.holds().find(({ kind }) => kind === 'cloud')).toEqual(first);
  });

  it('from the office holds until the office resumes, over a restart and whatever the person does', async () => {
    const world = new World();
    world.cloud.commands.push('pause');
    const first = world.start();
    await world.clock.advance(1_000);
    first.kill();
    const agent = world.start();
    world.cloud.queue('1');
    agent.resume();
    await world.clock.advance(600_000);
    const meanwhile = { sent: world.smtp.accepted.length, state: agent.status().state };

    world.cloud.commands.push('resume');
    await world.untilStatus('1', 'sent', 120_000);

    expect(meanwhile).toEqual({ sent: 0, state: 'paused' });
  });
});
