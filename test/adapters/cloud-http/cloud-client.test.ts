import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { pairWithCloud } from '../../../src/main/adapters/cloud-http/pair.ts';
import type { Cloud } from '../../../src/main/engine/ports.ts';
import { err, ok } from '../../../src/shared/result.ts';
import { problemType } from '../../../src/shared/wire/problem.ts';
import {
  ALIVE,
  BEGIN,
  CLAIM_ID,
  client,
  type FakeCloud,
  GRANTED,
  HEARTBEAT,
  NEVER,
  sendJson,
  startCloud,
  TOKEN,
} from './fake-cloud.ts';

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
async function setUp(
  answer: Parameters<typeof startCloud>[0],
  options: Parameters<typeof client>[1] = {},
): Promise<{ readonly cloud: Cloud; readonly server: FakeCloud }> {
  const server = await startCloud(answer);
  const cloud = client(server.url, options);
  open.push(server, cloud);
  return { cloud, server };
}
const claim = (limit = 10, waitSeconds = 0) => ({ claimId: CLAIM_ID, limit, waitSeconds });

describe('the cloud client', () => {
  it('sends each call to its route with the token, and answers what the contract says', async () => {
    const replies: Record<string, unknown> = {
      '/agent/v1/claims': { claim_id: CLAIM_ID, items: [{ id: 'r1' }, 'bad item'], later_field: 1 },
      '/agent/v1/recipients/r1/begin': GRANTED,
      '/agent/v1/recipients/r1/result': { id: 'r1', status: 'sent', deduplicated: false },
      '/agent/v1/heartbeat': ALIVE,
      '/agent/v1/sync': { items: [], next_after: null, others: [] },
    };
    const { cloud, server } = await setUp((seen, response) => sendJson(response, replies[seen.path]));

    expect(await cloud.claim(claim(), NEVER)).toEqual(ok({ claim_id: CLAIM_ID, items: [{ id: 'r1' }, 'bad item'] }));
    expect(await cloud.begin('r1', BEGIN, NEVER)).toEqual(ok(undefined));
    expect(await cloud.report({ mailId: 'r1', route: 'result', body: '{}' }, NEVER)).toEqual(ok(undefined));
    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toEqual(ok(ALIVE));
    const sync = { boot_id: CLAIM_ID, after: null, limit: 10, known: [] };
    expect(await cloud.sync(sync, NEVER)).toEqual(ok({ items: [], next_after: null, others: [] }));

    expect(server.seen.map(({ path }) => path)).toEqual(Object.keys(replies));
    expect(server.seen.every(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ claim_id: CLAIM_ID, limit: 10, wait: 0 });
    expect(JSON.parse(server.seen[1]?.body ?? '')).toEqual(BEGIN);
  });

  it('sends a report byte for byte', async () => {
    const { cloud, server } = await setUp((_seen, response) =>
      sendJson(response, { id: 'r1', status: 'sent', deduplicated: true }),
    );
    const body = '{ "b":1.0,  "a":"\\u00e9 张" }';

    await cloud.report({ mailId: 'r1', route: 'result', body }, NEVER);

    expect(server.seen[0]?.body).toBe(body);
  });

  it('reads a compressed answer', async () => {
    const { cloud } = await setUp((_seen, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(GRANTED))),
    );

    expect(await cloud.begin('r1', BEGIN, NEVER)).toEqual(ok(undefined));
  });

  it('keeps no more items than it asked for', async () => {
    const items = Array.from({ length: 10_000 }, (_, n) => ({ id: `r${n}`, task: { id: 't', name: 'x' } }));
    const { cloud } = await setUp((seen, response) =>
      sendJson(
        response,
        seen.path.endsWith('sync') ? { items, next_after: null, others: [] } : { claim_id: CLAIM_ID, items },
      ),
    );

    const claimed = await cloud.claim(claim(10), NEVER);
    const held = await cloud.sync({ boot_id: CLAIM_ID, after: null, limit: 7, known: [] }, NEVER);

    expect(claimed).toEqual(ok({ claim_id: CLAIM_ID, items: items.slice(0, 10) }));
    expect(held).toMatchObject({ ok: true, value: { items: items.slice(0, 7) } });
  });

  it('takes an answer for another mail, nonce or claim for no answer at all', async () => {
    const { cloud } = await setUp((seen, response) => {
      const asked = JSON.parse(seen.body);
      if (seen.path.endsWith('claims'))
        sendJson(response, { claim_id: '11111111-5a7d-4a31-9f2b-1c2d3e4f5a6b', items: [] });
      else if (seen.path.endsWith('not-sent'))
        sendJson(response, { id: 'r1', nonce: 'another-nonce-0123456789', cleared: true });
      else if (seen.path.endsWith('result')) sendJson(response, { id: 'r2', status: 'sent', deduplicated: false });
      else
        sendJson(
          response,
          asked.attempt === 1 ? { ...GRANTED, id: 'r2' } : { ...GRANTED, nonce: 'another-nonce-0123456789' },
        );
    });
    const body = JSON.stringify({ nonce: BEGIN.nonce });

    const answers = [
      await cloud.claim(claim(), NEVER),
      await cloud.begin('r1', BEGIN, NEVER),
      await cloud.begin('r1', { ...BEGIN, attempt: 2 }, NEVER),
      await cloud.report({ mailId: 'r1', route: 'result', body }, NEVER),
      await cloud.report({ mailId: 'r1', route: 'notSent', body }, NEVER),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { kind: 'nonsense' } });
  });

  it('takes a not-sent answer with the nonce it told', async () => {
    const { cloud } = await setUp((_seen, response) =>
      sendJson(response, { id: 'r1', nonce: BEGIN.nonce, cleared: true }),
    );

    const told = await cloud.report(
      { mailId: 'r1', route: 'notSent', body: JSON.stringify({ nonce: BEGIN.nonce }) },
      NEVER,
    );

    expect(told).toEqual(ok(undefined));
  });
});

