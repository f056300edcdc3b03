import { describe, expect, it } from 'vitest';
import { tokenHold } from '../../src/main/core/conclude.ts';
import { wantSync } from '../../src/main/engine/context.ts';
import type { Cloud, CloudFailure, LedgerChange } from '../../src/main/engine/ports.ts';
import { syncLoop } from '../../src/main/engine/sync-loop.ts';
import { err, ok, type Result } from '../../src/shared/result.ts';
import {
  HeldItemHead,
  type OtherItem,
  type SyncReplyEnvelope,
  type SyncRequest,
} from '../../src/shared/wire/messages.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import {
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  nonceOf,
  sendMail,
  started,
} from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';
import { SeededRandom, VirtualClock } from '../support/fakes-clock.ts';
import { ModelCloud } from '../support/fakes-cloud.ts';
import { TASK, USER_ID } from '../support/fakes-cloud-mail.ts';

const NEVER = new AbortController().signal;
const NONCE = 'n'.repeat(22);
const page = (over: Partial<SyncReplyEnvelope> = {}): Result<SyncReplyEnvelope, CloudFailure> =>
  ok({ items: [], others: [], next_after: null, ...over });
const other = (id: string, status: OtherItem['status']): OtherItem => ({
  id,
  status,
  smtp_message_id: null,
  error_message: null,
});

/** A context whose cloud answers one sync after another like this, and then for ever like the last. */
function syncing(...answers: readonly Result<SyncReplyEnvelope, CloudFailure>[]) {
  const asked: SyncRequest[] = [];
  const sync: Cloud['sync'] = async (request) => {
    asked.push(request);
    return answers[Math.min(asked.length, answers.length) - 1] ?? page();
  };
  return { ...bareContext({ cloud: { ...new ModelCloud(new VirtualClock()).port('agent-1'), sync } }), asked };
}

/** Runs the loop for a moment of virtual time. */
async function run({ context, clock }: BareContext, ms = 1): Promise<void> {
  const stop = new AbortController();
  const running = syncLoop(context, stop.signal);
  await clock.advance(ms);
  stop.abort();
  await clock.advance(1);
  await running;
}

function held(id: string, over: object = {}): object {
  const address = { address: 'sales@example.com' };
  const payload = { from: address, to: { address: `buyer-${id}@example.net` }, subject: 'Hello', text: 'Hello' };
  return {
    id,
    user_id: USER_ID,
    idempotency_key: `email-recipient-${id}`,
    payload_hash: payloadHash(payload),
    task: TASK,
    not_before: null,
    not_after: null,
    payload,
    begun_nonce: null,
    uncertain: false,
    ...over,
  };
}

