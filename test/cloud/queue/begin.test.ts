import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../cloud/database/database.ts';
import { cancelMails } from '../../../cloud/operator/interventions.ts';
import { beginMail } from '../../../cloud/queue/begin.ts';
import { sampleClaim, sampleNonce, samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import {
  begin,
  begunMail,
  cancel,
  claimed,
  type HeldMail,
  heldMail,
  newUser,
  notSent,
  release,
  result,
  uncertainMail,
} from '../../support/cloud-mails.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());

const begunNonce = async (mail: HeldMail) =>
  (await cloud.sql('SELECT begun_nonce FROM recipients WHERE id = $1', [mail.item.id]))[0]?.['begun_nonce'];

describe('begin', () => {
  it('grants one nonce, again for the same nonce, and no other', async () => {
    const mail = await heldMail(cloud);
    const nonce = sampleNonce();

    const first = await begin(mail, nonce);
    const again = await begin(mail, nonce);
    const other = await begin(mail, sampleNonce());

    expect(first.body).toEqual({ id: mail.item.id, nonce, granted: true });
    expect(again.body).toEqual(first.body);
    expect([other.status, other.problem]).toEqual([409, 'already-begun']);
    expect(await begunNonce(mail)).toBe(nonce);
  });

  it('grants one of many nonces that ask at the same time', async () => {
    const mail = await heldMail(cloud);

    const answers = await Promise.all(Array.from({ length: 16 }, () => begin(mail, sampleNonce())));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ problem }) => problem))).toEqual(
      new Set(['already-begun']),
    );
  });

  it('is refused to an agent that does not hold the mail', async () => {
    const mail = await heldMail(cloud);
    const other = await cloud.pairedAgent(mail.agent.userId, 'Laptop');

    expect((await begin({ ...mail, agent: other }, sampleNonce())).problem).toBe('not-holder');
    await release(mail);
    expect((await begin(mail, sampleNonce())).problem).toBe('not-holder');
  });

  it('is refused for another key or another payload hash', async () => {
    const mail = await heldMail(cloud);

    const otherHash = await begin(mail, sampleNonce(), { payload_hash: `sha256:${'0'.repeat(64)}` });
    const otherKey = await begin(mail, sampleNonce(), { idempotency_key: 'email-recipient-0' });

    expect([otherHash.problem, otherKey.problem]).toEqual(['payload-changed', 'payload-changed']);
  });

  it('is refused for a cancelled and for a finished mail', async () => {
    const stopped = await heldMail(cloud);
    await cancel(cloud, stopped.item.id);
    const finished = await begunMail(cloud);
    await result(finished, { outcome: 'sent', nonce: finished.nonce });

    expect((await begin(stopped, sampleNonce())).problem).toBe('cancelled');
    expect((await begin(finished, sampleNonce())).problem).toBe('already-final');
    expect((await begin(finished, finished.nonce)).problem).toBe('already-final');
  });

  it("is refused when the time of the mail has passed by the database's clock", async () => {
    const mail = await heldMail(cloud);
    await cloud.sql("UPDATE recipients SET not_after = now() - interval '1 second' WHERE id = $1", [mail.item.id]);

    expect((await begin(mail, sampleNonce())).problem).toBe('expired');
  });

  it('is refused for a nonce that was told as not sent, begun or not', async () => {
    const begun = await begunMail(cloud);
    await notSent(begun, begun.nonce);
    const neverBegun = await heldMail(cloud);
    const late = sampleNonce();
    await notSent(neverBegun, late);

    expect((await begin(begun, begun.nonce)).problem).toBe('nonce-retired');
    expect((await begin(neverBegun, late)).problem).toBe('nonce-retired');
    expect((await begin(begun, sampleNonce())).status).toBe(200);
  });

  it('is refused for a nonce retired in an earlier holding, after the same agent claimed the mail again', async () => {
    const mail = await heldMail(cloud);
    const late = sampleNonce();
    await release(mail);
    await notSent(mail, late);
    await claimed(mail.agent);

    expect((await begin(mail, late)).problem).toBe('nonce-retired');
  });

  it('never grants a retired nonce, whichever of not-sent and begin comes first', async () => {
    const mail = await heldMail(cloud);
    for (let round = 0; round < 100; round += 1) {
      const nonce = sampleNonce();
      const [begun, retired] = await Promise.all([begin(mail, nonce), notSent(mail, nonce)]);

      expect(retired.status).toBe(200);
      expect(retired.body['cleared']).toBe(begun.status === 200);
      expect(await begunNonce(mail)).toBeNull();
    }
  });

  it('is refused for a mail that is marked uncertain', async () => {
    const mail = await uncertainMail(cloud);
    const doubtful = await heldMail(cloud);
    await result(doubtful, { outcome: 'uncertain', nonce: null });

    expect((await begin(mail, sampleNonce())).problem).toBe('already-begun');
    expect((await begin(doubtful, sampleNonce())).problem).toBe('already-begun');
  });

  it('answers not-found for an unknown mail, an id no row can have and a draft', async () => {
    const mail = await heldMail(cloud);
    const task = await cloud.operator.must('createTask', {
      request: { user_id: mail.agent.userId, name: 'Draft', recipients: [{ payload: samplePayload(1) }] },
    });
    for (const id of ['999999999', '99999999999999999999', 'abc', '0', task.recipient_ids[0] ?? '']) {
      expect((await begin({ ...mail, params: { id } }, sampleNonce())).problem).toBe('not-found');
    }
  });
});

