import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_ROUTES } from '../../../cloud/operator/routes.ts';
import { payloadHash } from '../../../src/shared/wire/payload-hash.ts';
import { sampleClaim, samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import {
  begin,
  begunMail,
  cancel,
  claimed,
  heldMail,
  newUser,
  notSent,
  result,
  uncertainMail,
} from '../../support/cloud-mails.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());

const PERSON = { kind: 'person', note: 'the customer has it' } as const;

async function draftTask(count: number) {
  const user_id = await newUser(cloud);
  const recipients = Array.from({ length: count }, (_, index) => ({ payload: samplePayload(index) }));
  const task = await cloud.operator.must('createTask', { request: { user_id, name: 'Spring offer', recipients } });
  return { user_id, ...task };
}

describe('a task', () => {
  it('is a draft no agent sees until it is confirmed, then all of it is queued', async () => {
    const task = await draftTask(3);
    const agent = await cloud.pairedAgent(task.user_id);

    const before = (await agent.call('claim', sampleClaim())).body['items'];
    const confirmed = await cloud.operator.must('confirmTask', { params: { id: task.task_id } });
    const after = await claimed(agent);

    expect(before).toEqual([]);
    expect(confirmed.status).toBe('sending');
    expect(confirmed.counts).toMatchObject({ total: 3, draft: 0, queued: 3 });
    expect(after.map(({ id }) => id)).toEqual(task.recipient_ids);
  });

  it('is confirmed in one transaction: where one mail cannot move, none does', async () => {
    const task = await draftTask(3);
    await cloud.sql('SELECT 1');
    await cloud.sql(`
      CREATE FUNCTION stumble() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.id = ${task.recipient_ids[1]} THEN RAISE EXCEPTION 'stumbled'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER zz_stumble BEFORE UPDATE ON recipients FOR EACH ROW EXECUTE FUNCTION stumble()`);

    const failed = await cloud.operator.call('confirmTask', { params: { id: task.task_id } });
    await cloud.sql('DROP TRIGGER zz_stumble ON recipients; DROP FUNCTION stumble()');
    const left = await cloud.operator.must('getTask', { params: { id: task.task_id } });

    expect(failed.ok ? null : failed.error.code).toBe('internal');
    expect([left.status, left.counts.draft, left.counts.queued]).toEqual(['draft', 3, 0]);
  });

  it('queues nothing a second time when it is confirmed twice', async () => {
    const task = await draftTask(2);
    const confirm = () => cloud.operator.must('confirmTask', { params: { id: task.task_id } });

    await Promise.all([confirm(), confirm()]);
    await cancel(cloud, task.recipient_ids[0] ?? '');
    const again = await confirm();

    expect(again.counts).toMatchObject({ total: 2, queued: 1, cancelled: 1 });
  });

  it('takes more mails while it is a draft and none afterwards', async () => {
    const task = await draftTask(1);
    const add = () =>
      cloud.operator.call('addRecipients', {
        params: { id: task.task_id },
        request: { recipients: [{ payload: samplePayload(9) }] },
      });

    const added = await add();
    await cloud.operator.must('confirmTask', { params: { id: task.task_id } });
    const late = await add();

    expect(added.ok).toBe(true);
    expect(late.ok ? null : late.error.code).toBe('illegal-move');
  });

  it('refuses mails that do not fit, each named by its place and field, and keeps none of the others', async () => {
    const user_id = await newUser(cloud);
    const good = samplePayload(1);
    const bad = [
      { payload: good },
      { payload: { ...good, to: { name: null, address: 'a@example.com, b@example.com' } } },
      { payload: { ...good, text: null, html: null } },
      { payload: { ...good, bcc: 'x' } },
      { payload: good, not_before: '2030-01-02T00:00:00Z', not_after: '2030-01-01T00:00:00Z' },
    ];

    const refused = await cloud.operator.call('createTask', { request: { user_id, name: 'Bad', recipients: bad } });

    const paths = refused.ok ? [] : (refused.error.problem?.errors ?? []).map(({ path }) => path);
    expect(paths).toEqual([
      'recipients.1.payload.to.address',
      'recipients.2.payload.text',
      'recipients.3.payload',
      'recipients.4.not_after',
    ]);
    const page = await cloud.operator.must('listRecipients', { query: { user_id } });
    expect(page.items).toEqual([]);
  });

  it('refuses a payload without a canonical form', async () => {
    const user_id = await newUser(cloud);
    const payload = { ...samplePayload(1), list_unsubscribe: { url: 'https://example.com/\ud800' } };

    const refused = await cloud.operator.call('createTask', {
      request: { user_id, name: 'Bad', recipients: [{ payload }] },
    });

    expect(refused.ok ? null : refused.error.problem?.errors?.[0]?.path).toBe('recipients.0.payload');
  });

  it('stores the hash of the payload and the payload with its values as they were', async () => {
    const task = await draftTask(1);

    const mail = await cloud.operator.must('getRecipient', { params: { id: task.recipient_ids[0] ?? '' } });

    expect(mail.payload).toEqual(samplePayload(0));
    expect(mail.payload_hash).toBe(payloadHash(samplePayload(0)));
  });
});

describe('cancel', () => {
  it('stops by task everything that has not begun', async () => {
    const task = await draftTask(5);
    await cloud.operator.must('confirmTask', { params: { id: task.task_id } });
    const agent = await cloud.pairedAgent(task.user_id);
    const items = await claimed(agent, 3);
    const [first, second] = items.map((item) => ({ agent, item, params: { id: item.id } }));
    if (!first || !second) return expect.unreachable();
    await begin(first, 'a'.repeat(22));
    await result(first, { outcome: 'sent', nonce: 'a'.repeat(22) });
    await begin(second, 'b'.repeat(22));

    const stopped = await cloud.operator.must('cancel', { request: { task_id: task.task_id } });
    await notSent(second, 'b'.repeat(22));
    const rest = await cloud.operator.must('cancel', { request: { task_id: task.task_id } });

    expect(stopped).toEqual({ stopped: 3, too_late: 2, already_cancelled: 0 });
    expect(rest).toEqual({ stopped: 1, too_late: 1, already_cancelled: 3 });
  });

  it('stops a draft too, and wants either a task or ids', async () => {
    const task = await draftTask(1);
    const both = { task_id: task.task_id, ids: task.recipient_ids };

    expect(await cloud.operator.must('cancel', { request: { ids: task.recipient_ids } })).toMatchObject({ stopped: 1 });
    const refused = await cloud.operator.call('cancel', { request: both });
    expect(refused.ok ? null : refused.error.code).toBe('invalid-request');
  });
});

describe('give back', () => {
  it('puts a held mail back into the queue, unless it has begun or nobody holds it', async () => {
    const held = await heldMail(cloud);
    const begun = await begunMail(cloud);
    const doubtful = await uncertainMail(cloud);
    const code = async (id: string) => {
      const answer = await cloud.operator.call('giveBack', { params: { id } });
      return answer.ok ? answer.value.status : answer.error.code;
    };

    expect(await code(held.item.id)).toBe('queued');
    expect(await code(held.item.id)).toBe('illegal-move');
    expect(await code(begun.item.id)).toBe('illegal-move');
    expect(await code(doubtful.item.id)).toBe('illegal-move');
    expect(await code('777777777')).toBe('not-found');
    expect((await claimed(held.agent)).map(({ id }) => id)).toEqual([held.item.id]);
  });
});

describe('resolve', () => {
  it('settles an uncertain mail with its evidence, once, and no mail that is not uncertain', async () => {
    const doubtful = await uncertainMail(cloud);
    const begun = await begunMail(cloud);
    const code = async (id: string) => {
      const answer = await cloud.operator.call('resolve', {
        params: { id },
        request: { as: 'sent', evidence: PERSON },
      });
      return answer.ok ? answer.value.status : answer.error.code;
    };

    expect(await code(doubtful.item.id)).toBe('sent');
    expect(await code(doubtful.item.id)).toBe('illegal-move');
    expect(await code(begun.item.id)).toBe('illegal-move');
    expect(await code('abc')).toBe('not-found');
    const seen = await cloud.operator.must('getRecipient', { params: doubtful.params });
    expect(seen.result).toMatchObject({ outcome: 'sent', evidence: PERSON });
  });

  it('wants a word of evidence', async () => {
    const doubtful = await uncertainMail(cloud);

    const refused = await cloud.operator.call('resolve', {
      params: doubtful.params,
      request: { as: 'sent', evidence: { kind: 'person', note: '  ' } },
    });

    expect(refused.ok ? null : refused.error.problem?.errors?.[0]?.path).toBe('evidence.note');
  });
});

describe('send again', () => {
  it('makes one new mail that names the old one, with a key of its own and the same payload', async () => {
    const mail = await heldMail(cloud);
    await result(mail, { outcome: 'send_failed', nonce: null, error_message: 'mailbox full' });

    const clicks = await Promise.all([1, 2, 3].map(() => cloud.operator.call('sendAgain', { params: mail.params })));

    const made = clicks.flatMap((click) => (click.ok ? [click.value] : []));
    expect(made).toHaveLength(1);
    expect(clicks.flatMap((click) => (click.ok ? [] : [click.error.code]))).toEqual(['illegal-move', 'illegal-move']);
    const [again] = await claimed(mail.agent);
    expect(again).toMatchObject({ id: made[0]?.id, idempotency_key: made[0]?.idempotency_key });
    expect([again?.payload, again?.payload_hash]).toEqual([mail.item.payload, mail.item.payload_hash]);
    expect(again?.id).not.toBe(mail.item.id);
    const old = await cloud.operator.must('getRecipient', { params: mail.params });
    expect([old.status, old.resent_as]).toEqual(['send_failed', again?.id]);
  });

  it('is refused for whatever may have been sent or still may be', async () => {
    const queued = await cloud.queueMails(await newUser(cloud), [samplePayload(1)]);
    const sent = await begunMail(cloud);
    await result(sent, { outcome: 'sent', nonce: sent.nonce });
    const ids = [queued[0], (await heldMail(cloud)).item.id, (await uncertainMail(cloud)).item.id, sent.item.id];

    for (const id of ids) {
      const answer = await cloud.operator.call('sendAgain', { params: { id: id ?? '' } });
      expect(answer.ok ? null : answer.error.code).toBe('illegal-move');
    }
  });
});

describe('the lists', () => {
  it('find mails by task, user, status, doubt and text, page by page, newest first', async () => {
    const task = await draftTask(5);
    const doubtful = await uncertainMail(cloud);
    const list = async (query: Parameters<typeof cloud.operator.must<'listRecipients'>>[1]['query']) =>
      (await cloud.operator.must('listRecipients', { query })).items.map(({ id }) => id);
    const newest = task.recipient_ids.toReversed();

    const first = await cloud.operator.must('listRecipients', { query: { task_id: task.task_id, limit: 2 } });
    const second = await cloud.operator.must('listRecipients', {
      query: { task_id: task.task_id, limit: 3, after: first.next_after ?? '' },
    });

    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(newest);
    expect(second.next_after).toBeNull();
    expect(await list({ user_id: task.user_id, status: 'draft' })).toEqual(newest);
    expect(await list({ user_id: task.user_id, status: 'sent' })).toEqual([]);
    expect(await list({ uncertain: 'true' })).toContain(doubtful.item.id);
    expect(await list({ uncertain: 'true', task_id: task.task_id })).toEqual([]);
    expect(await list({ user_id: task.user_id, text: 'CUSTOMER3@' })).toEqual([task.recipient_ids[3]]);
    expect(await list({ user_id: task.user_id, text: '报价' })).toEqual(newest);
    expect(await list({ user_id: task.user_id, text: '%' })).toEqual([]);
  });

  it('refuse a filter that does not exist and a page that is too large', async () => {
    const strange = await fetch(new URL('/operator/v1/recipients?limit=201&color=red', cloud.url), {
      headers: { authorization: `Bearer ${cloud.operatorToken}` },
    });

    const body = (await strange.json()) as { errors: { path: string }[] };
    expect([strange.status, body.errors.map(({ path }) => path)]).toEqual([400, ['query.limit', 'query']]);
  });

  it('show the mails that hang in sending, longest first', async () => {
    const [older, newer] = [await heldMail(cloud), await begunMail(cloud)];

    const { items } = await cloud.operator.must('listSending', { query: { limit: 200 } });

    const ids = items.map(({ id }) => id);
    expect(ids.indexOf(older.item.id)).toBeLessThan(ids.indexOf(newer.item.id));
    expect(items.every(({ status }) => status === 'sending')).toBe(true);
    const since = items.map(({ status_since }) => status_since);
    expect(since).toEqual(since.toSorted());
  });

  it('show users and tasks', async () => {
    const task = await draftTask(1);

    const users = await cloud.operator.must('listUsers', {});
    const tasks = await cloud.operator.must('listTasks', { query: {} });

    expect(users.items.map(({ id }) => id)).toContain(task.user_id);
    expect(tasks.items[0]).toMatchObject({ id: task.task_id, counts: { total: 1, draft: 1 } });
  });
});

describe('a file', () => {
  it('is served under an id that cannot be guessed, as a download', async () => {
    const content = Buffer.from('%PDF-1.7 报价');

    const file = await cloud.operator.must('uploadFile', {
      request: { name: '报价.pdf', type: 'application/pdf', content_base64: content.toString('base64') },
    });
    const response = await fetch(file.url);

    expect(file).toMatchObject({ name: '报价.pdf', type: 'application/pdf', size: content.length });
    expect(file.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(new URL(file.url).pathname).toMatch(/^\/files\/[0-9a-f-]{36}$/);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is not found under any other id', async () => {
    for (const id of ['5f0c6b1e-0000-4000-8000-000000000000', '1', '..%2f..%2fetc%2fpasswd']) {
      expect((await fetch(new URL(`/files/${id}`, cloud.url))).status).toBe(404);
    }
  });
});

describe('the route table', () => {
  it('answers not-found for unknown things on every route that names one', async () => {
    const id = '5f0c6b1e-0000-4000-8000-000000000000';
    const answers = [
      await cloud.operator.call('createPairingCode', { params: { id } }),
      await cloud.operator.call('createTask', { request: { user_id: id, name: 'x', recipients: [] } }),
      await cloud.operator.call('addRecipients', {
        params: { id },
        request: { recipients: [{ payload: samplePayload(1) }] },
      }),
      await cloud.operator.call('confirmTask', { params: { id } }),
      await cloud.operator.call('getTask', { params: { id } }),
      await cloud.operator.call('getRecipient', { params: { id: '555555555' } }),
      await cloud.operator.call('sendAgain', { params: { id: '555555555' } }),
      await cloud.operator.call('resolve', { params: { id: '555555555' }, request: { as: 'sent', evidence: PERSON } }),
      await cloud.operator.call('pauseAgent', { params: { id } }),
      await cloud.operator.call('resumeAgent', { params: { id } }),
      await cloud.operator.call('revokeAgent', { params: { id } }),
    ];

    expect(new Set(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code)))).toEqual(new Set(['not-found']));
  });

  it('has every path once for each method', () => {
    const places = Object.values(OPERATOR_ROUTES).map(({ method, path }) => `${method} ${path}`);

    expect(new Set(places).size).toBe(places.length);
  });
});