describe('problems', () => {
  it('answers a problem of the contract with its code, detail, stored result and wish to wait', async () => {
    const stored = { status: 'sent', smtp_message_id: '<x@y>', error_message: null };
    const { cloud } = await setUp((_seen, response) =>
      sendJson(
        response,
        { type: problemType('conflicting-result'), title: 'x', status: 409, detail: 'a\r\nb\u202Ec', stored },
        409,
        { 'retry-after': '7' },
      ),
    );

    expect(await cloud.report({ mailId: 'r1', route: 'result', body: '{}' }, NEVER)).toEqual(
      err({ kind: 'problem', code: 'conflicting-result', detail: 'a b c', stored, retryAfterMs: 7_000 }),
    );
  });

  it.each([
    [401, 'problem', 'unauthorized'],
    [403, 'problem', 'unauthorized'],
    [413, 'problem', 'too-large'],
    [429, 'problem', 'rate-limited'],
    [500, 'problem', 'internal'],
    [502, 'unreachable', undefined],
    [503, 'problem', 'unavailable'],
    [504, 'unreachable', undefined],
    [302, 'nonsense', undefined],
    [400, 'nonsense', undefined],
    [404, 'nonsense', undefined],
    [409, 'nonsense', undefined],
    [204, 'nonsense', undefined],
  ])('maps a bare status %d to %s %s', async (status, kind, code) => {
    const { cloud } = await setUp((_seen, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end(),
    );

    const answer = await cloud.begin('r1', BEGIN, NEVER);

    expect(answer.ok).toBe(false);
    expect(answer).toMatchObject({ error: code === undefined ? { kind } : { kind, code } });
  });

  it('does not believe a problem whose type is unknown or belongs to another status', async () => {
    const { cloud } = await setUp((seen, response) => {
      const type = seen.path.endsWith('begin') ? problemType('cancelled') : 'https://elsewhere/problem';
      sendJson(response, { type, title: 'x', status: 409 }, seen.path.endsWith('begin') ? 500 : 409);
    });

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({ error: { kind: 'problem', code: 'internal' } });
    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'nonsense' } });
  });

  it('bounds the detail and cuts the token out of it', async () => {
    const { cloud } = await setUp((seen, response) => {
      const detail = `${seen.authorization} is unknown ${'x'.repeat(10_000)}`;
      sendJson(response, { type: problemType('internal'), title: 'x', status: 500, detail, stored: { detail } }, 500);
    });

    const answer = await cloud.begin('r1', BEGIN, NEVER);

    expect(answer).toMatchObject({
      error: { kind: 'problem', detail: expect.stringContaining('Bearer [redacted] is') },
    });
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
    expect(!answer.ok && answer.error.kind === 'problem' && answer.error.detail.length).toBe(300);
  });
});

