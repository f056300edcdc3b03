import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_ROUTES, type AgentRouteName } from '../../src/shared/wire/routes.ts';
import {
  callAgent,
  readAnswer,
  sampleClaim,
  startTestCloud,
  type TestAgent,
  type TestCloud,
} from '../support/cloud.ts';
import { heldMail, newUser } from '../support/cloud-mails.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
let cloud: TestCloud;
let agent: TestAgent;
beforeAll(async () => {
  postgres = await startTestPostgres();
  cloud = await startTestCloud({ postgres });
  agent = await cloud.pairedAgent(await newUser(cloud));
});
afterAll(async () => {
  await cloud.close();
  await postgres.stop();
});

const fieldsOf = (body: Record<string, unknown>) => (body['errors'] as { path: string }[]).map(({ path }) => path);

describe('the cloud', () => {
  it('refuses an unknown field on every route, and names it', async () => {
    for (const name of Object.keys(AGENT_ROUTES) as AgentRouteName[]) {
      const answer = await agent.call(name, { surprise: 1 }, { id: '1' });
      expect([answer.status, answer.problem]).toEqual([400, 'invalid-request']);
      expect(answer.contentType).toContain('application/problem+json');
      const errors = answer.body['errors'] as { message: string }[];
      expect(errors.some(({ message }) => message.includes('surprise'))).toBe(true);
    }
  });

  it('names the fields that do not fit, in the body and in the path', async () => {
    const body = await agent.call('claim', { claim_id: 'x', limit: 0, wait: 26 });
    const path = await agent.call('release', { idempotency_key: 'email-recipient-1' }, { id: 'a b' });

    expect(fieldsOf(body.body).sort()).toEqual(['claim_id', 'limit', 'wait']);
    expect(fieldsOf(path.body)).toEqual(['params.id']);
  });

  it('answers a problem to whatever is not JSON, too large, of another type or at another place', async () => {
    const call = (path: string, init: RequestInit) =>
      fetch(new URL(path, cloud.url), {
        ...init,
        headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json', ...init.headers },
      }).then(readAnswer);
    const post = (body: string, headers = {}) => call('/agent/v1/claims', { method: 'POST', body, headers });

    expect((await post('{"claim_id":')).problem).toBe('invalid-request');
    expect((await post('')).problem).toBe('invalid-request');
    expect((await post('[]')).problem).toBe('invalid-request');
    expect((await post('{"__proto__":{}}')).problem).toBe('invalid-request');
    expect((await post('x=1', { 'content-type': 'application/x-www-form-urlencoded' })).problem).toBe(
      'invalid-request',
    );
    const large = await post(JSON.stringify({ text: 'x'.repeat(70_000) }));
    expect([large.status, large.problem]).toEqual([413, 'too-large']);
    expect((await call('/agent/v1/nothing', { method: 'GET' })).problem).toBe('not-found');
    expect((await call('/agent/v1/claims', { method: 'GET' })).problem).toBe('not-found');
  });

  it('answers what each route’s own reply schema takes', async () => {
    const mail = await heldMail(cloud);
    const requests = { boot_id: randomUUID(), after: null, limit: 5, known: [mail.item.id, '77'] };
    const answer = await mail.agent.call('sync', requests);

    expect(AGENT_ROUTES.sync.reply.safeParse(answer.body).success).toBe(true);
  });

  it('says unavailable, with a time to come back, while the database is away', async () => {
    const own = await startTestPostgres();
    const lost = await startTestCloud({ postgres: own });
    const client = await lost.pairedAgent(await newUser(lost));
    expect((await fetch(new URL('/healthz', lost.url))).status).toBe(200);

    await own.stop();
    const answer = await client.call('claim', sampleClaim());
    const health = await fetch(new URL('/healthz', lost.url));
    await lost.close();

    expect([answer.status, answer.problem]).toEqual([503, 'unavailable']);
    expect(Number(answer.retryAfter)).toBeGreaterThan(0);
    expect(health.status).toBe(503);
  });

  it('ends promptly while claims wait', async () => {
    const closing = await startTestCloud({ postgres });
    const client = await closing.pairedAgent(await newUser(closing));
    const waiting = client.call('claim', sampleClaim(50, 25)).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await new Promise((resolve) => setTimeout(resolve, 300));

    await closing.close();

    expect(await waiting).toBe(200);
    await expect(callAgent(closing.url, client.token, 'claim', sampleClaim())).rejects.toThrow();
  });
});
