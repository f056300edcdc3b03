import { describe, expect } from 'vitest';
import { checkInstants } from '../../src/main/core/accept-mail.ts';
import { readClaim } from '../../src/main/core/read-claim.ts';
import { BeginReply, ClaimedItem, ResultReply, SyncReplyEnvelope } from '../../src/shared/wire/messages.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { ALIVE, CLAIM_ID, client, HEARTBEAT, NEVER, sendJson, startCloud } from '../adapters/cloud-http/fake-cloud.ts';
import { claimedItem, samplePayload } from '../support/fakes-cloud-mail.ts';
import { World } from '../support/fakes-world.ts';
import { hostile } from './hostile-test.ts';

const CONTEXT = {
  userId: 'user-1',
  fromAddresses: ['sales@example.com'],
  cloudOrigin: 'https://cloud.example',
  language: 'en',
} as const;
const NOW_MS = Date.UTC(2026, 5, 1);

function item(id: string, over: Record<string, unknown> = {}): Record<string, unknown> {
  const payload = 'payload' in over ? over['payload'] : samplePayload(id);
  return {
    id,
    user_id: 'user-1',
    idempotency_key: `email-recipient-${id}`,
    payload_hash: payloadHash(payload),
    task: { id: 'task-1', name: 'Spring' },
    not_before: null,
    not_after: null,
    ...over,
    payload,
  };
}
const without = (record: object, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** Reads a bad item between two good ones; answers what becomes of the bad one, and proves that the others go on. */
function between(bad: unknown): { readonly refusal: string | null; readonly entered: boolean } {
  const { mails, refusals } = readClaim([item('1'), bad, item('3')], CONTEXT, NOW_MS);
  expect(mails.map(({ id }) => id)).toEqual(expect.arrayContaining(['1', '3']));
  expect([refusals.has('1'), refusals.has('3')]).toEqual([false, false]);
  return { refusal: refusals.get('2')?.message ?? null, entered: mails.some(({ id }) => id === '2') };
}

describe('what the cloud may send', () => {
  hostile('HI-007', () => {
    for (const name of ['from', 'to', 'subject']) {
      const { refusal } = between(item('2', { payload: without(samplePayload('2'), name) }));
      expect(refusal).toContain(`(${name}: `);
    }
    for (const name of ['task', 'user_id', 'not_before', 'not_after']) {
      expect(between(without(item('2'), name)).refusal).toContain(`(${name})`);
    }
    // Without these nobody can say which mail it is: it is logged, and stays with the cloud.
    for (const name of ['id', 'idempotency_key', 'payload_hash']) {
      expect(between(without(item('2'), name)).entered).toBe(false);
    }
  });

  hostile('HI-008', () => {
    const sample = samplePayload('2');
    for (const [name, value] of [
      ['to', 'buyer@example.net'],
      ['to', [sample.to, sample.to]],
      ['to', { address: { value: 'buyer@example.net' } }],
      ['subject', null],
      ['subject', 7],
      ['text', ['Hello']],
      ['attachments', {}],
    ] as const) {
      const { refusal } = between(item('2', { payload: { ...sample, [name]: value } }));
      expect(refusal, JSON.stringify(value)).toContain(`(${name}`);
    }
    expect(between({ ...item('2'), id: 2 }).entered).toBe(false);
    expect(between(item('2', { task: 'task-1' })).refusal).toContain('(task)');
  });

  hostile('HI-010', () => {
    const other = { id: 'r1', smtp_message_id: null, error_message: null };
    const sync = (status: string) => ({ items: [], next_after: null, others: [{ ...other, status }] });

    expect(SyncReplyEnvelope.safeParse(sync('sent')).success).toBe(true);
    expect(SyncReplyEnvelope.safeParse(sync('archived')).success).toBe(false);
    expect(ResultReply.safeParse({ id: 'r1', status: 'delivered', deduplicated: false }).success).toBe(false);
    expect(BeginReply.safeParse({ id: 'r1', nonce: 'n'.repeat(22), granted: 'perhaps' }).success).toBe(false);
    expect(BeginReply.safeParse({ id: 'r1', nonce: 'n'.repeat(22), granted: false }).success).toBe(false);
    const type = { name: 'a.pdf', type: 'pdf', size: 1, sha256: 'a'.repeat(64), url: 'https://x.example/a' };
    expect(between(item('2', { payload: { ...samplePayload('2'), attachments: [type] } })).refusal).toContain('type');
  });

  hostile('HI-011', async () => {
    const server = await startCloud((seen, response) => {
      if (seen.path === '/agent/v1/heartbeat') sendJson(response, ALIVE);
      else sendJson(response, { title: 'Only /agent/v2 is spoken here' }, 404);
    });
    const cloud = client(server.url);
    try {
      const claimed = await cloud.claim({ claimId: CLAIM_ID, limit: 10, waitSeconds: 0 }, NEVER);
      expect(claimed).toMatchObject({ ok: false, error: { kind: 'nonsense' } });
      expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ ok: true });
    } finally {
      await cloud.close();
      await server.close();
    }
  });

  hostile('HI-012', () => {
    const equal = readClaim([item('2'), item('2')], CONTEXT, NOW_MS);
    expect([equal.mails.length, equal.refusals.size]).toEqual([1, 0]);

    const other = item('2', { payload: { ...samplePayload('2'), subject: 'Another one' } });
    const different = readClaim([item('2'), other], CONTEXT, NOW_MS);
    expect(different.refusals.get('2')?.message).toContain('twice with different content');

    const borrowed = readClaim([item('1'), item('2', { idempotency_key: 'email-recipient-1' })], CONTEXT, NOW_MS);
    expect(borrowed.mails.map(({ id }) => id)).toEqual(['1']);
    expect(borrowed.unreadable).toEqual(['idempotency_key: is the key of another mail']);
  });

  hostile('HI-013', async () => {
    const world = new World();
    const mail = world.cloud.queue('1');
    world.cloud.queue('2');
    world.start();
    // With the second mail the ledger has written that the first one's result was told.
    await world.untilStatus('2', 'sent');
    const told = world.cloud.callsOf('result').filter(({ mailId }) => mailId === '1').length;

    world.cloud.extraItems.push(claimedItem(mail));
    world.cloud.queue('3');
    await world.untilStatus('3', 'sent');
    await world.clock.advance(60_000);

    expect(world.smtp.acceptances.get('1')).toBe(1);
    const again = world.cloud.callsOf('result').filter(({ mailId }) => mailId === '1');
    expect(again.length).toBeGreaterThan(told);
    expect(new Set(again.map(({ body }) => body)).size).toBe(1);
  });

  hostile('HI-014', async () => {
    const world = new World();
    const payload = samplePayload('same');
    world.cloud.queue('1', { payload });
    world.cloud.queue('2', { payload });
    world.start();

    await world.untilStatus('2', 'sent');

    expect(world.smtp.accepted).toEqual(['1', '2']);
  });

  hostile('HI-015', () => {
    const keys = [
      '',
      `email-recipient-${'2'.repeat(10_000)}`,
      'email-recipient-2\n',
      'email-recipient-2\0',
      'EMAIL-RECIPIENT-2',
    ];
    for (const key of keys) {
      expect(ClaimedItem.safeParse(item('2', { idempotency_key: key })).success).toBe(false);
      expect(between(item('2', { idempotency_key: key })).entered, JSON.stringify(key.slice(0, 40))).toBe(false);
    }
  });

  hostile('HI-019', () => {
    const year = 365 * 86_400_000;
    const check = (notBeforeMs: number | null, notAfterMs: number | null) => {
      const checked = checkInstants({ notBeforeMs, notAfterMs }, NOW_MS, 'en');
      return checked.ok ? null : checked.error.class;
    };
    expect(check(NOW_MS + 10 * year, null)).toBe('payload');
    expect(check(null, NOW_MS - 10 * year)).toBe('expired');
    expect(check(NOW_MS - 10 * year, null)).toBe(null);
    for (const text of [
      'tomorrow',
      '2026-06-01',
      '2026-06-01T10:00:00',
      '2026-06-30T23:59:60Z',
      '2026-02-30T00:00:00Z',
      1,
    ]) {
      expect(between(item('2', { not_before: text })).refusal, String(text)).toContain('(not_before)');
    }
  });

  hostile('HI-027', async () => {
    const world = new World();
    const port = world.cloud.port.bind(world.cloud);
    world.cloud.port = (agentId) => ({
      ...port(agentId),
      heartbeat: async (request, signal) => {
        const answer = await port(agentId).heartbeat(request, signal);
        const server_time = new Date(world.clock.nowMs() - 3_600_000).toISOString();
        return answer.ok ? { ok: true, value: { ...answer.value, server_time } } : answer;
      },
    });
    world.cloud.queueMany(3);
    world.start();

    await world.untilStatus('3', 'sent');

    expect(world.smtp.accepted).toEqual(['1', '2', '3']);
    expect(world.ledger.holds()).toEqual([]);
  });
});
