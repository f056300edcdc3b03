import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, it } from 'vitest';
import { ok } from '../../../src/shared/result.ts';
import {
  ALIVE,
  BEGIN,
  CLAIM_ID,
  client,
  GRANTED,
  HEARTBEAT,
  NEVER,
  sendJson,
  startCloud,
  startRawCloud,
  TOKEN,
} from './fake-cloud.ts';

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one);
  return one;
};
const http = (headers: string[], body: string) => `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
const granted = JSON.stringify(GRANTED);
const JSON_HEADER = 'content-type: application/json';
const claim = { claimId: CLAIM_ID, limit: 10, waitSeconds: 0 };

describe('an answer that is no answer of the contract', () => {
  it.each([
    ['HTML', 'text/html', '<html>log in to the hotel</html>'],
    ['JSON that calls itself text', 'text/plain', granted],
    ['an empty body', 'application/json', ''],
    ['cut JSON', 'application/json', granted.slice(0, -5)],
    ['a byte that is not UTF-8', 'application/json', Buffer.from(`{"id":"r1\xFF"}`, 'latin1')],
    ['another charset', 'application/json; charset=gbk', granted],
    ['a byte order mark', 'application/json', `\uFEFF${granted}`],
    ['a doubled name', 'application/json', granted.replace('{', '{"granted":true,')],
    ['a name of the prototype', 'application/json', granted.replace('{', '{"__proto__":{"polluted":true},')],
    ['100,000 levels', 'application/json', '['.repeat(100_000)],
    ['a million names', 'application/json', `{${Array.from({ length: 400_000 }, (_, n) => `"${n}":0`).join(',')}}`],
    ['a field of another type', 'application/json', granted.replace('true', '"true"')],
    ['a missing field', 'application/json', '{"id":"r1"}'],
    ['a list', 'application/json', `[${granted}]`],
  ])('is nonsense: %s', async (_what, type, body) => {
    const server = keep(
      await startCloud((_seen, response) => response.writeHead(200, { 'content-type': type }).end(body)),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({ ok: false, error: { kind: 'nonsense' } });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('is nonsense with stacked or unknown encodings', async () => {
    const encodings = ['gzip, gzip', 'zstd', Array.from({ length: 20 }, () => 'gzip').join(', ')];
    const server = keep(
      await startCloud((seen, response) =>
        sendJson(response, GRANTED, 200, {
          'content-encoding': encodings[Number(JSON.parse(seen.body).attempt) - 1] ?? '',
        }),
      ),
    );
    const cloud = keep(client(server.url));

    for (const attempt of [1, 2, 3]) {
      expect(await cloud.begin('r1', { ...BEGIN, attempt }, NEVER)).toMatchObject({ error: { kind: 'nonsense' } });
    }
  });
});

describe('an answer that is too large', () => {
  it('is left as soon as its length says so', async () => {
    const server = keep(
      await startRawCloud((socket) => socket.write(http([JSON_HEADER, 'content-length: 99999999999'], '{"items":'))),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.claim(claim, NEVER)).toMatchObject({ error: { kind: 'too-large' } });
  });

  it('is left at the limit where it tells no length', async () => {
    let closed = false;
    const server = keep(
      await startCloud((_seen, response, request) => {
        request.socket.on('close', () => {
          closed = true;
        });
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
          response.once('drain', more);
        };
        more();
      }),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.claim(claim, NEVER)).toMatchObject({ error: { kind: 'too-large' } });
    await expect.poll(() => closed).toBe(true);
  });

  it('is left at the limit of what it unpacks to, in bounded memory', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
    const server = keep(
      await startCloud((_seen, response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zeros),
      ),
    );
    const cloud = keep(client(server.url));
    const before = process.memoryUsage.rss();

    const answer = await cloud.claim(claim, NEVER);

    expect(answer).toMatchObject({ error: { kind: 'too-large' } });
    expect(process.memoryUsage.rss() - before).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('a cloud that is slow or breaks off', () => {
  const deadlines = { totalMs: 400, idleMs: 10_000 };

  it('is given up at the total deadline though it drips headers or body', async () => {
    const drip = keep(
      await startRawCloud((socket, bytes) => {
        socket.write(
          bytes.includes('/begin') ? http([JSON_HEADER, 'content-length: 1000'], '') : 'HTTP/1.1 200 OK\r\nx-slow: ',
        );
        const timer = setInterval(() => socket.write('x'), 50);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    const cloud = keep(client(drip.url, { deadlines }));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({
      error: { kind: 'unreachable', text: expect.stringContaining('0.4 s') },
    });
    expect(await cloud.claim(claim, NEVER)).toMatchObject({
      error: { kind: 'unreachable', text: expect.stringContaining('0.4 s') },
    });
  });

  it('lets a long poll wait its seconds on top of the deadline', async () => {
    const server = keep(
      await startCloud(async (_seen, response) => {
        await pause(700);
        sendJson(response, { claim_id: CLAIM_ID, items: [] });
      }),
    );
    const cloud = keep(client(server.url, { deadlines: { totalMs: 200, idleMs: 200 } }));

    expect((await cloud.claim({ ...claim, waitSeconds: 25 }, NEVER)).ok).toBe(true);
  });

  it('is unreachable where the answer is lost after the request was read, and the next call works', async () => {
    let calls = 0;
    const server = keep(
      await startCloud((_seen, response, request) => {
        calls += 1;
        if (calls === 1) request.socket.destroy();
        else sendJson(response, GRANTED);
      }),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
    expect(await cloud.begin('r1', BEGIN, NEVER)).toEqual(ok(undefined));
    expect(server.seen).toHaveLength(2);
  });

  it('is unreachable where the answer ends before its length or last chunk', async () => {
    const server = keep(
      await startRawCloud((socket, bytes) =>
        socket.end(
          bytes.includes('/begin')
            ? http([JSON_HEADER, `content-length: ${granted.length + 1}`], granted)
            : http([JSON_HEADER, 'transfer-encoding: chunked'], `${granted.length.toString(16)}\r\n${granted}\r\n`),
        ),
      ),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
    expect(await cloud.claim(claim, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
  });

  it('is unreachable where nobody listens', async () => {
    const server = await startCloud((_seen, response) => sendJson(response, GRANTED));
    await server.close();
    const cloud = keep(client(server.url));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({
      error: { kind: 'unreachable', text: expect.stringContaining('ECONNREFUSED') },
    });
  });

  it('does not hold up the heartbeat, however many other calls hang', async () => {
    const server = keep(
      await startCloud((seen, response) => {
        if (seen.path.endsWith('heartbeat')) sendJson(response, ALIVE);
      }),
    );
    const cloud = keep(client(server.url));
    const stop = new AbortController();
    const hanging = [
      cloud.claim({ ...claim, waitSeconds: 25 }, stop.signal),
      ...Array.from({ length: 8 }, () => cloud.begin('r1', BEGIN, stop.signal)),
    ];
    let ended = 0;
    for (const call of hanging) void call.then(() => (ended += 1));
    await expect.poll(() => server.seen.length).toBeGreaterThanOrEqual(4);

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toEqual(ok(ALIVE));
    expect(ended).toBe(0);

    stop.abort();
    for (const answer of await Promise.all(hanging)) expect(answer).toMatchObject({ error: { kind: 'unreachable' } });
  });

  it('is left at once when the call is stopped, waiting for an answer, a connection or the token', async () => {
    const server = keep(await startRawCloud(() => undefined));
    const cloud = keep(client(server.url));
    const waitsForToken = keep(client(server.url, { token: () => new Promise(() => undefined) }));
    const stop = new AbortController();
    const calls = [
      ...Array.from({ length: 10 }, () => cloud.begin('r1', BEGIN, stop.signal)),
      waitsForToken.begin('r1', BEGIN, stop.signal),
    ];
    await pause(50);

    stop.abort();

    for (const answer of await Promise.all(calls)) {
      expect(answer).toEqual({ ok: false, error: { kind: 'unreachable', text: 'the call was stopped' } });
    }
    expect(await cloud.begin('r1', BEGIN, AbortSignal.abort())).toMatchObject({ error: { kind: 'unreachable' } });
  });

  it('never gets a call that was stopped while it waited for a connection', async () => {
    const server = keep(await startCloud(() => undefined));
    const cloud = keep(client(server.url));
    const first = new AbortController();
    const second = new AbortController();
    const running = Array.from({ length: 4 }, () => cloud.begin('r1', BEGIN, first.signal));
    const queued = cloud.begin('r2', BEGIN, second.signal);
    await expect.poll(() => server.seen.length).toBe(4);

    second.abort();
    await queued;
    first.abort();
    await Promise.all(running);
    await pause(50);

    expect(server.seen.map(({ path }) => path)).not.toContain('/agent/v1/recipients/r2/begin');
  });

  it('answers every call as unreachable after the client was closed', async () => {
    const server = keep(await startCloud(() => undefined));
    const cloud = client(server.url);
    const hanging = cloud.begin('r1', BEGIN, NEVER);
    await expect.poll(() => server.seen.length).toBe(1);

    await cloud.close();

    expect(await hanging).toMatchObject({ error: { kind: 'unreachable' } });
    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
  });
});

describe('a cloud that breaks the rules of HTTP', () => {
  const length = `content-length: ${granted.length}`;
  it.each([
    ['two lengths', http([JSON_HEADER, length, 'content-length: 5'], granted)],
    ['two equal lengths', http([JSON_HEADER, length, length], granted)],
    ['a length and a transfer encoding', http([JSON_HEADER, length, 'transfer-encoding: chunked'], `0\r\n\r\n`)],
    ['a transfer encoding and a length', http([JSON_HEADER, 'transfer-encoding: chunked', length], `0\r\n\r\n`)],
    ['a negative length', http([JSON_HEADER, 'content-length: -1'], granted)],
    ['a broken chunk', http([JSON_HEADER, 'transfer-encoding: chunked'], 'zz\r\n')],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ])('is refused and its connection dropped: %s', async (_what, bytes) => {
    let dropped = false;
    const server = keep(
      await startRawCloud((socket) => {
        socket.on('close', () => {
          dropped = true;
        });
        socket.write(bytes);
      }),
    );
    const cloud = keep(client(server.url, { deadlines: { totalMs: 2_000 } }));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({ ok: false, error: { kind: 'nonsense' } });
    await expect.poll(() => dropped).toBe(true);
  });

  it('cannot answer one call with what it sent beyond the answer to the one before', async () => {
    const stolen = JSON.stringify({ ...GRANTED, id: 'r2' });
    const server = keep(
      await startRawCloud((socket, bytes) => {
        const own = bytes.includes('/r1/') ? granted : stolen;
        const answer = (body: string) => http([JSON_HEADER, `content-length: ${body.length}`], body);
        socket.write(bytes.includes('/r1/') ? answer(own) + answer(granted) : answer(own));
      }),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toEqual(ok(undefined));
    expect(await cloud.begin('r2', BEGIN, NEVER)).toEqual(ok(undefined));
  });

  it('is heard past its early hints', async () => {
    const server = keep(
      await startRawCloud((socket) =>
        socket.write(
          `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${http([JSON_HEADER, `content-length: ${granted.length}`], granted)}`,
        ),
      ),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toEqual(ok(undefined));
  });
});

describe('a cloud that sends the agent elsewhere', () => {
  it.each([301, 302, 303, 307, 308])('is not followed with %d, and the other host hears nothing', async (status) => {
    const other = keep(await startCloud((_seen, response) => sendJson(response, GRANTED)));
    const server = keep(
      await startCloud((_seen, response) =>
        sendJson(response, GRANTED, status, { location: `${other.url}/agent/v1/steal` }),
      ),
    );
    const cloud = keep(client(server.url));

    expect(await cloud.begin('r1', BEGIN, NEVER)).toMatchObject({ error: { kind: 'nonsense' } });
    expect(other.seen).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });
});

describe('TLS', () => {
  const day = 86_400_000;
  const certificate = async (name: string, ends: number) => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      notBeforeDate: new Date(Date.now() - 2 * day),
      notAfterDate: new Date(Date.now() + ends * day),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
    });
    return { key, cert };
  };
  const startTls = async (options: { key: string; cert: string }) => {
    const server = keep(
      await startCloud(
        (_seen, response) => sendJson(response, ALIVE),
        (listener) => createHttpsServer(options, listener),
      ),
    );
    return { ...server, url: server.url.replace('http://127.0.0.1', 'https://localhost') };
  };

  it('is spoken with a certificate of the trusted authority', async () => {
    const options = await certificate('localhost', 1);
    const server = await startTls(options);
    const cloud = keep(client(server.url, { ca: options.cert }));

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toEqual(ok(ALIVE));
  });

  it.each([
    ['signed by nobody we trust', 'localhost', 1, 'stranger'],
    ['for another host', 'other.example', 1, 'own'],
    ['expired', 'localhost', -1, 'own'],
  ])('is refused with a certificate %s, and the token is not sent', async (_what, name, ends, trusted) => {
    const options = await certificate(name, ends);
    const server = await startTls(options);
    const cloud = keep(client(server.url, trusted === 'own' ? { ca: options.cert } : {}));

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
    expect(server.seen).toEqual([]);
  });

  it('stays refused where the environment turns the check off', async () => {
    const server = await startTls(await certificate('localhost', 1));
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const cloud = keep(client(server.url));
      expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('older than 1.2 is refused', async () => {
    const options = await certificate('localhost', 1);
    const server = createTlsServer({
      ...options,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL:@SECLEVEL=0',
    });
    let spoken = false;
    server.on('secureConnection', () => {
      spoken = true;
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    keep({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const cloud = keep(client(`https://localhost:${port}`, { ca: options.cert }));

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
    expect(spoken).toBe(false);
  });
});

it('no failure of any kind repeats the token', async () => {
  const echo = keep(await startRawCloud((socket, bytes) => socket.end(bytes)));
  const html = keep(
    await startCloud((seen, response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).end(seen.authorization),
    ),
  );
  const wrong = keep(
    await startCloud((seen, response) => sendJson(response, { id: seen.authorization, [seen.authorization ?? '']: 1 })),
  );

  for (const { url } of [echo, html, wrong]) {
    const answer = await keep(client(url)).begin('r1', BEGIN, NEVER);
    expect(answer.ok).toBe(false);
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
  }
});
