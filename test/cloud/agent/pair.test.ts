import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeartbeatReply, PairReply } from '../../../src/shared/wire/messages.ts';
import { callAgent, sampleClaim, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { heartbeatRequest, newUser } from '../../support/cloud-mails.ts';
import { startTestPostgres, type TestPostgres } from '../../support/postgres.ts';

let postgres: TestPostgres;
let cloud: TestCloud;
beforeAll(async () => {
  postgres = await startTestPostgres();
  cloud = await startTestCloud({ postgres });
});
afterAll(async () => {
  await cloud.close();
  await postgres.stop();
});

const request = (pairing_code: string) => ({ pairing_code, agent_name: 'PC', platform: 'win32', version: '0.1.0' });
const pair = (code: string, on = cloud) => callAgent(on.url, null, 'pair', request(code));
const newCode = async () =>
  (await cloud.operator.must('createPairingCode', { params: { id: await newUser(cloud, '李雷') } })).pairing_code;

describe('pair', () => {
  it('exchanges a code for a token of the user, of which only the digest is kept', async () => {
    const answer = await pair(await newCode());

    const paired = PairReply.parse(answer.body);
    expect(paired.user.name).toBe('李雷');
    expect(paired.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const kept = await cloud.sql('SELECT token_hash = sha256($2::bytea) AS same FROM agents WHERE id = $1', [
      paired.agent_id,
      Buffer.from(paired.token),
    ]);
    expect(kept).toEqual([{ same: true }]);
    expect((await callAgent(cloud.url, paired.token, 'claim', sampleClaim())).status).toBe(200);
  });

  it('takes a code once, even from two who use it at the same time', async () => {
    const code = await newCode();

    const answers = await Promise.all([pair(code), pair(code), pair(code)]);

    expect(answers.map(({ problem }) => problem ?? 'paired').sort()).toEqual([
      'paired',
      'pairing-code-invalid',
      'pairing-code-invalid',
    ]);
    expect((await pair(code)).status).toBe(403);
  });

  it("refuses an unknown code and one that is older than ten minutes by the database's clock", async () => {
    const fresh = await newCode();
    const old = await newCode();
    const [left] = await cloud.sql(
      "SELECT max(expires_at) BETWEEN now() + interval '9 minutes' AND now() + interval '10 minutes' AS good FROM pairing_codes",
    );
    await cloud.sql(
      "UPDATE pairing_codes SET expires_at = now() - interval '1 second' WHERE code_hash = sha256($1::bytea)",
      [Buffer.from(old)],
    );

    expect(left).toEqual({ good: true });
    expect((await pair(old)).problem).toBe('pairing-code-invalid');
    expect((await pair('AAAA-AAAA')).problem).toBe('pairing-code-invalid');
    expect((await pair(fresh)).status).toBe(200);
  });

  it('keeps no code in clear', async () => {
    const code = await newCode();

    const [row] = await cloud.sql('SELECT string_agg(p::text, chr(10)) AS text FROM pairing_codes p');

    expect(String(row?.['text'])).not.toContain(code);
  });

  it('tells what the providers call this program for the office, and each heartbeat does too', async () => {
    const signIn = { google: { client_id: 'id-1', client_secret: 'not-so-secret' }, microsoft: { client_id: 'id-2' } };
    const office = await startTestCloud({ postgres, signIn });
    try {
      const id = await newUser(office, '韩梅梅');
      const { pairing_code } = await office.operator.must('createPairingCode', { params: { id } });
      const paired = PairReply.parse((await pair(pairing_code, office)).body);
      const beat = await callAgent(office.url, paired.token, 'heartbeat', heartbeatRequest());

      expect(paired.sign_in).toEqual(signIn);
      expect(HeartbeatReply.parse(beat.body).sign_in).toEqual(signIn);
    } finally {
      await office.close();
    }
  });

  it('answers rate-limited, with the time to wait, to an address that tries codes', async () => {
    const strict = await startTestCloud({ postgres, pairingsPerMinute: 10 });
    try {
      const answers = [];
      for (let turn = 0; turn < 12; turn += 1) answers.push(await pair('AAAA-AAAA', strict));

      expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(403), 429, 429]);
      expect(answers[11]?.problem).toBe('rate-limited');
      expect(Number(answers[11]?.retryAfter)).toBeGreaterThan(0);
      // Nobody else is held up by it.
      expect((await callAgent(strict.url, 'x'.repeat(43), 'claim', sampleClaim())).status).toBe(401);
    } finally {
      await strict.close();
    }
  });
});

describe('a token', () => {
  it('is refused when missing, unknown, malformed or not an agent’s', async () => {
    for (const token of [null, 'x'.repeat(43), 'with space', cloud.operatorToken]) {
      const answer = await callAgent(cloud.url, token, 'claim', sampleClaim());
      expect([answer.status, answer.problem]).toEqual([401, 'unauthorized']);
    }
  });

  it('is refused within seconds of being revoked', async () => {
    const agent = await cloud.pairedAgent(await newUser(cloud));
    expect((await agent.call('claim', sampleClaim())).status).toBe(200);

    await cloud.operator.must('revokeAgent', { params: { id: agent.agentId } });

    await expect
      .poll(async () => (await agent.call('claim', sampleClaim())).status, { timeout: 10_000, interval: 200 })
      .toBe(401);
  });
});
