import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/shared/settings.ts';
import { ResultRequest } from '../../src/shared/wire/messages.ts';
import { CONFIG, NO_PACE, World } from '../support/fakes-world.ts';

describe('one mail from the queue to its result', () => {
  it('is submitted once and its result is told', async () => {
    const world = new World();
    const mail = world.cloud.queue('1');
    world.start();

    await world.untilStatus('1', 'sent');
    await world.clock.advance(600_000);

    expect(world.smtp.accepted).toEqual(['1']);
    const [told, ...more] = world.cloud.callsOf('result');
    expect(more).toEqual([]);
    expect(ResultRequest.parse(JSON.parse(told?.body ?? ''))).toMatchObject({
      outcome: 'sent',
      payload_hash: mail.hash,
      attempt: 1,
      code: 250,
      smtp_message_id: `<email-recipient-1.${mail.hash.slice(7, 23)}@example.com>`,
    });
    expect(world.ledger.counts()).toMatchObject({ sent: 1, untold: 0, conflicts: 0 });
  });

  it('is not sent from an address that is no longer the account’s, though it was taken when it was', async () => {
    const world = new World();
    world.cloud.queueMany(2);
    const agent = world.start({ pace: Pace.parse({ ...NO_PACE, perHour: 1 }) });
    await world.untilStatus('1', 'sent');
    await world.untilState('2', 'claimed');
    await world.end(agent);

    world.start({ account: { ...CONFIG.account, address: 'other@example.com' } });
    await world.untilStatus('2', 'send_failed');

    expect(world.smtp.dialogues.map(({ mailId }) => mailId)).toEqual(['1']);
    expect(world.cloud.mail('2').errorMessage).toContain('is not an address of your mail account');
  });

  it('asks to begin when the envelope starts, before the body', async () => {
    const world = new World();
    world.smtp.stageMs = 1_000;
    world.cloud.queue('1');
    world.start();

    await world.clock.runUntil(() => world.cloud.callsOf('begin').length > 0);

    expect(world.smtp.dialogues[0]?.stages).toEqual(['connect', 'tls', 'auth', 'envelope']);
  });

  it('holds the last bytes back until the cloud has granted begin', async () => {
    const world = new World();
    world.cloud.faults.set('begin', [{ delayMs: 30_000 }]);
    world.cloud.queue('1');
    world.start();

    await world.clock.advance(20_000);
    const before = { ends: world.smtp.ends.size, state: world.state('1') };
    await world.clock.advance(20_000);

    expect(before).toEqual({ ends: 0, state: 'handed-over' });
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('has the mark handed-over in the ledger before the end of the mail leaves', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'hang', stage: 'handed-over', forMs: 60_000, arrived: true });
    world.cloud.queue('1');
    world.start();

    await world.clock.runUntil(() => world.smtp.ends.size > 0);

    expect(world.state('1')).toBe('handed-over');
  });

  it('keeps the nonce out of the ledger until the outcome is known', async () => {
    const world = new World();
    world.smtp.playFor = () => ({ kind: 'hang', stage: 'handed-over', forMs: 60_000, arrived: true });
    world.cloud.queue('1');
    world.start();
    await world.clock.runUntil(() => world.smtp.ends.size > 0);
    const nonce = world.cloud.mail('1').begun ?? 'none';

    const during = JSON.stringify(world.commits);
    await world.untilState('1', 'sent');

    expect(during).not.toContain(nonce);
    expect(JSON.stringify(world.ledger.attempts('1'))).toContain(nonce);
  });

  it('costs two commits in a busy run: the outcome of one mail is written with the start of the next', async () => {
    const world = new World();
    world.cloud.queueMany(10);
    world.start({ holdMax: 10 });

    await world.clock.runUntil(() => world.ledger.counts().sent === 9);

    const ofMails = world.events.filter((events) => events.some((event) => MAIL_EVENTS.includes(event)));
    expect(ofMails.slice(0, 3)).toEqual([['attempt-started'], ['handed-over'], ['accepted', 'attempt-started']]);
    expect(ofMails.length).toBe(19);
    // Acknowledged reports ride along with the commits of the mails after them.
    const others = world.events.filter((events) => !events.some((event) => MAIL_EVENTS.includes(event))).flat();
    expect(new Set(others)).toEqual(new Set(['claim-asked', 'mails-claimed', 'tasks-told']));
  });

  it('is not sent before the first sync was answered', async () => {
    const world = new World();
    world.cloud.queue('1');
    const first = world.start();
    await world.clock.runUntil(() => world.state('1') === 'attempting');
    first.kill();
    world.cloud.faultFor = (name) => (name === 'sync' ? 'lose-request' : null);
    const agent = world.start();

    await world.clock.advance(600_000);
    const early = { dialogues: world.smtp.dialogues.length, status: agent.status() };
    world.cloud.faultFor = () => null;
    await world.untilStatus('1', 'sent');

    expect(early.dialogues).toBe(1);
    expect(world.smtp.accepted).toEqual(['1']);
    expect(early.status).toMatchObject({ synced: false, waiting: { why: 'not-synced' } });
  });

  it('goes over a kept connection after the first', async () => {
    const world = new World();
    world.cloud.queueMany(2);
    world.start();

    await world.untilStatus('2', 'sent');

    expect(world.smtp.dialogues.map(({ stages }) => stages[0])).toEqual(['connect', 'envelope']);
  });
});

const MAIL_EVENTS = ['attempt-started', 'handed-over', 'accepted'];
