import { beforeEach, describe, expect, it } from 'vitest';
import { messageIdOfMail } from '../../src/main/engine/prepare-mail.ts';
import type { MailAccount } from '../../src/shared/settings.ts';
import { ResultRequest } from '../../src/shared/wire/messages.ts';
import { bounceOf, letter, ModelMailbox } from '../support/fakes-mailbox.ts';
import { CONFIG, World } from '../support/fakes-world.ts';

const HOUR_MS = 3_600_000;
let world: World;
let mailbox: ModelMailbox;
beforeEach(() => {
  world = new World();
  mailbox = new ModelMailbox();
  world.mailbox = mailbox;
});

/** With a slow pulse: days pass here. */
const start = (account: Partial<MailAccount> = {}) =>
  world.start({ account: { ...CONFIG.account, ...account }, heartbeatIntervalMs: HOUR_MS });
function nameOf(id: string): string {
  const mail = world.ledger.mail(id);
  if (mail === null) throw new Error(`there is no mail ${id}`);
  return messageIdOfMail(mail, CONFIG.account.address);
}
const lose = (): void => void world.smtp.plays.push({ kind: 'break', stage: 'handed-over', arrived: true });
const results = (id: string) =>
  world.cloud
    .callsOf('result')
    .filter(({ mailId }) => mailId === id)
    .map(({ body }) => ResultRequest.parse(JSON.parse(body)));
const factsOf = (id: string) => [...world.cloud.mail(id).facts.values()];

