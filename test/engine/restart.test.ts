import { describe, expect, it } from 'vitest';
import type { LedgerChange, NewMail } from '../../src/main/engine/ports.ts';
import type { CloudMail } from '../support/fakes-cloud-mail.ts';
import { samplePayload } from '../support/fakes-cloud-mail.ts';
import { World } from '../support/fakes-world.ts';

const NONCE = 'n'.repeat(32);
const OTHER = 'o'.repeat(32);
const FAILURE = { stage: 'body', class: 'connection', reply: null, message: 'It broke.' } as const;
const REPLY = { code: 250, enhanced: '2.0.0', text: 'queued' };

const newMail = (mail: CloudMail): NewMail => ({
  id: mail.id,
  idempotencyKey: mail.key,
  payloadHash: mail.hash,
  taskId: 'task-1',
  taskName: 'Spring 春',
  payload: samplePayload(mail.id),
  notBeforeMs: null,
  notAfterMs: null,
  claimedAtMs: 0,
});

type LedgerRow = 'none' | 'claimed' | 'attempting' | 'handed-over' | 'not-sent' | 'sent' | 'refused' | 'uncertain';

/** A disk as a killed process left it: one mail in the ledger, at its first attempt with `NONCE`. */
function diskWith(world: World, mail: CloudMail, row: LedgerRow): void {
  const event = (events: Extract<LedgerChange, { kind: 'mail' }>['event']): LedgerChange => ({
    kind: 'mail',
    mailId: mail.id,
    event: events,
    atMs: 1,
  });
  const claimed: LedgerChange = { kind: 'mails-claimed', claimId: null, mails: [newMail(mail)], atMs: 1 };
  const started = event({ kind: 'attempt-started', attempt: 1 });
  const handedOver = event({ kind: 'handed-over', attempt: 1 });
  const messageId = `<email-recipient-1.${mail.hash.slice(7, 23)}@example.com>`;
  const changes: Record<LedgerRow, readonly LedgerChange[]> = {
    none: [],
    claimed: [claimed],
    attempting: [claimed, started],
    'handed-over': [claimed, started, handedOver],
    'not-sent': [
      claimed,
      started,
      event({ kind: 'not-sent', attempt: 1, nonce: NONCE, retryAtMs: 0, failure: FAILURE }),
    ],
    sent: [
      claimed,
      started,
      handedOver,
      event({ kind: 'accepted', attempt: 1, nonce: NONCE, messageId, reply: REPLY }),
    ],
    refused: [claimed, started, event({ kind: 'refused', attempt: 1, nonce: NONCE, failure: FAILURE })],
    uncertain: [
      claimed,
      started,
      handedOver,
      event({ kind: 'lost', attempt: 1, nonce: NONCE, messageId, failure: FAILURE }),
    ],
  };
  expect(world.ledger.commit(changes[row])).toEqual({ ok: true, value: undefined });
}

/** The cloud holds mail 1 for this agent, begun or not, and the ledger has it where the row says. */
async function restartedWith(row: LedgerRow, begun: string | null): Promise<World> {
  const world = new World();
  const mail = world.cloud.queue('1');
  Object.assign(mail, { status: 'sending', agentId: 'agent-1', begun });
  diskWith(world, mail, row);
  world.start();
  await world.clock.advance(3_600_000);
  return world;
}

describe('after a restart, a mail the cloud holds', () => {
  it.each(['none', 'claimed', 'attempting', 'handed-over', 'not-sent'] as const)(
    'and that has not begun goes on where the ledger says %s',
    async (row) => {
      const world = await restartedWith(row, null);

      expect(world.smtp.accepted).toEqual(['1']);
      expect(world.cloud.mail('1').status).toBe('sent');
    },
  );

  it.each([
    ['sent', 'sent'],
    ['refused', 'send_failed'],
  ] as const)(
    'and that has begun is reported where the ledger knows the outcome of that nonce: %s',
    async (row, status) => {
      const world = await restartedWith(row, NONCE);

      expect(world.cloud.mail('1').status).toBe(status);
      expect(world.smtp.dialogues).toEqual([]);
    },
  );

  it('and that has begun is told as uncertain where the ledger says so', async () => {
    const world = await restartedWith('uncertain', NONCE);

    expect(world.cloud.mail('1')).toMatchObject({ status: 'sending', uncertain: true });
    expect(world.smtp.dialogues).toEqual([]);
  });

  it('and that has begun is told as not sent, and tried again, where the ledger says so of that nonce', async () => {
    const world = await restartedWith('not-sent', NONCE);

    expect(world.cloud.mail('1').status).toBe('sent');
    expect(world.cloud.mail('1').retired).toContain(NONCE);
    expect(world.smtp.accepted).toEqual(['1']);
  });

  it.each(['none', 'claimed', 'attempting', 'handed-over'] as const)(
    'and that has begun is uncertain where the ledger says %s',
    async (row) => {
      const world = await restartedWith(row, NONCE);

      expect(world.state('1')).toBe('uncertain');
      expect(world.cloud.mail('1')).toMatchObject({ status: 'sending', uncertain: true });
      expect(world.smtp.dialogues).toEqual([]);
    },
  );

  it('and that has begun under another nonce than the outcome in the ledger is uncertain', async () => {
    const world = await restartedWith('not-sent', OTHER);

    expect(world.state('1')).toBe('uncertain');
    expect(world.cloud.mail('1').uncertain).toBe(true);
    expect(world.smtp.dialogues).toEqual([]);
  });
});