describe('cancel racing begin', () => {
  it('never lets both succeed, in 1,000 rounds', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    await cloud.queueMails(
      userId,
      Array.from({ length: 1000 }, (_, index) => samplePayload(index)),
    );
    const items = [];
    for (let page = 0; page < 20; page += 1) items.push(...(await claimed(agent)));
    const database = openDatabase(cloud.databaseUrl, (error) => expect.unreachable(String(error)), 8);
    const identity = { agentId: agent.agentId, userId };
    const seen = { begun: 0, stopped: 0 };

    for (const [round, item] of items.entries()) {
      const request = {
        idempotency_key: item.idempotency_key,
        payload_hash: item.payload_hash,
        nonce: sampleNonce(),
        attempt: 1,
      };
      const race = [
        () => beginMail(database, identity, item.id, request),
        () => cancelMails(database, { ids: [item.id] }),
      ] as const;
      // Each of the two starts first in half of the rounds.
      const [begun, stopped] =
        round % 2 === 0
          ? await Promise.all([race[0](), race[1]()])
          : (await Promise.all([race[1](), race[0]()])).toReversed();

      const granted = 'ok' in (begun ?? {}) && (begun as { ok: boolean }).ok;
      const stops = (stopped as { stopped: number }).stopped;
      expect([granted, stops]).toEqual(granted ? [true, 0] : [false, 1]);
      seen.begun += granted ? 1 : 0;
      seen.stopped += stops;
    }
    await database.close();

    expect(items).toHaveLength(1000);
    expect(seen.begun + seen.stopped).toBe(1000);
    expect(Math.min(seen.begun, seen.stopped)).toBeGreaterThan(0);
  });

  it('counts what was stopped and what was too late', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const ids = await cloud.queueMails(userId, [1, 2, 3, 4].map(samplePayload));
    const [first] = await claimed(agent, 2);
    if (first === undefined) return expect.unreachable();
    await begin({ agent, item: first, params: { id: first.id } }, sampleNonce());

    const stopped = await cloud.operator.must('cancel', { request: { ids } });
    const again = await cloud.operator.must('cancel', { request: { ids } });

    expect(stopped).toEqual({ stopped: 3, too_late: 1, already_cancelled: 0 });
    expect(again).toEqual({ stopped: 0, too_late: 1, already_cancelled: 3 });
    expect((await agent.call('claim', sampleClaim())).body['items']).toEqual([]);
  });
});
