import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { begunMail, cancel, fact, heldMail, newUser, result, uncertainMail } from '../../support/cloud-mails.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());

const seen = (mail: { readonly params: { readonly id: string } }) =>
  cloud.operator.must('getRecipient', { params: mail.params });

describe('a fact', () => {
  it('stands beside the result, which stays; told again it adds nothing', async () => {
    const mail = await begunMail(cloud);
    await result(mail, { outcome: 'sent', nonce: mail.nonce });

    const first = await fact(mail);
    const again = await fact(mail);
    const other = await fact(mail, { fact_id: 'b'.repeat(32), kind: 'replied', bounce: null });

    expect(first.body).toEqual({ id: mail.item.id, fact_id: 'a'.repeat(32), deduplicated: false });
    expect(again.body).toEqual({ id: mail.item.id, fact_id: 'a'.repeat(32), deduplicated: true });
    expect(other.status).toBe(200);
    const row = await seen(mail);
    expect([row.status, row.smtp_message_id]).toEqual(['sent', '<1@example.com>']);
    expect(row.bounced_at).toBe('2026-11-29T10:00:00.000Z');
    expect(row.facts.map(({ kind, hard, status_code, text }) => [kind, hard, status_code, text])).toEqual([
      ['bounced', true, '5.1.1', 'no such user'],
      ['replied', null, null, null],
    ]);
    expect(row.history.slice(-2).map(({ event, actor, to_status }) => [event, actor, to_status])).toEqual([
      ['bounced', `agent:${row.agent_id}`, 'sent'],
      ['replied', `agent:${row.agent_id}`, 'sent'],
    ]);
  });

  it('is taken for an uncertain mail and leaves the doubt to its result', async () => {
    const mail = await uncertainMail(cloud);
    expect((await fact(mail)).status).toBe(200);
    expect((await seen(mail)).uncertain_since).not.toBeNull();
  });

  it('is taken for a stopped mail too, where an operator must see it', async () => {
    const mail = await heldMail(cloud);
    await cancel(cloud, mail.item.id);
    expect((await fact(mail)).status).toBe(200);
    expect((await seen(mail)).status).toBe('cancelled');
  });

  it('must name the mail by key and hash, and be one of its own user', async () => {
    const mail = await heldMail(cloud);
    const stranger = await cloud.pairedAgent(await newUser(cloud));
    const answers = [
      await fact(mail, { payload_hash: `sha256:${'0'.repeat(64)}` }),
      await fact({ ...mail, agent: stranger }),
      await fact(mail, { bounce: null }),
    ];
    expect(answers.map(({ problem }) => problem)).toEqual(['payload-changed', 'not-found', 'invalid-request']);
    expect((await seen(mail)).facts).toEqual([]);
  });

  it('never changes once it is told, whoever tries', async () => {
    const mail = await heldMail(cloud);
    await fact(mail);
    await expect(
      cloud.sql('UPDATE recipient_facts SET hard = false WHERE recipient_id = $1', [mail.item.id]),
    ).rejects.toThrow(/never changes/);
  });
});
