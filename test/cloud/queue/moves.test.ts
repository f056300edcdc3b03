import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECIPIENT_MOVES, RECIPIENT_STATUSES, type RecipientStatus } from '../../../cloud/queue/moves.ts';
import { sampleNonce, samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import {
  begin,
  begunMail,
  cancel,
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

/** A mail in each status, brought there by the API. */
async function mailAt(status: RecipientStatus): Promise<string> {
  switch (status) {
    case 'draft': {
      const request = { user_id: await newUser(cloud), name: 'Draft', recipients: [{ payload: samplePayload(1) }] };
      const [id] = (await cloud.operator.must('createTask', { request })).recipient_ids;
      return id ?? '';
    }
    case 'queued':
      return (await cloud.queueMails(await newUser(cloud), [samplePayload(1)]))[0] ?? '';
    case 'sending':
      return (await heldMail(cloud)).item.id;
    case 'sent': {
      const mail = await begunMail(cloud);
      await result(mail, { outcome: 'sent', nonce: mail.nonce });
      return mail.item.id;
    }
    case 'send_failed': {
      const mail = await heldMail(cloud);
      await result(mail, { outcome: 'send_failed', nonce: null, error_message: 'no such mailbox' });
      return mail.item.id;
    }
    case 'cancelled': {
      const mail = await heldMail(cloud);
      await cancel(cloud, mail.item.id);
      return mail.item.id;
    }
  }
}

/** The other columns a move into this status needs, so that only the move itself can be refused. */
function moveTo(status: RecipientStatus): string {
  if (status === 'queued' || status === 'draft') return `status = '${status}', agent_id = NULL, claim_id = NULL`;
  if (status !== 'sending') return `status = '${status}'`;
  return "status = 'sending', agent_id = (SELECT id FROM agents LIMIT 1), claim_id = gen_random_uuid()";
}

const tried = (id: string, set: string): Promise<string> =>
  cloud.sql(`UPDATE recipients SET ${set} WHERE id = $1`, [id]).then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );

const REFUSED = 'MA001';

describe('the transition table', () => {
  it('is the same in the database and in the code', async () => {
    const rows = await cloud.sql('SELECT from_status, to_status, needs_not_begun FROM recipient_moves');

    const inCode = RECIPIENT_MOVES.map(({ from, to, needsNotBegun }) => `${from} ${to} ${needsNotBegun}`);
    const inDatabase = rows.map((row) => `${row['from_status']} ${row['to_status']} ${row['needs_not_begun']}`);
    expect(inDatabase.sort()).toEqual(inCode.sort());
  });

  it('cannot be changed by a statement', async () => {
    await expect(cloud.sql("INSERT INTO recipient_moves VALUES ('sent', 'queued', false)")).rejects.toThrow();
    await expect(cloud.sql('UPDATE recipient_moves SET needs_not_begun = false')).rejects.toThrow();
    await expect(cloud.sql('DELETE FROM recipient_moves')).rejects.toThrow();
  });
});

describe('the database', () => {
  it('lets hand-written SQL make the moves of the table and no other, for every pair of statuses', async () => {
    await heldMail(cloud);
    for (const from of RECIPIENT_STATUSES) {
      for (const to of RECIPIENT_STATUSES) {
        if (from === to) continue;
        const id = await mailAt(from);
        const legal = RECIPIENT_MOVES.some((move) => move.from === from && move.to === to);
        // An unbegun mail cannot be sent, though the move as such is in the table.
        const allowed = legal && to !== 'sent';
        expect(`${from} ${to} ${await tried(id, moveTo(to))}`).toBe(`${from} ${to} ${allowed ? 'done' : REFUSED}`);
      }
    }
  });

  it('keeps a mail that has begun, or may have been sent, in sending until a result', async () => {
    const begun = (await begunMail(cloud)).item.id;
    const doubtful = (await uncertainMail(cloud)).item.id;

    for (const id of [begun, doubtful]) {
      expect(await tried(id, moveTo('cancelled'))).toBe(REFUSED);
      expect(await tried(id, `${moveTo('queued')}, begun_nonce = NULL`)).toBe(REFUSED);
      expect(await tried(id, 'begun_nonce = NULL')).toBe(REFUSED);
      expect(await tried(id, "begun_nonce = 'another nonce, made up'")).toBe(REFUSED);
    }
    expect(await tried(doubtful, 'uncertain_since = NULL')).toBe(REFUSED);
    expect(await tried(begun, "status = 'sent'")).toBe('done');
  });

  it('never lets a retired nonce back in', async () => {
    const mail = await heldMail(cloud);
    const nonce = sampleNonce();
    await notSent(mail, nonce);

    expect(await tried(mail.item.id, `begun_nonce = '${nonce}'`)).toBe(REFUSED);
    expect(await tried(mail.item.id, "retired_nonces = '{}'")).toBe(REFUSED);
  });

  it('changes no final result', async () => {
    for (const status of ['sent', 'send_failed', 'cancelled'] as const) {
      const id = await mailAt(status);
      for (const set of [
        "smtp_message_id = '<x@y>'",
        "error_message = 'x'",
        "result = '{}'",
        'attempt = 9',
        'agent_id = NULL',
      ]) {
        // A cancelled mail has no agent_id to lose when it never was claimed; these were.
        expect(`${status} ${set} ${await tried(id, set)}`).toBe(`${status} ${set} ${REFUSED}`);
      }
    }
  });

  it('changes no key, hash, owner or payload, and deletes nothing', async () => {
    const id = await mailAt('queued');
    const sets = [
      `payload_hash = 'sha256:${'0'.repeat(64)}'`,
      'user_id = user_id',
      "to_address = 'somebody@example.org'",
      'created_at = now()',
    ];
    for (const set of sets) expect(`${set} ${await tried(id, set)}`).toBe(`${set} ${REFUSED}`);
    expect(await tried(id, "idempotency_key = 'x'")).not.toBe('done');
    expect(await tried(id, 'id = 0')).not.toBe('done');
    const statements = [
      `UPDATE payloads SET payload = '{}' WHERE recipient_id = ${id}`,
      `DELETE FROM payloads WHERE recipient_id = ${id}`,
      `UPDATE recipient_history SET actor = 'nobody' WHERE recipient_id = ${id}`,
      `DELETE FROM recipient_history WHERE recipient_id = ${id}`,
      `DELETE FROM recipients WHERE id = ${id}`,
    ];
    for (const statement of statements) await expect(cloud.sql(statement)).rejects.toThrow('never changes');
  });

  it('hands a mail from one agent to another only through the queue', async () => {
    const mail = await heldMail(cloud);
    const other = await cloud.pairedAgent(mail.agent.userId, 'Laptop');

    expect(await tried(mail.item.id, `agent_id = '${other.agentId}'`)).toBe(REFUSED);
  });

  it('moves nothing out of sending by time', async () => {
    const triggers = await cloud.sql("SELECT prosrc FROM pg_proc WHERE proname = 'guard_recipient'");

    // The only instant the guard writes is when a move happened; it compares none.
    expect(String(triggers[0]?.['prosrc']).match(/now\(\)|timestamp|interval/g)).toEqual(['now()']);
  });
});

describe('the history', () => {
  it('has one row for everything that happened, with who and what', async () => {
    const mail = await heldMail(cloud);
    const [first, second] = [sampleNonce(), sampleNonce()];
    await begin(mail, first);
    await begin(mail, first);
    await notSent(mail, first, { code: 421, reply: 'try later' });
    await notSent(mail, first);
    await begin(mail, second, { attempt: 2 });
    await result(mail, { outcome: 'uncertain', nonce: second, error_message: 'dropped' });
    await cloud.operator.must('resolve', {
      params: mail.params,
      request: { as: 'send_failed', evidence: { kind: 'person', note: 'never arrived' } },
    });

    const { history } = await cloud.operator.must('getRecipient', { params: mail.params });

    const agent = `agent:${mail.agent.agentId}`;
    expect(history.map(({ event, from_status, to_status, actor }) => [event, from_status, to_status, actor])).toEqual([
      ['created', null, 'draft', 'operator'],
      ['move', 'draft', 'queued', 'operator'],
      ['move', 'queued', 'sending', agent],
      ['begin', 'sending', 'sending', agent],
      ['not-sent', 'sending', 'sending', agent],
      ['begin', 'sending', 'sending', agent],
      ['uncertain', 'sending', 'sending', agent],
      ['move', 'sending', 'send_failed', 'operator'],
    ]);
    expect(history[4]?.detail).toMatchObject({ nonce: first, code: 421, reply: 'try later' });
    expect(history[7]?.detail).toMatchObject({ evidence: { kind: 'person', note: 'never arrived' } });
  });

  it('names the database account for a move by hand', async () => {
    const id = await mailAt('queued');
    await cloud.sql("UPDATE recipients SET status = 'cancelled' WHERE id = $1", [id]);

    const { history } = await cloud.operator.must('getRecipient', { params: { id } });

    expect(history.at(-1)).toMatchObject({ event: 'move', to_status: 'cancelled', actor: 'sql:postgres' });
  });
});