describe('after a restart, a mail that is final in the cloud', () => {
  async function finalWith(
    row: LedgerRow,
    status: 'sent' | 'send_failed' | 'cancelled',
    messageId: string | null = null,
  ) {
    const world = new World();
    const mail = world.cloud.queue('1');
    Object.assign(mail, { status, agentId: 'agent-1', smtpMessageId: messageId });
    diskWith(world, mail, row);
    world.start();
    await world.clock.advance(3_600_000);
    return world;
  }

  it.each([
    ['claimed', 'sent', 'sent'],
    ['attempting', 'send_failed', 'failed'],
    ['handed-over', 'sent', 'sent'],
    ['handed-over', 'cancelled', 'cancelled'],
    ['claimed', 'cancelled', 'cancelled'],
    ['uncertain', 'sent', 'sent'],
    ['uncertain', 'send_failed', 'failed'],
  ] as const)('is done where the ledger says %s and the cloud %s', async (row, status, state) => {
    const world = await finalWith(row, status);

    expect(world.state('1')).toBe(state);
    expect(world.smtp.dialogues).toEqual([]);
    expect(world.ledger.counts()).toMatchObject({ untold: 0, conflicts: 0 });
  });

  it('is done where the ledger has an equal outcome', async () => {
    const probe = new World();
    const world = await finalWith(
      'sent',
      'sent',
      `<email-recipient-1.${probe.cloud.queue('1').hash.slice(7, 23)}@example.com>`,
    );

    expect(world.ledger.counts()).toMatchObject({ sent: 1, untold: 0, conflicts: 0 });
  });

  it('is a conflict where the ledger has another outcome; the word of the cloud stands', async () => {
    const world = await finalWith('sent', 'send_failed');

    expect(world.ledger.counts()).toMatchObject({ untold: 0, conflicts: 1 });
    expect(world.cloud.mail('1')).toMatchObject({ status: 'send_failed', history: ['queued'] });
  });
});

describe('after a restart', () => {
  it('a mail handed over is not touched while the cloud is out of reach', async () => {
    const world = new World();
    const mail = world.cloud.queue('1');
    Object.assign(mail, { status: 'sending', agentId: 'agent-1', begun: NONCE });
    diskWith(world, mail, 'handed-over');
    world.cloud.faultFor = () => 'lose-request';

    const agent = world.start();
    await world.clock.advance(3_600_000);

    expect(world.state('1')).toBe('handed-over');
    expect(agent.status()).toMatchObject({ state: 'offline', synced: false });
    expect(world.smtp.dialogues).toEqual([]);
  });

  it('mails that the cloud gave to somebody else leave the ledger open to nobody', async () => {
    const world = new World();
    const mail = world.cloud.queue('1');
    Object.assign(mail, { status: 'sending', agentId: 'agent-2' });
    diskWith(world, mail, 'claimed');

    world.start();
    await world.untilState('1', 'released');

    expect(world.smtp.dialogues).toEqual([]);
  });

  it('a deleted ledger is filled again from the cloud: what had not begun is sent, what had is asked about', async () => {
    const world = new World();
    world.cloud.queueMany(3);
    world.smtp.playFor = () => ({ kind: 'hang', stage: 'handed-over', forMs: 600_000, arrived: true });
    const first = world.start();
    await world.clock.runUntil(() => world.smtp.ends.size > 0);
    first.kill();

    world.ledger = world.emptyLedger();
    world.smtp.playFor = () => ({ kind: 'accept' });
    world.start();
    await world.untilStatus('3', 'sent');

    expect(['1', '2', '3'].map((id) => world.state(id))).toEqual(['uncertain', 'sent', 'sent']);
    expect(world.smtp.accepted).toEqual(['1', '2', '3']);
  });

  it('a restored ledger sends nothing twice', async () => {
    const world = new World();
    world.cloud.queueMany(3);
    const first = world.start();
    await world.untilState('1', 'attempting');
    const backup = world.ledger.copy();
    await world.untilStatus('3', 'sent');
    first.kill();

    world.ledger = backup;
    world.start();
    await world.clock.advance(3_600_000);

    expect(world.smtp.accepted).toEqual(['1', '2', '3']);
    expect(world.ledger.counts()).toMatchObject({ sent: 3, untold: 0, conflicts: 0 });
  });

  it('an agent with a restored ledger goes on taking mails, whatever its old claim was', async () => {
    const world = new World();
    world.cloud.queueMany(1);
    const first = world.start();
    await world.clock.runUntil(() => world.cloud.callsOf('claim').length > 0);
    const backup = world.ledger.copy();
    await world.untilStatus('1', 'sent');
    first.kill();

    world.ledger = backup;
    world.cloud.queue('2');
    world.start();

    await world.untilStatus('2', 'sent');
  });

  it('two copies of one data folder send each mail once', async () => {
    const world = new World();
    world.cloud.queueMany(6);
    world.start();
    await world.untilState('1', 'attempting');
    world.ledger = world.ledger.copy();
    world.start();

    await world.clock.runUntil(() =>
      [...world.cloud.mails.values()].every((mail) => mail.status === 'sent' || mail.uncertain),
    );
    await world.clock.advance(3_600_000);

    expect(world.smtp.accepted.toSorted()).toEqual(['1', '2', '3', '4', '5', '6']);
  });
});