describe('a comparison with the cloud', () => {
  it('ends in being synced, and wakes whoever waited for it', async () => {
    const bare = syncing(page());
    await run(bare);

    expect(bare.context.live).toMatchObject({ synced: true, syncWanted: false });
    expect((await bare.rung()).toSorted()).toEqual(['claim', 'report', 'send']);
    expect(bare.changes()).toBe(1);
  });

  it('names the mails of the ledger once, and reads on to the last page', async () => {
    const bare = syncing(page({ next_after: '5' }), page({ next_after: '7' }), page());
    commitAll(bare.ledger, claimed([newMail(1)]));
    await run(bare);

    expect(bare.asked.map(({ after, known }) => [after, known])).toEqual([
      [null, ['1']],
      ['5', []],
      ['7', []],
    ]);
    expect(bare.context.live.synced).toBe(true);
  });

  it('asks mail by mail where a page is too large, and gives up where one mail is', async () => {
    const bare = syncing(err({ kind: 'too-large', text: '' }), err({ kind: 'too-large', text: '' }), page());
    await run(bare);

    expect(bare.asked.map(({ limit }) => limit > 1)).toEqual([true, false]);
    expect(bare.context.live.synced).toBe(false);
  });

  it('does not read a cloud that never ends', async () => {
    const bare = syncing(page({ next_after: '5' }));
    await run(bare);

    expect(bare.asked).toHaveLength(200);
    expect(bare.context.live.synced).toBe(false);
  });

  it('notes that the cloud is out of reach', async () => {
    const bare = syncing(err({ kind: 'unreachable', text: '' }));
    await run(bare);

    expect(bare.context.live.cloudReachable).toBe(false);
  });

  it('is tried again after a pause that grows, and is short again after one that worked', async () => {
    const failure = err({ kind: 'unreachable', text: '' } as const);
    const answers = [failure, failure, failure, page(), failure, failure];
    const times: number[] = [];
    const sync: Cloud['sync'] = async () => {
      times.push((bare.clock.monotonicMs() - startMs) / 1_000);
      return answers[times.length - 1] ?? page();
    };
    const random = { ...new SeededRandom(1), fraction: () => 0.5 };
    const bare = bareContext({ random, cloud: { ...new ModelCloud(new VirtualClock()).port('agent-1'), sync } });
    const startMs = bare.clock.monotonicMs();
    void syncLoop(bare.context, NEVER);
    await bare.clock.advance(100_000);
    wantSync(bare.context);
    await bare.clock.advance(20_000);

    expect(times).toEqual([0, 7.5, 22.5, 52.5, 100, 107.5]);
  });

  it('asks nothing while the cloud refuses the token', async () => {
    const bare = syncing(page());
    commitAll(bare.ledger, { kind: 'hold-set', hold: tokenHold('en', 0) });
    await run(bare, 600_000);

    expect([bare.asked, bare.context.live.synced]).toEqual([[], false]);
  });

  it.each([
    ['is being sent', { current: { mailId: '1', attempt: 1, stage: 'body' } }],
    ['is not written yet', { unwritten: true }],
  ] as const)('waits while a mail %s, and no other begins', async (_, live) => {
    const bare = syncing(page());
    const before = { ...bare.context.live };
    Object.assign(bare.context.live, { synced: true, ...live });
    void syncLoop(bare.context, NEVER);
    await bare.clock.advance(50_000);
    const meanwhile = [bare.asked.length, bare.context.live.synced];
    Object.assign(bare.context.live, { current: before.current, unwritten: before.unwritten });
    await bare.clock.advance(20);

    expect(meanwhile).toEqual([0, false]);
    expect([bare.asked.length, bare.context.live.synced]).toEqual([1, true]);
  });

  it('waits for a claim that is under way', async () => {
    const bare = syncing(page());
    bare.context.live.claiming = new AbortController();
    await run(bare, 50_000);

    expect(bare.asked).toEqual([]);
  });
});

const DISK_FULL = { ok: false, error: { kind: 'full', text: '' } } as const;

