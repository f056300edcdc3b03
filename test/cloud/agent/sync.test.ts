import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { SyncReply, type SyncRequest } from '../../../src/shared/wire/messages.ts';
import { samplePayload, startTestCloud, type TestAgent, type TestCloud } from '../../support/cloud.ts';
import {
  begunMail,
  cancel,
  claimed,
  heldMail,
  newUser,
  release,
  result,
  uncertainMail,
} from '../../support/cloud-mails.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());

async function sync(agent: TestAgent, change: Partial<SyncRequest> = {}) {
  const request: SyncRequest = { boot_id: randomUUID(), after: null, limit: 50, known: [], ...change };
  return SyncReply.parse((await agent.call('sync', request)).body);
}

describe('sync', () => {
  it('lists a held mail as it was claimed, with its begun nonce and the uncertain mark', async () => {
    const [held, begun, doubtful] = [await heldMail(cloud), await begunMail(cloud), await uncertainMail(cloud)];

    expect((await sync(held.agent)).items).toEqual([{ ...held.item, begun_nonce: null, uncertain: false }]);
    expect((await sync(begun.agent)).items).toEqual([{ ...begun.item, begun_nonce: begun.nonce, uncertain: false }]);
    expect((await sync(doubtful.agent)).items).toEqual([
      { ...doubtful.item, begun_nonce: doubtful.nonce, uncertain: true },
    ]);
  });

  it('goes through everything held page by page, each mail once', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const ids = await cloud.queueMails(userId, [1, 2, 3, 4, 5].map(samplePayload));
    await claimed(agent);

    const pages = [];
    let after: string | null = null;
    do {
      const page: z.infer<typeof SyncReply> = await sync(agent, { after, limit: 2 });
      pages.push(page.items.map(({ id }) => id));
      after = page.next_after;
    } while (after !== null && pages.length < 10);

    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it('caps a page by payload bytes and goes on behind it', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const text = 'x'.repeat(3 * 1024 * 1024);
    const ids = [
      await cloud.queueRaw(userId, { payload: { text } }),
      await cloud.queueRaw(userId, { payload: { text } }),
    ];
    const claim = async () => (await agent.call('claim', { claim_id: randomUUID(), limit: 50, wait: 0 })).status;
    expect([await claim(), await claim()]).toEqual([200, 200]);

    const page = await agent.call('sync', { boot_id: randomUUID(), after: null, limit: 50, known: [] });

    expect((page.body['items'] as { id: string }[]).map(({ id }) => id)).toEqual([ids[0]]);
    expect(page.body['next_after']).toBe(ids[0]);
  });

  it('tells what became of known mails that are not held: the cloud’s word, or unknown', async () => {
    const sent = await begunMail(cloud);
    const { agent } = sent;
    const ids = await cloud.queueMails(agent.userId, [1, 2, 3, 4].map(samplePayload));
    const items = await claimed(agent);
    const mails = items.map((item) => ({ agent, item, params: { id: item.id } }));
    const [stopped, back, elsewhere, held] = mails;
    if (!stopped || !back || !elsewhere || !held) return expect.unreachable();
    await result(sent, { outcome: 'sent', nonce: sent.nonce, smtp_message_id: '<1@a>' });
    await cancel(cloud, stopped.item.id);
    await release(elsewhere);
    await claimed(await cloud.pairedAgent(agent.userId, 'Laptop'));
    await release(back);
    const foreign = await heldMail(cloud);

    const { others } = await sync(agent, {
      known: [sent.item.id, ...ids, foreign.item.id, '999999999', 'no-number', '99999999999999999999999'],
    });

    const none = { smtp_message_id: null, error_message: null };
    expect(others).toEqual([
      { id: sent.item.id, status: 'sent', smtp_message_id: '<1@a>', error_message: null },
      { id: stopped.item.id, status: 'cancelled', ...none },
      { id: back.item.id, status: 'queued', ...none },
      { id: elsewhere.item.id, status: 'sending', ...none },
      { id: foreign.item.id, status: 'unknown', ...none },
      { id: '999999999', status: 'unknown', ...none },
      { id: 'no-number', status: 'unknown', ...none },
      { id: '99999999999999999999999', status: 'unknown', ...none },
    ]);
  });

  it('refuses a cursor that no page gave', async () => {
    const { agent } = await heldMail(cloud);

    const answer = await agent.call('sync', { boot_id: randomUUID(), after: 'abc', limit: 5, known: [] });

    expect(answer.problem).toBe('invalid-request');
  });
});