describe('the token', () => {
  it('is read once and kept in memory', async () => {
    let readings = 0;
    const token = async () => {
      readings += 1;
      return ok(TOKEN);
    };
    const { cloud } = await setUp((_seen, response) => sendJson(response, ALIVE), { token });

    await Promise.all([cloud.heartbeat(HEARTBEAT, NEVER), cloud.heartbeat(HEARTBEAT, NEVER)]);
    await cloud.heartbeat(HEARTBEAT, NEVER);

    expect(readings).toBe(1);
  });

  it('is read again once it was refused, and another one is tried once', async () => {
    const tokens = ['old-token', 'new-token'];
    const token = async () => ok(tokens.shift() ?? 'new-token');
    const { cloud, server } = await setUp(
      (seen, response) =>
        seen.authorization === 'Bearer new-token'
          ? sendJson(response, ALIVE)
          : sendJson(response, { type: problemType('unauthorized'), title: 'x', status: 401 }, 401),
      { token },
    );

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toEqual(ok(ALIVE));
    expect(server.seen.map(({ authorization }) => authorization)).toEqual(['Bearer old-token', 'Bearer new-token']);
  });

  it('is not tried twice where it is still the same', async () => {
    const { cloud, server } = await setUp((_seen, response) => sendJson(response, {}, 401));

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'problem', code: 'unauthorized' } });
    expect(server.seen).toHaveLength(1);
  });

  it('that cannot be read, is damaged or makes its reader throw is no credentials, and nothing is sent', async () => {
    const locked = async () => err({ kind: 'locked', text: 'unlock it' } as const);
    const damaged = async () => ok('token\r\nHost: evil');
    const broken = async () => {
      throw new Error('keychain broke');
    };

    for (const token of [locked, damaged, broken]) {
      const { cloud, server } = await setUp((_seen, response) => sendJson(response, ALIVE), { token });
      expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'no-credentials' } });
      expect(server.seen).toEqual([]);
    }
  });
});

describe('pairing', () => {
  const request = { pairing_code: 'ABCD-1234', agent_name: 'PC', platform: 'linux', version: '1.0.0' };
  const paired = { agent_id: 'a1', token: TOKEN, user: { id: 'u1', name: '张三' } };

  it('exchanges the code without any token', async () => {
    const server = await startCloud((_seen, response) => sendJson(response, paired));
    open.push(server);

    expect(await pairWithCloud({ cloudUrl: server.url, request, signal: NEVER })).toEqual(ok(paired));
    expect(server.seen).toEqual([{ path: '/agent/v1/pair', authorization: undefined, body: JSON.stringify(request) }]);
  });

  it('answers a refused code as the contract’s problem, without repeating the code', async () => {
    const server = await startCloud((_seen, response) =>
      sendJson(
        response,
        { type: problemType('pairing-code-invalid'), title: 'x', status: 403, detail: 'ABCD-1234 is old' },
        403,
      ),
    );
    open.push(server);

    expect(await pairWithCloud({ cloudUrl: server.url, request, signal: NEVER })).toMatchObject({
      error: { kind: 'problem', code: 'pairing-code-invalid', detail: '[redacted] is old' },
    });
  });

  it.each(['http://cloud.example', 'https://user:pw@cloud.example', 'https://cloud.example/path', 'ftp://x', 'cloud'])(
    'refuses the address %s before any connection',
    async (cloudUrl) => {
      expect(await pairWithCloud({ cloudUrl, request, signal: NEVER })).toMatchObject({ error: { kind: 'nonsense' } });
      expect(() => client(cloudUrl)).toThrow(RangeError);
    },
  );
});
