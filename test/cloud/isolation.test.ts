import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_ROUTES, type OperatorRouteName } from '../../cloud/operator/routes.ts';
import { problemCode } from '../../src/shared/wire/problem.ts';
import { AGENT_ROUTES, type AgentRouteName, type Route } from '../../src/shared/wire/routes.ts';
import { callAgent, sampleClaim, sampleNonce, startTestCloud, type TestCloud } from '../support/cloud.ts';
import { begunMail, heartbeatRequest, heldMail, newUser, resultRequest } from '../support/cloud-mails.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());

type Item = Awaited<ReturnType<typeof heldMail>>['item'];

/** A request for each agent route that would work for the owner of the mail; a new route must be added to compile. */
function requestsFor(item: Item, nonce: string): Record<AgentRouteName, unknown> {
  const key = { idempotency_key: item.idempotency_key };
  return {
    pair: { pairing_code: 'AAAA-AAAA', agent_name: 'PC', platform: 'linux', version: '1' },
    claim: sampleClaim(),
    begin: { ...key, payload_hash: item.payload_hash, nonce, attempt: 1 },
    notSent: {
      ...key,
      nonce,
      attempt: 1,
      stage: 'body',
      class: 'connection',
      code: null,
      enhanced_code: null,
      reply: null,
    },
    result: resultRequest(item, { outcome: 'send_failed', nonce }),
    fact: {
      ...key,
      payload_hash: item.payload_hash,
      fact_id: 'f'.repeat(32),
      kind: 'replied',
      at: new Date().toISOString(),
      bounce: null,
    },
    release: key,
    heartbeat: heartbeatRequest(),
    sync: { boot_id: randomUUID(), after: null, limit: 50, known: [item.id] },
  };
}

const AGENT_NAMES = Object.keys(AGENT_ROUTES) as AgentRouteName[];
const NEEDING_A_TOKEN = AGENT_NAMES.filter((name) => AGENT_ROUTES[name].auth === 'agent');

async function rowOf(id: string) {
  const [row] = await cloud.sql(
    'SELECT r.*, (SELECT count(*) FROM recipient_history WHERE recipient_id = r.id) FROM recipients r WHERE id = $1',
    [id],
  );
  return row;
}

describe("another user's mail", () => {
  it('is out of reach on every route, held or begun, and nothing about it changes', async () => {
    const stranger = await cloud.pairedAgent(await newUser(cloud, 'Stranger'));
    for (const mail of [{ ...(await heldMail(cloud)), nonce: sampleNonce() }, await begunMail(cloud)]) {
      const requests = requestsFor(mail.item, mail.nonce);
      const before = await rowOf(mail.item.id);

      for (const name of NEEDING_A_TOKEN) {
        const answer = await stranger.call(name, requests[name], mail.params);
        if ('params' in AGENT_ROUTES[name]) expect(`${name} ${answer.problem}`).toBe(`${name} not-found`);
        else {
          expect(answer.status).toBe(200);
          expect(JSON.stringify(answer.body)).not.toContain(mail.item.payload_hash);
        }
      }

      expect(await rowOf(mail.item.id)).toEqual(before);
    }
  });

  it('is not even admitted to exist: an unknown id gets the very same answer', async () => {
    const stranger = await cloud.pairedAgent(await newUser(cloud, 'Stranger'));
    const mail = await heldMail(cloud);
    const requests = requestsFor(mail.item, sampleNonce());

    for (const name of AGENT_NAMES.filter((route) => 'params' in AGENT_ROUTES[route])) {
      const foreign = await stranger.call(name, requests[name], mail.params);
      const unknown = await stranger.call(name, requests[name], { id: '888888888' });
      expect(foreign).toEqual(unknown);
    }
  });
});

describe('every route that needs a token', () => {
  it('of an agent refuses a caller without one, before it reads the request', async () => {
    for (const name of NEEDING_A_TOKEN) {
      const answer = await callAgent(cloud.url, null, name, 'not even JSON', { id: '1' });
      expect(`${name} ${answer.status} ${answer.problem}`).toBe(`${name} 401 unauthorized`);
    }
  });

  it('of the operator refuses an agent, a stranger and nobody', async () => {
    const agent = await cloud.pairedAgent(await newUser(cloud));
    for (const name of Object.keys(OPERATOR_ROUTES) as OperatorRouteName[]) {
      const route: Route = OPERATOR_ROUTES[name];
      const path = route.path.replace(':id', randomUUID());
      for (const token of [agent.token, 'x'.repeat(43), '']) {
        const response = await fetch(new URL(path, cloud.url), {
          method: route.method,
          headers: token === '' ? {} : { authorization: `Bearer ${token}` },
        });
        const body = (await response.json()) as { type: string };
        expect(`${name} ${response.status} ${problemCode(body.type)}`).toBe(`${name} 401 unauthorized`);
      }
    }
  });
});