describe('a mail that the cloud holds', () => {
  it('is taken in where the ledger does not know it, and goes on where it cannot have left', async () => {
    const bare = syncing(page({ items: [held('1'), held('2')] }));
    commitAll(bare.ledger, claimed([newMail(2)]), happened('2', started(1)));
    await run(bare);

    expect(bare.ledger.mail('1')?.state.kind).toBe('claimed');
    expect(bare.ledger.mail('2')?.state).toMatchObject({ kind: 'claimed', retryAtMs: bare.clock.nowMs() - 2 });
  });

  it('is told of again where its outcome was told and does not show', async () => {
    const bare = syncing(page({ items: [held('1')] }));
    commitAll(bare.ledger, claimed([newMail(1)]));
    sendMail(bare.ledger, '1', 3_000);
    const seq = bare.ledger.reportFor('1', null)?.seq ?? 0;
    const told: LedgerChange = { kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 4_000 };
    commitAll(bare.ledger, told);
    await run(bare);

    expect(bare.ledger.untold(1e15, 9).map((row) => row.seq)).toEqual([seq]);
    expect(bare.context.live.synced).toBe(true);
  });

  it('is left as it is where its outcome is still to be told', async () => {
    const bare = syncing(page({ items: [held('1')] }));
    commitAll(bare.ledger, claimed([newMail(1)]));
    sendMail(bare.ledger, '1', 3_000);
    const untilMs = bare.clock.nowMs() + 60_000;
    commitAll(bare.ledger, { kind: 'report-postponed', seq: bare.ledger.reportFor('1', null)?.seq ?? 0, untilMs });
    const before = bare.ledger.untold(untilMs, 9);
    await run(bare);

    expect(bare.ledger.untold(untilMs, 9)).toEqual(before);
    expect(bare.ledger.nextUntoldAtMs()).toBe(untilMs);
    expect(bare.context.live.synced).toBe(true);
  });

  it('is told of no more where both sides doubt', async () => {
    const item = held('1', { begun_nonce: nonceOf('1', 1), uncertain: true });
    const bare = syncing(page({ items: [item] }));
    const { payload_hash: hash } = HeldItemHead.parse(item);
    commitAll(bare.ledger, claimed([newMail(1, { payloadHash: hash })]));
    for (const event of [started(1), handedOver(1), lost('1', 1)]) commitAll(bare.ledger, happened('1', event));
    const seq = bare.ledger.reportFor('1', null)?.seq ?? 0;
    commitAll(bare.ledger, { kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 4_000 });
    await run(bare);

    expect(bare.ledger.untold(1e15, 9)).toEqual([]);
    expect(bare.context.live.synced).toBe(true);
  });

  it.each([
    ['unknown here', []],
    ['claimed here', [claimed([newMail(1)])]],
  ])('is uncertain where it has begun and is %s', async (_, changes) => {
    const bare = syncing(page({ items: [held('1', { begun_nonce: NONCE })] }));
    if (changes.length > 0) commitAll(bare.ledger, ...changes);
    await run(bare);

    expect(bare.ledger.mail('1')?.state).toMatchObject({ kind: 'uncertain', nonce: NONCE });
    expect(bare.context.live.synced).toBe(true);
  });

  it('is reported as one that cannot be sent where it cannot be read', async () => {
    const bare = syncing(page({ items: [held('1', { task: null })] }));
    await run(bare);

    expect(bare.ledger.mail('1')?.state.kind).toBe('failed');
  });

  it('whose key belongs to another mail here holds up no other', async () => {
    const bare = syncing(page({ items: [held('1', { begun_nonce: NONCE }), held('2')] }));
    commitAll(bare.ledger, claimed([newMail(9, { idempotencyKey: 'email-recipient-1' })]));
    await run(bare);

    expect(bare.ledger.mail('1')).toBeNull();
    expect([bare.ledger.mail('2')?.state.kind, bare.context.live.synced]).toEqual(['claimed', true]);
  });

  it('and that has begun is a question, even where it could not be sent from here', async () => {
    const bare = syncing(page({ items: [held('1', { begun_nonce: NONCE, payload: { subject: 'another' } })] }));
    await run(bare);

    expect(bare.ledger.mail('1')?.state.kind).toBe('uncertain');
    const reports = bare.ledger.untold(1e15, 9).map(({ body }) => JSON.parse(body));
    expect(reports).toMatchObject([{ outcome: 'uncertain', stage: 'handed-over', nonce: NONCE }]);
  });

  it.each<[string, Partial<SyncReplyEnvelope>]>([
    ['a mail to take in', { items: [held('1')] }],
    ['a doubt about a mail to take in', { items: [held('1', { begun_nonce: NONCE })] }],
    ['a doubt about a mail of the ledger', { items: [held('2', { begun_nonce: NONCE })] }],
    ['a mail that goes on', { items: [held('3')] }],
    ['an outcome to be told again', { items: [held('4')] }],
    ['a mail that moves', { others: [other('2', 'sent')] }],
  ])('is compared again where the ledger cannot be written: %s', async (_, reply) => {
    const bare = syncing(page({ ...reply, next_after: '9' }));
    commitAll(bare.ledger, claimed([newMail(2), newMail(3), newMail(4)]), happened('3', started(1)));
    sendMail(bare.ledger, '4', 3_000);
    const seq = bare.ledger.reportFor('4', null)?.seq ?? 0;
    commitAll(bare.ledger, { kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 4_000 });
    const context = { ...bare.context, journal: { ...bare.context.journal, commit: () => DISK_FULL } };
    await run({ ...bare, context });

    expect([bare.asked.length, bare.context.live.synced]).toEqual([1, false]);
  });
});

describe('a mail that the cloud does not hold', () => {
  it('ends as the cloud says, where it is open; others do not move', async () => {
    const others = [other('1', 'sent'), other('2', 'queued'), other('3', 'sent'), other('4', 'sent')];
    const bare = syncing(page({ others }));
    commitAll(bare.ledger, claimed([newMail(1), newMail(2), newMail(3)]));
    sendMail(bare.ledger, '3', 3_000);
    await run(bare);

    expect(['1', '2', '3', '4'].map((id) => bare.ledger.mail(id)?.state.kind ?? null)).toEqual([
      'sent',
      'released',
      'sent',
      null,
    ]);
    expect(bare.context.live.synced).toBe(true);
  });

  it('stays before its person where it is in doubt', async () => {
    const bare = syncing(page({ others: [other('1', 'queued')] }));
    commitAll(bare.ledger, claimed([newMail(1)]));
    for (const event of [started(1), handedOver(1), lost('1', 1)]) commitAll(bare.ledger, happened('1', event));
    await run(bare);

    expect(bare.ledger.mail('1')?.state.kind).toBe('uncertain');
  });
});
