import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../cloud/database/database.ts';
import { claimMails } from '../../../cloud/queue/claim.ts';
import { ClaimReply } from '../../../src/shared/wire/messages.ts';
import { type Answer, sampleClaim, samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { begin, cancel, claimed, heldMail, newUser, notSent, release, result } from '../../support/cloud-mails.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());

/** The answer, unless it comes no sooner than the end of a long wait would bring it. */
const wokenAnswer = async (waiting: Promise<Answer>) => {
  const tooLate = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('nobody woke the claim')), 15_000).unref();
  });
  return idsOf(await Promise.race([waiting, tooLate]));
};

const idsOf = (answer: Answer) => ClaimReply.parse(answer.body).items.map(({ id }) => id);

async function userWithMails(count: number) {
  const userId = await newUser(cloud);
  const agent = await cloud.pairedAgent(userId);
  const ids = await cloud.queueMails(
    userId,
    Array.from({ length: count }, (_, index) => samplePayload(index)),
  );
  return { userId, agent, ids };
}

describe('claim', () => {
  it('takes the oldest mails first and gives them out once', async () => {
    const { agent, ids } = await userWithMails(5);

    const first = await agent.call('claim', sampleClaim(3));
    const second = await agent.call('claim', sampleClaim(3));

    expect(idsOf(first)).toEqual(ids.slice(0, 3));
    expect(idsOf(second)).toEqual(ids.slice(3));
  });

  it('delivers the payload with the very values it was given, key and hash beside it', async () => {
    const { agent, ids } = await userWithMails(1);

    const [item] = await claimed(agent);

    expect(item?.payload).toEqual(samplePayload(0));
    expect(item?.idempotency_key).toBe(`email-recipient-${ids[0]}`);
    const [row] = await cloud.sql('SELECT payload_hash FROM recipients WHERE id = $1', [ids[0]]);
    expect(item?.payload_hash).toBe(row?.['payload_hash']);
  });

  it('never hands one of 10,000 mails to two of 64 claimers', async () => {
    const userId = await newUser(cloud);
    const agents = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const [row] = await cloud.sql(
          `INSERT INTO agents (user_id, name, platform, version, token_hash)
           VALUES ($1, 'PC', 'linux', '1', sha256(gen_random_uuid()::text::bytea)) RETURNING id`,
          [userId],
        );
        return { userId, agentId: String(row?.['id']) };
      }),
    );
    await cloud.fillQueue(userId, 10_000);
    const database = openDatabase(cloud.databaseUrl, (error) => expect.unreachable(String(error)), 64);

    const taken = await Promise.all(
      agents.map(async (agent) => {
        const mine: string[] = [];
        for (let turn = 0; turn < 10_000; turn += 1) {
          const answer = await claimMails(database, agent, { claimId: randomUUID(), limit: 7 });
          // Skipped rows may hide the rest for a moment, so an agent stops only when the queue is really empty.
          if (answer.kind === 'nothing-due') {
            const [left] = await cloud.sql(
              "SELECT count(*)::integer AS n FROM recipients WHERE user_id = $1 AND status = 'queued'",
              [userId],
            );
            if (left?.['n'] === 0) break;
          } else mine.push(...answer.items.map(({ id }) => id));
        }
        return mine;
      }),
    );
    await database.close();

    const all = taken.flat();
    expect(all).toHaveLength(10_000);
    expect(new Set(all).size).toBe(10_000);
    const [moves] = await cloud.sql(
      `SELECT count(*)::integer AS n, count(DISTINCT recipient_id)::integer AS mails
         FROM recipient_history h JOIN recipients r ON r.id = h.recipient_id
        WHERE r.user_id = $1 AND h.to_status = 'sending'`,
      [userId],
    );
    expect(moves).toEqual({ n: 10_000, mails: 10_000 });
  });

  it('answers a repeated claim_id with the mails of it that are still held', async () => {
    const { agent, ids } = await userWithMails(4);
    const claim = sampleClaim(3);
    const first = ClaimReply.parse((await agent.call('claim', claim)).body).items;
    const [sent, back] = first.map((item) => ({ agent, item, params: { id: item.id } }));
    if (sent === undefined || back === undefined) return expect.unreachable();

    const replay = await agent.call('claim', claim);
    await begin(sent, 'n'.repeat(22));
    await result(sent, { outcome: 'sent', nonce: 'n'.repeat(22) });
    await release(back);
    const later = await agent.call('claim', claim);

    expect(idsOf(replay)).toEqual(ids.slice(0, 3));
    expect(idsOf(later)).toEqual([ids[2]]);
    expect(idsOf(await agent.call('claim', sampleClaim()))).toEqual([back.item.id, ids[3]]);
  });

  it('answers many requests of one claim_id at the same time with the same mails', async () => {
    const { agent, ids } = await userWithMails(30);
    const claim = sampleClaim(5);

    const answers = await Promise.all(Array.from({ length: 10 }, () => agent.call('claim', claim)));

    for (const answer of answers) expect(idsOf(answer)).toEqual(ids.slice(0, 5));
  });

  it('keeps the claim_ids of two agents apart', async () => {
    const { userId, agent, ids } = await userWithMails(2);
    const other = await cloud.pairedAgent(userId, 'Laptop');
    const claim = sampleClaim(1);

    const mine = await agent.call('claim', claim);
    const theirs = await other.call('claim', claim);

    expect([idsOf(mine), idsOf(theirs)]).toEqual([[ids[0]], [ids[1]]]);
  });

  it('leaves no trace of an empty claim, so that its claim_id may ask again', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const claim = sampleClaim();

    const empty = await agent.call('claim', claim);
    const ids = await cloud.queueMails(userId, [samplePayload(1)]);
    const full = await agent.call('claim', claim);

    expect([idsOf(empty), idsOf(full)]).toEqual([[], ids]);
  });

  it('waits until a mail may be sent, and still gives out one that is too late', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const day = 86_400_000;
    const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
    const task = await cloud.operator.must('createTask', {
      request: {
        user_id: userId,
        name: 'Timed',
        recipients: [
          { payload: samplePayload(1), not_before: at(day) },
          { payload: samplePayload(2), not_before: at(-day), not_after: at(day) },
          { payload: samplePayload(3), not_after: at(-day) },
        ],
      },
    });
    await cloud.operator.must('confirmTask', { params: { id: task.task_id } });

    const items = await claimed(agent);

    expect(items.map(({ id }) => id)).toEqual(task.recipient_ids.slice(1));
    expect(items[0]?.not_after).toMatch(/^\d{4}-.*Z$/);
  });

  it('caps a reply by payload bytes, and gives a single mail however large it is', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const megabytes = (count: number) => ({ text: 'x'.repeat(count * 1024 * 1024) });
    const small = [await cloud.queueRaw(userId, { payload: megabytes(3) })];
    small.push(await cloud.queueRaw(userId, { payload: megabytes(0.5) }));
    const large = await cloud.queueRaw(userId, { payload: megabytes(5) });

    const first = await agent.call('claim', sampleClaim());
    const second = await agent.call('claim', sampleClaim());

    const ids = (answer: Answer) => (answer.body['items'] as { id: string }[]).map(({ id }) => id);
    expect([ids(first), ids(second)]).toEqual([small, [large]]);
  });

  it('puts a mail that was given back at its old place in the queue', async () => {
    const mail = await heldMail(cloud);
    await cloud.queueMails(mail.agent.userId, [samplePayload(2)]);

    expect((await release(mail)).body).toEqual({ id: mail.item.id, status: 'queued' });
    const again = await claimed(mail.agent);

    expect(again[0]?.id).toBe(mail.item.id);
    expect(again).toHaveLength(2);
  });
});

