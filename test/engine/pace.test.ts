import { describe, expect, it } from 'vitest';
import { accountSince, readPaceMemory } from '../../src/main/engine/pace-memory.ts';
import { MailAccount, type Pace } from '../../src/shared/settings.ts';
import { samplePayload } from '../support/fakes-cloud-mail.ts';
import { NO_PACE, World } from '../support/fakes-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const pace = (over: Partial<Pace>): Pace => ({ ...NO_PACE, ...over });
const refused = {
  kind: 'reply',
  stage: 'envelope',
  command: 'rcpt',
  reply: { code: 550, enhanced: '5.1.1', text: 'No such user' },
} as const;
const toDomain = (id: string, domain: string) => ({
  payload: { ...samplePayload(id), to: { name: null, address: `bert@${domain}` } },
});

describe('a limit for each domain', () => {
  it('lets mails to others pass those that wait, and says what they wait for', async () => {
    const world = new World();
    world.cloud.queue('1', toDomain('1', 'one.example'));
    world.cloud.queue('2', toDomain('2', 'one.example'));
    world.cloud.queue('3', toDomain('3', 'two.example'));
    const agent = world.start({ pace: pace({ perHourPerDomain: 1 }) });

    await world.untilStatus('3', 'sent', MINUTE_MS);
    await world.clock.advance(10_000);

    expect(world.state('2')).toBe('claimed');
    expect(agent.status().waiting).toMatchObject({ why: 'per-domain' });
    await world.untilStatus('2', 'sent', 2 * HOUR_MS);
  });

  it('is remembered over a restart', async () => {
    const world = new World();
    world.cloud.queue('1', toDomain('1', 'one.example'));
    world.cloud.queue('2', toDomain('2', 'one.example'));
    const first = world.start({ pace: pace({ perHourPerDomain: 1 }) });
    await world.untilStatus('1', 'sent', MINUTE_MS);
    await world.end(first);

    const second = world.start({ pace: pace({ perHourPerDomain: 1 }) });
    await world.clock.advance(30 * MINUTE_MS);

    expect(world.state('2')).toBe('claimed');
    expect(second.status().waiting).toMatchObject({ why: 'per-domain' });
  });
});

describe('an account new to sending', () => {
  it('sends fewer on its first days, counted over restarts', async () => {
    const world = new World();
    const slow = pace({ perDay: 40, rampUpDays: 3 });
    world.cloud.queueMany(60);
    const first = world.start({ pace: slow });
    await world.clock.advance(HOUR_MS);

    expect(world.ledger.counts().sent).toBe(20);
    expect(first.status().waiting).toMatchObject({ why: 'ramp-up' });
    await world.end(first);
    world.start({ pace: slow });
    await world.clock.advance(HOUR_MS);
    expect(world.ledger.counts().sent).toBe(20);
    await world.clock.advance(DAY_MS);
    expect(world.ledger.counts().sent).toBe(40);
  });

  it('counts only its own days after another account', async () => {
    const world = new World();
    world.cloud.queue('1');
    const agent = world.start();
    await world.untilStatus('1', 'sent');
    await world.end(agent);
    const nowMs = world.clock.nowMs();
    const smtp = { host: 'smtp.example.com', port: 465, security: 'tls' } as const;
    const account = MailAccount.parse({ address: 'new@example.com', userName: 'new', smtp });
    const config = { pace: pace({ rampUpDays: 5 }), account };
    const before = readPaceMemory(world.ledger, config, nowMs).days.size;
    world.ledger.commit(accountSince({ address: 'sales@example.com' }, 'new@example.com', nowMs + DAY_MS));

    expect(before).toBe(1);
    expect(readPaceMemory(world.ledger, config, nowMs + DAY_MS).days.size).toBe(0);
    expect(accountSince({ address: 'new@example.com' }, 'new@example.com', nowMs)).toEqual([]);
    expect(accountSince(null, 'new@example.com', nowMs)).toEqual([]);
  });
});

