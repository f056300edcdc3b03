import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

/** Answers every byte with itself. */
let echo: Server;
let port: number;
/** Bytes the target got, of all connections. */
let heard = '';

beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      socket.write(chunk);
    });
    socket.on('end', () => socket.end());
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  ({ port } = echo.address() as AddressInfo);
});
afterAll(() => echo.close());

const MESSAGE = '0123456789';

/** Says ten bytes and reads until they are back or the connection ends. */
function exchange(proxy: FaultyProxy): Promise<{ got: string; end: string }> {
  return new Promise((resolve) => {
    let got = '';
    let end = 'closed';
    const socket = connect(proxy.port, proxy.host);
    socket.on('data', (chunk) => {
      got += chunk.toString();
      if (got.length === MESSAGE.length) socket.end();
    });
    socket.on('error', (error) => {
      end = 'code' in error ? String(error.code) : error.message;
    });
    socket.on('close', () => resolve({ got, end }));
    socket.write(MESSAGE);
  });
}

async function underFault(fault: Fault, decideAt: 'accept' | 'first-bytes' = 'accept') {
  const proxy = await startFaultyProxy({ target: { host: '127.0.0.1', port }, decide: () => fault, decideAt });
  heard = '';
  const answer = await exchange(proxy);
  const counts = proxy.counts();
  await proxy.close();
  return { ...answer, counts };
}

describe.each(['accept', 'first-bytes'] as const)('startFaultyProxy, deciding at %s', (decideAt) => {
  it('carries everything where nothing is to fail', async () => {
    const { got, end, counts } = await underFault({ kind: 'pass' }, decideAt);

    expect({ got, end }).toEqual({ got: MESSAGE, end: 'closed' });
    expect(counts).toEqual({ connections: 1, refused: 0, cut: 0, repliesLost: 0, upBytes: 10, downBytes: 10 });
  });

  it('refuses before the target hears anything', async () => {
    const { got, end, counts } = await underFault({ kind: 'refuse' }, decideAt);

    expect({ got, end, heard }).toEqual({ got: '', end: 'ECONNRESET', heard: '' });
    expect(counts.refused).toBe(1);
  });

  it('cuts after exactly so many bytes up', async () => {
    const { end, counts } = await underFault({ kind: 'cut', direction: 'up', afterBytes: 4 }, decideAt);

    expect(end).toBe('ECONNRESET');
    expect(counts).toMatchObject({ cut: 1, upBytes: 4 });
  });

  it('cuts after exactly so many bytes down', async () => {
    const { got, end } = await underFault({ kind: 'cut', direction: 'down', afterBytes: 4 }, decideAt);

    expect({ got, end }).toEqual({ got: '0123', end: 'ECONNRESET' });
  });

  it('loses a reply whose request the target got', async () => {
    const fault = { kind: 'lose-reply', afterBytes: 0, resetAfterMs: 20 } as const;

    const { got, end, counts } = await underFault(fault, decideAt);

    expect({ got, end, heard }).toEqual({ got: '', end: 'ECONNRESET', heard: MESSAGE });
    expect(counts).toMatchObject({ repliesLost: 1, cut: 0 });
  });
});

describe('startFaultyProxy', () => {
  it('delays without changing the order of many bytes', async () => {
    const proxy = await startFaultyProxy({
      target: { host: '127.0.0.1', port },
      decide: () => ({ kind: 'delay', oneWayMs: 5 }),
    });
    const sent = Array.from({ length: 50_000 }, (_, index) => String(index)).join(' ');

    const got = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(proxy.port, proxy.host);
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
      socket.end(sent);
    });

    expect(got).toBe(sent);
    await proxy.close();
  });

  it('cuts every open connection that is meant, on demand', async () => {
    const proxy = await startFaultyProxy({ target: { host: '127.0.0.1', port }, decide: () => ({ kind: 'pass' }) });
    const sockets = [connect(proxy.port, proxy.host), connect(proxy.port, proxy.host)];
    const ended = sockets.map(
      (socket) => new Promise<string>((resolve) => socket.on('error', (error) => resolve(String(error)))),
    );
    await Promise.all(
      sockets.map((socket) => {
        socket.write('x');
        return new Promise((resolve) => socket.once('data', resolve));
      }),
    );

    const others = proxy.cutAll(({ index }) => index > 1);
    const all = proxy.cutAll();

    expect([others, all]).toEqual([0, 2]);
    for (const error of await Promise.all(ended)) expect(error).toContain('ECONNRESET');
    expect(proxy.counts().cut).toBe(2);
    await proxy.close();
  });
});
