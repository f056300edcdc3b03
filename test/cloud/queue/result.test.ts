import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleNonce, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import {
  begin,
  begunMail,
  cancel,
  heldMail,
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

const EVIDENCE = { kind: 'sent-folder', note: 'found by its Message-ID' } as const;

describe('result', () => {
  it('stores a sent mail once; the same again is deduplicated, another one is a conflict and changes nothing', async () => {
    const mail = await begunMail(cloud);
    const sent = { outcome: 'sent', nonce: mail.nonce, smtp_message_id: '<a@example.com>' } as const;

    const first = await result(mail, sent);
    const again = await result(mail, sent);
    const others = [
      await result(mail, { ...sent, smtp_message_id: '<b@example.com>' }),
      await result(mail, { outcome: 'send_failed', nonce: mail.nonce }),
      await result(mail, { outcome: 'uncertain', nonce: mail.nonce }),
    ];

    expect(first.body).toEqual({ id: mail.item.id, status: 'sent', deduplicated: false });
    expect(again.body).toEqual({ id: mail.item.id, status: 'sent', deduplicated: true });
    for (const other of others) {
      expect([other.status, other.problem]).toEqual([409, 'conflicting-result']);
      expect(other.body['stored']).toEqual({ status: 'sent', smtp_message_id: '<a@example.com>', error_message: null });
    }
    const seen = await cloud.operator.must('getRecipient', { params: mail.params });
    expect([seen.status, seen.smtp_message_id]).toEqual(['sent', '<a@example.com>']);
  });

  it('keeps one of two different results told at the same time', async () => {
    const mail = await begunMail(cloud);

    const answers = await Promise.all([
      result(mail, { outcome: 'sent', nonce: mail.nonce }),
      result(mail, { outcome: 'send_failed', nonce: mail.nonce, error_message: 'refused' }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('takes sent only with the nonce that began', async () => {
    const mail = await heldMail(cloud);
    const nonce = sampleNonce();

    const before = await result(mail, { outcome: 'sent', nonce });
    await begin(mail, nonce);
    const other = await result(mail, { outcome: 'sent', nonce: sampleNonce() });
    const none = await result(mail, { outcome: 'sent', nonce: null });
    const evidence = await result(mail, { outcome: 'sent', nonce: null, evidence: EVIDENCE });

    for (const answer of [before, other, none, evidence]) expect(answer.problem).toBe('wrong-nonce');
    expect((await result(mail, { outcome: 'sent', nonce })).status).toBe(200);
  });

  it('takes send_failed before any begin, with the begun nonce, and with no other', async () => {
    const unbegun = await heldMail(cloud);
    const refused = await heldMail(cloud);
    const begun = await begunMail(cloud);

    expect((await result(unbegun, { outcome: 'send_failed', nonce: null })).status).toBe(200);
    expect((await result(refused, { outcome: 'send_failed', nonce: sampleNonce() })).status).toBe(200);
    expect((await result(begun, { outcome: 'send_failed', nonce: sampleNonce() })).problem).toBe('wrong-nonce');
    expect((await result(begun, { outcome: 'send_failed', nonce: null })).problem).toBe('wrong-nonce');
    expect((await result(begun, { outcome: 'send_failed', nonce: begun.nonce })).status).toBe(200);
  });

  it('keeps an uncertain mail in sending, marked with its reason, however often it is told', async () => {
    const mail = await uncertainMail(cloud);

    const again = await result(mail, { outcome: 'uncertain', nonce: mail.nonce, error_message: 'told again' });

    expect(again.body).toEqual({ id: mail.item.id, status: 'sending', deduplicated: true });
    const seen = await cloud.operator.must('getRecipient', { params: mail.params });
    expect([seen.status, seen.uncertain_reason, seen.uncertain_since === null]).toEqual([
      'sending',
      'no reply was read',
      false,
    ]);
  });

  it('marks uncertain only for the nonce that began, or for none', async () => {
    const unbegun = await heldMail(cloud);
    const begun = await begunMail(cloud);

    expect((await result(unbegun, { outcome: 'uncertain', nonce: sampleNonce() })).problem).toBe('wrong-nonce');
    expect((await result(begun, { outcome: 'uncertain', nonce: sampleNonce() })).problem).toBe('wrong-nonce');
    expect((await result(begun, { outcome: 'uncertain', nonce: null })).body['deduplicated']).toBe(false);
  });

  it('lets evidence settle an uncertain mail either way, with the begun nonce or none', async () => {
    for (const outcome of ['sent', 'send_failed'] as const) {
      for (const withNonce of [true, false]) {
        const mail = await uncertainMail(cloud);
        const told = await result(mail, { outcome, nonce: withNonce ? mail.nonce : null, evidence: EVIDENCE });
        expect(told.body).toEqual({ id: mail.item.id, status: outcome, deduplicated: false });
      }
    }
    const mail = await uncertainMail(cloud);
    expect((await result(mail, { outcome: 'sent', nonce: sampleNonce(), evidence: EVIDENCE })).problem).toBe(
      'wrong-nonce',
    );
    expect((await result(mail, { outcome: 'sent', nonce: null })).problem).toBe('wrong-nonce');
  });

  it('takes the reply that was read after all as the result of an uncertain mail', async () => {
    const mail = await uncertainMail(cloud);

    const told = await result(mail, { outcome: 'sent', nonce: mail.nonce });

    expect(told.body['status']).toBe('sent');
  });

  it('treats a late result after an operator resolved by the same rules', async () => {
    const equal = await uncertainMail(cloud);
    const different = await uncertainMail(cloud);
    for (const { params } of [equal, different]) {
      await cloud.operator.must('resolve', {
        params,
        request: { as: 'sent', evidence: { kind: 'person', note: 'the customer answered' }, smtp_message_id: '<1@a>' },
      });
    }

    const same = await result(equal, { outcome: 'sent', nonce: equal.nonce, smtp_message_id: '<1@a>' });
    const other = await result(different, { outcome: 'send_failed', nonce: different.nonce });

    expect(same.body['deduplicated']).toBe(true);
    expect(other.problem).toBe('conflicting-result');
  });

  it('answers 422 for a queued mail, a conflict for a cancelled one, not-holder to another agent', async () => {
    const queued = await heldMail(cloud);
    await release(queued);
    const stopped = await heldMail(cloud);
    await cancel(cloud, stopped.item.id);
    const held = await heldMail(cloud);
    const other = await cloud.pairedAgent(held.agent.userId, 'Laptop');

    const late = await result(queued, { outcome: 'send_failed', nonce: null });
    expect([late.status, late.problem]).toEqual([422, 'not-sending']);
    const conflict = await result(stopped, { outcome: 'send_failed', nonce: null });
    expect([conflict.problem, conflict.body['stored']]).toEqual([
      'conflicting-result',
      { status: 'cancelled', smtp_message_id: null, error_message: null },
    ]);
    expect((await result({ ...held, agent: other }, { outcome: 'send_failed', nonce: null })).problem).toBe(
      'not-holder',
    );
  });

  it('believes whoever knows the nonce that began: the same computer, paired anew', async () => {
    const mail = await begunMail(cloud);
    const doubted = await begunMail(cloud);
    const again = await cloud.pairedAgent(mail.agent.userId, 'Paired again');
    const alike = await cloud.pairedAgent(doubted.agent.userId, 'Paired again');

    const sent = await result({ ...mail, agent: again }, { outcome: 'sent', nonce: mail.nonce });
    const lost = await result({ ...doubted, agent: alike }, { outcome: 'uncertain', nonce: doubted.nonce });
    const guessed = await result({ ...doubted, agent: alike }, { outcome: 'sent', nonce: sampleNonce() });

    expect(sent.body).toMatchObject({ status: 'sent', deduplicated: false });
    expect(lost.body).toMatchObject({ status: 'sending', deduplicated: false });
    expect(guessed.problem).toBe('not-holder');
  });

  it('refuses a result for another key or payload hash', async () => {
    const mail = await begunMail(cloud);

    const told = await result(mail, { outcome: 'sent', nonce: mail.nonce, payload_hash: `sha256:${'1'.repeat(64)}` });

    expect(told.problem).toBe('payload-changed');
  });

  it('keeps a result whose texts hold what PostgreSQL cannot store, and knows it again', async () => {
    const mail = await begunMail(cloud);
    const odd = {
      outcome: 'send_failed',
      nonce: mail.nonce,
      error_message: 'cut\0off \ud800',
      reply: '\0',
      code: 550,
    } as const;

    expect((await result(mail, odd)).body['deduplicated']).toBe(false);
    expect((await result(mail, odd)).body['deduplicated']).toBe(true);
    const seen = await cloud.operator.must('getRecipient', { params: mail.params });
    expect(seen.error_message).toBe('cut\uFFFDoff \uFFFD');
  });
});

describe('not-sent', () => {
  it('clears the mark of its own nonce and nothing else, however often it is told', async () => {
    const mail = await begunMail(cloud);

    const other = await notSent(mail, sampleNonce());
    const own = await notSent(mail, mail.nonce);
    const again = await notSent(mail, mail.nonce);

    expect([other.body['cleared'], own.body['cleared'], again.body['cleared']]).toEqual([false, true, false]);
    expect(again.body).toEqual({ id: mail.item.id, nonce: mail.nonce, cleared: false });
    const seen = await cloud.operator.must('getRecipient', { params: mail.params });
    expect([seen.status, seen.begun_at]).toEqual(['sending', null]);
  });

  it('takes the doubt about its own attempt away', async () => {
    const mail = await uncertainMail(cloud);

    await notSent(mail, mail.nonce);

    const seen = await cloud.operator.must('getRecipient', { params: mail.params });
    expect([seen.status, seen.uncertain_since]).toEqual(['sending', null]);
    expect((await begin(mail, sampleNonce())).status).toBe(200);
  });

  it('is answered for a mail that is no longer sending, and refused for another key', async () => {
    const finished = await begunMail(cloud);
    await result(finished, { outcome: 'sent', nonce: finished.nonce });
    const queued = await heldMail(cloud);
    await release(queued);

    expect((await notSent(finished, finished.nonce)).body['cleared']).toBe(false);
    expect((await notSent(queued, sampleNonce())).status).toBe(200);
    expect((await notSent(queued, sampleNonce(), { idempotency_key: 'email-recipient-0' })).problem).toBe(
      'payload-changed',
    );
  });
});