describe('An uncertain mail', () => {
  it('is sent once it is found in the Sent folder, and the cloud hears by what evidence', async () => {
    lose();
    world.cloud.queue('1');
    start();
    await world.untilState('1', 'uncertain');
    await world.clock.advance(10 * 60_000);
    expect(world.state('1')).toBe('uncertain');

    mailbox.put(nameOf('1'));
    await world.untilStatus('1', 'sent', 24 * HOUR_MS);

    expect(results('1').at(-1)).toMatchObject({
      outcome: 'sent',
      smtp_message_id: nameOf('1'),
      evidence: { kind: 'sent-folder', note: expect.stringContaining('Sent folder') },
    });
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('is looked for with growing pauses', async () => {
    lose();
    world.cloud.queue('1');
    start();
    await world.untilState('1', 'uncertain');
    const looks = () => mailbox.visits.filter((visit) => visit === 'find').length;
    await world.clock.advance(HOUR_MS);
    const first = looks();
    await world.clock.advance(24 * HOUR_MS);
    expect(first).toBeGreaterThanOrEqual(4);
    expect(looks() - first).toBeLessThan(16);
  });

  it.each(['unknown', 'no'] as const)(
    'stays before its person where the provider may keep no copy (%s)',
    async (savesSentCopy) => {
      lose();
      world.cloud.queueMany(2);
      start({ savesSentCopy });
      await world.untilState('2', 'sent');
      mailbox.put(nameOf('2'));
      await world.clock.advance(72 * HOUR_MS);
      expect(world.state('1')).toBe('uncertain');
    },
  );

  it('was not sent where the provider keeps every mail, other mails are found and it is not, for hours', async () => {
    lose();
    world.cloud.queueMany(2);
    start({ savesSentCopy: 'yes' });
    await world.untilState('2', 'sent');
    await world.clock.advance(24 * HOUR_MS);
    // Without another mail in the folder, its absence may be the folder's fault.
    expect(world.state('1')).toBe('uncertain');

    mailbox.put(nameOf('2'));
    await world.clock.advance(5 * 60_000);
    expect(world.state('1')).toBe('uncertain');
    await world.untilStatus('1', 'send_failed', 48 * HOUR_MS);
    expect(results('1').at(-1)).toMatchObject({ outcome: 'send_failed', evidence: { kind: 'sent-folder' } });
    expect(world.smtp.ends.get('1')).toBe(1);
  });

  it('was sent where it came back or was answered', async () => {
    lose();
    lose();
    world.cloud.queueMany(2);
    start();
    await world.untilState('2', 'uncertain', HOUR_MS);
    mailbox.inbox.push(bounceOf(nameOf('1'), '550 5.1.1 no such user'), letter({ answers: [nameOf('2')] }));
    await world.untilStatus('1', 'sent', HOUR_MS);
    await world.untilStatus('2', 'sent', HOUR_MS);
    expect(results('1').at(-1)?.evidence?.kind).toBe('bounce');
    expect(results('2').at(-1)?.evidence?.kind).toBe('reply');
    await world.clock.advance(60_000);
    expect([factsOf('1')[0]?.kind, factsOf('2')[0]?.kind]).toEqual(['bounced', 'replied']);
  });
});

describe('A mailbox in trouble', () => {
  it.each([
    ['unreachable', () => ({ kind: 'unreachable', text: 'no' }) as const],
    ['refused login', () => ({ kind: 'login', text: 'no' }) as const],
    [
      'fault of ours',
      () => {
        throw new Error('a fault');
      },
    ],
  ])('holds up no mail (%s)', async (_, failure) => {
    mailbox.failure = failure;
    const ids = world.cloud.queueMany(5).map(({ id }) => id);
    const agent = start({ savesSentCopy: 'no' });
    for (const id of ids) await world.untilStatus(id, 'sent', HOUR_MS);
    await world.clock.advance(24 * HOUR_MS);
    expect(world.smtp.accepted).toHaveLength(5);
    expect(mailbox.visits.length).toBeLessThan(40);
    expect(agent.status().holds).toEqual([]);
    await world.end(agent);
  });

  it('is visited again once it is back', async () => {
    lose();
    world.cloud.queue('1');
    mailbox.failure = () => ({ kind: 'unreachable', text: 'no' });
    start();
    await world.untilState('1', 'uncertain');
    mailbox.put(nameOf('1'));
    await world.clock.advance(12 * HOUR_MS);
    expect(world.state('1')).toBe('uncertain');
    mailbox.failure = () => null;
    await world.untilStatus('1', 'sent', 12 * HOUR_MS);
  });
});

describe('A copy in the Sent folder', () => {
  it('is kept once for each mail where the provider keeps none, and as it left', async () => {
    const ids = world.cloud.queueMany(3).map(({ id }) => id);
    const agent = start({ savesSentCopy: 'no' });
    for (const id of ids) await world.untilState(id, 'sent');
    await world.clock.advance(HOUR_MS);
    expect(mailbox.copies.map(({ messageId }) => messageId).sort()).toEqual(ids.map(nameOf).sort());
    await world.end(agent);

    const again = start({ savesSentCopy: 'no' });
    await world.clock.advance(HOUR_MS);
    expect(mailbox.copies).toHaveLength(3);
    await world.end(again);
  });

  it('is composed again after a restart, and never put beside one that is there', async () => {
    mailbox.failure = () => ({ kind: 'unreachable', text: 'no' });
    world.cloud.queueMany(2);
    const agent = start({ savesSentCopy: 'no' });
    await world.untilState('2', 'sent');
    await world.end(agent);

    mailbox.failure = () => null;
    mailbox.put(nameOf('1'));
    start({ savesSentCopy: 'no' });
    await world.clock.advance(3 * HOUR_MS);
    expect(mailbox.copies.map(({ messageId }) => messageId)).toEqual([nameOf('2')]);
    expect(world.ledger.lackingCopy(0, 10)).toEqual([]);
  });

  it.each(['yes', 'unknown'] as const)(
    'is left to the provider where it keeps one or may (%s)',
    async (savesSentCopy) => {
      world.cloud.queue('1');
      start({ savesSentCopy });
      await world.untilState('1', 'sent');
      await world.clock.advance(24 * HOUR_MS);
      expect(mailbox.copies).toEqual([]);
    },
  );

  it('waits no longer than half a minute for the next visit where one visit is not enough', async () => {
    let isAway = true;
    mailbox.failure = () => (isAway ? { kind: 'unreachable', text: 'no' } : null);
    world.cloud.queueMany(25);
    start({ savesSentCopy: 'no' });
    await world.untilState('25', 'sent');

    isAway = false;
    await world.clock.runUntil(() => mailbox.copies.length >= 10, 24 * HOUR_MS);
    await world.clock.runUntil(() => mailbox.copies.length === 25, 61_000);
  });

  it('is remembered up to a bound, beyond which the oldest is composed again', async () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024, 'x');
    const composed: string[] = [];
    const { compose } = world.composer;
    world.composer = {
      async compose(mail, signal) {
        composed.push(mail.id);
        const made = await compose(mail, signal);
        return made.ok ? { ok: true, value: { ...made.value, bytes } } : made;
      },
    };
    mailbox.failure = () => ({ kind: 'unreachable', text: 'no' });
    world.cloud.queueMany(3);
    start({ savesSentCopy: 'no' });
    await world.untilState('3', 'sent');

    mailbox.failure = () => null;
    await world.clock.runUntil(() => mailbox.copies.length === 3, 24 * HOUR_MS);

    expect(composed.filter((id) => id === '3')).toHaveLength(1);
    expect(composed.filter((id) => id === '1').length).toBeGreaterThan(1);
  });

  it.each<[string, () => Partial<MailAccount>]>([
    ['from an address that is no longer this account’s', () => ({ address: 'other@example.com' })],
    [
      'that can no longer be composed',
      () => {
        const failure = { stage: 'prepare', class: 'payload', reply: null, message: 'no' } as const;
        world.composer = { compose: async () => ({ ok: false, error: { kind: 'permanent', failure } }) };
        return {};
      },
    ],
  ])('is given up for a mail %s', async (_, change) => {
    mailbox.failure = () => ({ kind: 'unreachable', text: 'no' });
    world.cloud.queue('1');
    const agent = start({ savesSentCopy: 'no' });
    await world.untilState('1', 'sent');
    await world.end(agent);

    mailbox.failure = () => null;
    start({ savesSentCopy: 'no', ...change() });
    await world.clock.runUntil(() => world.ledger.lackingCopy(0, 10).length === 0, HOUR_MS);

    expect(mailbox.copies).toEqual([]);
  });

  it('waits for a mail that cannot be composed just now', async () => {
    mailbox.failure = () => ({ kind: 'unreachable', text: 'no' });
    world.cloud.queue('1');
    const agent = start({ savesSentCopy: 'no' });
    await world.untilState('1', 'sent');
    await world.end(agent);
    const { compose } = world.composer;
    const failure = { stage: 'prepare', class: 'local', reply: null, message: 'no' } as const;
    world.composer = { compose: async () => ({ ok: false, error: { kind: 'temporary', failure } }) };
    mailbox.failure = () => null;
    start({ savesSentCopy: 'no' });
    await world.clock.advance(HOUR_MS);
    const meanwhile = world.ledger.lackingCopy(0, 10).length;

    world.composer.compose = compose;
    await world.clock.runUntil(() => mailbox.copies.length === 1, HOUR_MS);

    expect(meanwhile).toBe(1);
  });

  it('is given up where the folder refuses it again and again, and the mail stays sent', async () => {
    mailbox.refuseCopies = true;
    world.cloud.queue('1');
    start({ savesSentCopy: 'no' });
    await world.untilState('1', 'sent');
    await world.clock.advance(24 * HOUR_MS);
    expect(mailbox.visits.filter((visit) => visit === 'keep')).toHaveLength(3);
    expect(world.cloud.mail('1').status).toBe('sent');
  });
});

