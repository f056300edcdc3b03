import { describe, expect, it } from 'vitest';
import { readClaim } from '../../src/main/core/read-claim.ts';
import { LOCAL_TEXTS } from '../../src/shared/texts/local-texts.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';

const CONTEXT = {
  userId: 'user-1',
  fromAddresses: ['sales@example.com'],
  cloudOrigin: 'https://cloud.example',
  language: 'en',
} as const;
const NOW_MS = 1_000;

const payload = (id: string) => ({
  from: { address: 'sales@example.com' },
  to: { address: `buyer-${id}@example.net` },
  subject: 'Hello',
  text: 'Hello',
});
const item = (id: string, over: Record<string, unknown> = {}) => ({
  id,
  user_id: 'user-1',
  idempotency_key: `email-recipient-${id}`,
  payload_hash: payloadHash(payload(id)),
  task: { id: 'task-1', name: 'Spring' },
  not_before: null,
  not_after: null,
  payload: payload(id),
  ...over,
});
const read = (...items: unknown[]) => readClaim(items, CONTEXT, NOW_MS);

describe('the items of a claim', () => {
  it('enter the ledger in their order, with their instants', () => {
    const { mails, refusals, unreadable } = read(
      item('2', { not_before: '2026-03-02T01:00:00Z', not_after: '2026-03-03T01:00:00Z' }),
      item('1'),
    );

    expect(mails.map(({ id }) => id)).toEqual(['2', '1']);
    expect(mails[0]).toEqual({
      id: '2',
      idempotencyKey: 'email-recipient-2',
      payloadHash: payloadHash(payload('2')),
      taskId: 'task-1',
      taskName: 'Spring',
      payload: payload('2'),
      notBeforeMs: Date.UTC(2026, 2, 2, 1),
      notAfterMs: Date.UTC(2026, 2, 3, 1),
      claimedAtMs: NOW_MS,
    });
    expect(mails[1]).toMatchObject({ notBeforeMs: null, notAfterMs: null });
    expect([refusals.size, unreadable.length]).toEqual([0, 0]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a payload with another hash', { payload_hash: `sha256:${'0'.repeat(64)}` }],
    ['a mail of another user', { user_id: 'user-2' }],
    ['no task', { task: undefined }],
    ['an instant that is none', { not_after: 'tomorrow' }],
    ['no payload', { payload: null }],
  ])('are refused with a reason and cost the others nothing: %s', (_, over) => {
    const { mails, refusals } = read(item('1', over), item('2'));

    expect(mails.map(({ id }) => id)).toEqual(['1', '2']);
    expect([...refusals.keys()]).toEqual(['1']);
    expect(refusals.get('1')).toMatchObject({ stage: 'prepare', class: 'payload', reply: null });
    expect(refusals.get('1')?.message.length).toBeGreaterThan(10);
  });

  it('enter the ledger with what can be read of them, and with the place of what cannot', () => {
    const { mails, refusals } = read(item('1', { task: { id: 'task-1' } }));

    expect(mails).toEqual([
      {
        id: '1',
        idempotencyKey: 'email-recipient-1',
        payloadHash: payloadHash(payload('1')),
        taskId: '',
        taskName: '',
        payload: null,
        notBeforeMs: null,
        notAfterMs: null,
        claimedAtMs: NOW_MS,
      },
    ]);
    expect(refusals.get('1')?.message).toBe(`${LOCAL_TEXTS.en.unreadable} (task.name)`);
  });

  it('are named in the log by field, without content', () => {
    expect(read(item('1', { idempotency_key: 'email-recipient-2' })).unreadable).toEqual([
      'idempotency_key: is the key of another mail',
    ]);
    expect(read({}).unreadable[0]).toMatch(/^id: .*; idempotency_key: .*; payload_hash: /);
  });

  it.each([[null], ['text'], [[]], [{}], [item('../1')], [item('1', { idempotency_key: 'key' })]])(
    'that do not say which mail they are go to the log only: %j',
    (bad) => {
      const { mails, refusals, unreadable } = read(bad, item('2'));

      expect(mails.map(({ id }) => id)).toEqual(['2']);
      expect([refusals.size, unreadable.length]).toEqual([0, 1]);
    },
  );

  it('that name a mail twice alike count once, whatever the order of their fields', () => {
    const turned = Object.fromEntries(Object.entries(item('1')).toReversed());
    const { mails, refusals } = read(item('1'), turned);

    expect([mails.length, refusals.size]).toEqual([1, 0]);
  });

  it('that name a mail twice differently are refused', () => {
    const { mails, refusals } = read(item('1'), item('1', { not_after: '2026-03-03T01:00:00Z' }), item('1'));

    expect(mails.length).toBe(1);
    expect(refusals.get('1')).toMatchObject({
      class: 'payload',
      message: expect.stringContaining('twice with different content'),
    });
  });

  it('that have no canonical form are compared too', () => {
    const broken = (end: string) => item('1', { more: `\ud800${end}`, task: null });

    expect(read(broken('a'), broken('a')).refusals.get('1')?.message).toContain('(task)');
    expect(read(broken('a'), broken('b')).refusals.get('1')?.message).toContain('twice with different content');
  });

  it('carry unknown fields along without harm', () => {
    expect(read(item('1', { priority: 'high' })).refusals.size).toBe(0);
  });
});