describe('release', () => {
  it('may be repeated, and is refused once the mail has begun, is final or another agent has it', async () => {
    const mail = await heldMail(cloud);
    const other = await cloud.pairedAgent(mail.agent.userId, 'Laptop');
    const nonce = 'n'.repeat(22);

    expect((await release({ ...mail, agent: other })).problem).toBe('not-holder');
    await release(mail);
    expect((await release(mail)).status).toBe(200);
    await claimed(other);
    expect((await release(mail)).problem).toBe('not-holder');
    await begin({ ...mail, agent: other }, nonce);
    expect((await release({ ...mail, agent: other })).problem).toBe('already-begun');
    await notSent({ ...mail, agent: other }, nonce);
    await cancel(cloud, mail.item.id);
    const late = await release({ ...mail, agent: other });
    expect([late.problem, late.status]).toEqual(['not-sending', 422]);
  });
});

describe('the long poll', () => {
  it('answers as soon as mails are queued, without asking the queue meanwhile', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const waiting = agent.call('claim', sampleClaim(50, 25));
    const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 300, 'still waiting'))]);

    const ids = await cloud.queueMails(userId, [samplePayload(1)]);

    expect(early).toBe('still waiting');
    expect(await wokenAnswer(waiting)).toEqual(ids);
  });

  it('is woken by hand-written SQL too, and only for its own user', async () => {
    const [userId, otherId] = [await newUser(cloud), await newUser(cloud)];
    const agent = await cloud.pairedAgent(userId);
    const other = await cloud.pairedAgent(otherId);
    const waiting = agent.call('claim', sampleClaim(50, 25));
    const otherWaiting = other.call('claim', sampleClaim(50, 1));

    const id = await cloud.queueRaw(userId, { payload: samplePayload(1) });

    expect(await wokenAnswer(waiting)).toEqual([id]);
    expect(idsOf(await otherWaiting)).toEqual([]);
  });

  it('takes nothing for a client that went away', async () => {
    const statusAfterLeaving = async (pauseMs: number) => {
      const userId = await newUser(cloud);
      const agent = await cloud.pairedAgent(userId);
      const leaving = new AbortController();
      const gone = agent.call('claim', sampleClaim(50, 25), undefined, leaving.signal);
      setTimeout(() => leaving.abort(), pauseMs);
      await expect(gone).rejects.toThrow('abort');
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const ids = await cloud.queueMails(userId, [samplePayload(1)]);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const [row] = await cloud.sql('SELECT status FROM recipients WHERE id = $1', [ids[0]]);
      return row?.['status'];
    };

    // A busy machine may notice the closed connection late; given time it always does.
    const seen = [];
    for (const pauseMs of [200, 1000, 4000]) {
      seen.push(await statusAfterLeaving(pauseMs));
      if (seen.at(-1) === 'queued') break;
    }

    expect(seen.at(-1)).toBe('queued');
  });

  it('goes on after its listening connection was lost', async () => {
    const userId = await newUser(cloud);
    const agent = await cloud.pairedAgent(userId);
    const waiting = agent.call('claim', sampleClaim(50, 25));
    await new Promise((resolve) => setTimeout(resolve, 200));

    await cloud.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mail-agent-cloud-wakeup' AND datname = current_database()",
    );
    const ids = await cloud.queueMails(userId, [samplePayload(1)]);

    expect(await wokenAnswer(waiting)).toEqual(ids);
  });
});