describe('a clock that was set back by a year', () => {
  it('holds the next mail for one window, not for a year', async () => {
    const world = new World();
    world.cloud.queueMany(2);
    const agent = world.start({ pace: pace({ perHour: 1 }) });
    await world.untilStatus('1', 'sent', MINUTE_MS);

    world.clock.jump(-365 * DAY_MS);
    await world.untilStatus('2', 'sent', 2 * HOUR_MS);

    expect(agent.status().counts.sent).toBe(2);
  });

  it('does so for mails of an earlier run, too', async () => {
    const world = new World();
    world.cloud.queueMany(2);
    const first = world.start({ pace: pace({ perHour: 1 }) });
    await world.untilStatus('1', 'sent', MINUTE_MS);
    await world.end(first);

    world.clock.jump(-365 * DAY_MS);
    world.start({ pace: pace({ perHour: 1 }) });

    await world.untilStatus('2', 'sent', 2 * HOUR_MS);
  });
});

describe('a pause by itself', () => {
  it('comes after equal failures in a row, asks for a person, and begins to count anew when they go on', async () => {
    const world = new World();
    world.smtp.playFor = () => refused;
    world.cloud.queueMany(10);
    const config = { pace: pace({ pauseAfterEqualErrors: 3 }) };
    const first = world.start(config);
    await world.clock.advance(HOUR_MS);

    expect(world.ledger.counts()).toMatchObject({ failed: 3, claimed: 7 });
    expect(first.status()).toMatchObject({
      state: 'needs-you',
      holds: [{ kind: 'account', untilMs: null, text: expect.stringMatching(/in a row.*does not exist/) }],
    });
    await world.end(first);
    const second = world.start(config);
    second.resume();
    await world.clock.advance(HOUR_MS);

    expect(world.ledger.counts()).toMatchObject({ failed: 6, claimed: 4 });
  });

  it('counts over a restart', async () => {
    const world = new World();
    world.smtp.plays.push(refused, refused, refused);
    world.cloud.queueMany(2);
    const config = { pace: pace({ pauseAfterEqualErrors: 3 }) };
    const first = world.start(config);
    await world.clock.runUntil(() => world.ledger.counts().failed === 2);
    await world.end(first);
    world.cloud.queue('3');
    world.cloud.queue('4');
    world.start(config);
    await world.clock.advance(HOUR_MS);

    expect(world.ledger.counts()).toMatchObject({ failed: 3, sent: 0 });
    expect(world.ledger.holds().map(({ kind }) => kind)).toEqual(['account']);
  });

  it('comes where many of the latest were refused', async () => {
    const world = new World();
    world.smtp.playFor = (mailId: string) => (Number(mailId) % 2 === 1 ? refused : { kind: 'accept' });
    world.cloud.queueMany(30);
    world.start({ pace: pace({ pauseAboveRefusedPercent: 40 }) });
    await world.clock.advance(HOUR_MS);

    // The first judgement is possible after ten mails, and falls with the next refusal.
    expect(world.ledger.counts()).toMatchObject({ sent: 5, failed: 6 });
    expect(world.ledger.holds()[0]?.text).toMatch(/Many of the latest mails were refused/);
  });
});

describe('a mail whose time passed while the computer slept', () => {
  it('is not sent, and stands among the failed with the reason', async () => {
    const world = new World();
    world.cloud.queue('1');
    world.cloud.queue('2', { notAfterMs: world.clock.nowMs() + 30 * MINUTE_MS });
    const agent = world.start({ pace: pace({ perHour: 1 }) });
    await world.untilStatus('1', 'sent', MINUTE_MS);
    world.clock.jump(10 * HOUR_MS);
    agent.checkNow();
    await world.untilStatus('2', 'send_failed', HOUR_MS);

    expect(world.smtp.dialogues.map(({ mailId }) => mailId)).toEqual(['1']);
    expect(world.ledger.attempts('2').at(-1)?.failure).toMatchObject({ class: 'expired' });
  });
});