describe('A letter about a mail', () => {
  it('is read again where the ledger could not be written', async () => {
    const { letters } = mailbox;
    let isFull = false;
    mailbox.letters = (...asked) => {
      world.diskFailure = () => (isFull ? { kind: 'full', text: 'disk full' } : null);
      return letters(...asked);
    };
    world.cloud.queue('1');
    start();
    await world.untilStatus('1', 'sent');
    mailbox.inbox.push(letter({ answers: [nameOf('1')] }));
    isFull = true;
    await world.clock.advance(4 * HOUR_MS);
    const meanwhile = factsOf('1').length;

    isFull = false;
    await world.clock.runUntil(() => factsOf('1').length > 0, 24 * HOUR_MS);

    expect(meanwhile).toBe(0);
    expect(world.logged.filter((line) => line.includes('mailbox.trouble')).join()).toContain('busy');
  });

  it('that says it comes from the future came now', async () => {
    world.cloud.queue('1');
    start();
    await world.untilStatus('1', 'sent');
    mailbox.inbox.push(letter({ answers: [nameOf('1')], arrivedAtMs: world.clock.nowMs() + 1_000 * HOUR_MS }));
    await world.clock.runUntil(() => factsOf('1').length > 0, 24 * HOUR_MS);

    expect(world.ledger.facts('1')[0]?.atMs).toBeLessThanOrEqual(world.clock.nowMs());
  });

  it('is told to the cloud once, beside the result, however often it is read', async () => {
    world.cloud.queue('1');
    const agent = start();
    await world.untilStatus('1', 'sent');
    const bounce = bounceOf(nameOf('1'), '552 5.2.2 mailbox full');
    mailbox.inbox.push(bounce, letter({ subject: 'unrelated' }), letter({ answers: [nameOf('1')] }));
    world.cloud.faults.set('fact', ['lose-reply']);
    await world.clock.runUntil(() => factsOf('1').length === 2, HOUR_MS);
    await world.end(agent);
    world.ledger.commit([{ kind: 'setting', key: 'inbox-cursor', value: undefined }]);
    start();
    await world.clock.advance(2 * HOUR_MS);

    expect(factsOf('1')).toMatchObject([
      { kind: 'bounced', bounce: { hard: false, status: '5.2.2', text: '552 5.2.2 mailbox full' } },
      { kind: 'replied', bounce: null },
    ]);
    expect(world.cloud.callsOf('fact').map(({ body }) => JSON.parse(body).kind)).toEqual([
      'bounced',
      'bounced',
      'replied',
    ]);
    expect(world.cloud.mail('1').history.at(-1)).toBe('sent');
    expect(world.ledger.heldAddresses(5)).toEqual([]);
  });

  it('says nothing where it is an absence note, our own, or about a mail of another make', async () => {
    world.cloud.queue('1');
    start();
    await world.untilStatus('1', 'sent');
    const name = nameOf('1');
    mailbox.inbox.push(
      letter({ answers: [name], isAutomatic: true, subject: 'Automatic reply' }),
      letter({ answers: [name], from: CONFIG.account.address }),
      letter({ answers: [name.replace(/\.[0-9a-f]{16}@/, `.${'0'.repeat(16)}@`)] }),
      letter({ answers: ['<email-recipient-999.0123456789abcdef@example.com>'] }),
    );
    await world.clock.advance(HOUR_MS);
    expect(factsOf('1')).toEqual([]);
  });

  it('finds a mail by the name its provider gave it', async () => {
    const reply = { code: 250, enhanced: '2.0.0', text: 'OK <PH0@namprd.prod.outlook.com> [Hostname=PH0]' };
    world.smtp.plays.push({ kind: 'accept', reply });
    world.cloud.queue('1');
    start();
    await world.untilStatus('1', 'sent');
    mailbox.inbox.push(letter({ answers: ['<PH0@namprd.prod.outlook.com>'] }));
    await world.clock.runUntil(() => factsOf('1').length === 1, HOUR_MS);
  });

  it('is given up where the cloud does not take it, and asks nobody', async () => {
    world.cloud.queue('1');
    const agent = start();
    await world.untilStatus('1', 'sent');
    mailbox.inbox.push(letter({ answers: [nameOf('1')] }));
    world.cloud.faults.set('fact', [{ problem: 'not-found' }]);
    await world.clock.advance(2 * HOUR_MS);
    expect(world.cloud.callsOf('fact')).toHaveLength(1);
    expect(agent.status()).toMatchObject({ state: 'idle', counts: { conflicts: 0, untold: 0 } });
  });

  it('is read from all pages', async () => {
    world.cloud.queue('1');
    start();
    await world.untilStatus('1', 'sent');
    mailbox.pageSize = 2;
    mailbox.inbox.push(letter(), letter(), letter(), letter({ answers: [nameOf('1')] }));
    await world.clock.runUntil(() => factsOf('1').length === 1, HOUR_MS);
  });
});

describe('An address that bounced for good', () => {
  async function bounced() {
    const { payload } = world.cloud.queue('1');
    const agent = start();
    await world.untilStatus('1', 'sent');
    mailbox.inbox.push(bounceOf(nameOf('1'), '550 5.1.1 no such user here'));
    await world.clock.runUntil(() => factsOf('1').length === 1, HOUR_MS);
    return { agent, payload };
  }

  it('gets no later mail: it is held before it begins, with the reason, until a person lifts it', async () => {
    const { agent, payload } = await bounced();
    world.cloud.queue('2', { payload });
    world.cloud.queue('3');
    await world.untilStatus('3', 'sent', HOUR_MS);
    await world.clock.advance(48 * HOUR_MS);

    expect(world.state('2')).toBe('claimed');
    expect(world.cloud.mail('2').begun).toBeNull();
    expect(world.smtp.ends.has('2')).toBe(false);
    expect(agent.status()).toMatchObject({ state: 'needs-you' });
    const [held] = world.ledger.heldAddresses(5);
    expect(held).toMatchObject({ mailId: '1', text: '550 5.1.1 no such user here' });

    expect(agent.liftAddress(held?.address ?? '')).toMatchObject({ ok: true });
    await world.untilStatus('2', 'sent', 1_000);
    expect(world.ledger.heldAddresses(5)).toEqual([]);
  });

  it('takes no room from mails to other addresses', async () => {
    const { payload } = await bounced();
    for (let n = 0; n < 600; n += 1) world.cloud.queue(`held-${n}`, { payload });
    world.cloud.queue('later');
    await world.untilStatus('later', 'sent', HOUR_MS);
  });

  it('lets a held mail end where its time is over', async () => {
    const { payload } = await bounced();
    world.cloud.queue('2', { payload, notAfterMs: world.clock.nowMs() + HOUR_MS });
    await world.untilStatus('2', 'send_failed', 3 * HOUR_MS);
    expect(world.smtp.ends.has('2')).toBe(false);
  });
});
