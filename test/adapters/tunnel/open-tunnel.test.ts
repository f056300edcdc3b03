import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTunnels } from '../../../src/main/adapters/tunnel/open-tunnel.ts';
import type { OpenTunnel, ResolveRoutes, Target } from '../../../src/main/adapters/tunnel/tunnel.ts';
import { ok } from '../../../src/shared/result.ts';
import { ProxyChoice } from '../../../src/shared/settings.ts';
import { type ProxyPeer, type ProxyPeerOptions, startProxyPeer } from '../../support/proxy-peer.ts';

const LOGIN = { userName: 'anna', password: 'geheim 密码' };
const DEADLINE_MS = 20_000;
const NEVER = new AbortController().signal;
const KINDS = ['http', 'socks5'] as const;

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A server that speaks first, as mail servers do, and says back what it hears. */
async function startGreeter(): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('220 hello\r\n');
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

async function startProxy(options: ProxyPeerOptions): Promise<ProxyPeer> {
  const peer = await startProxyPeer(options);
  open.push(peer);
  return peer;
}

const noRoutes: ResolveRoutes = async () => ({ ok: false, error: 'nobody was to be asked' });

function tunnelsFor(proxy: unknown, more: { readonly password?: string; readonly routes?: ResolveRoutes } = {}) {
  return createTunnels({
    proxy: ProxyChoice.parse(proxy),
    password: async () => ok(more.password ?? LOGIN.password),
    resolveRoutes: more.routes ?? noRoutes,
  });
}

const through = (peer: ProxyPeer, kind: string, userName: string | null = null) => ({
  kind,
  host: '127.0.0.1',
  port: peer.port,
  userName,
});

/** The first words of the far end, after ours were said back; or the failure. */
async function talk(tunnel: OpenTunnel, target: Target): Promise<string> {
  const opened = await tunnel(target, { deadlineMs: DEADLINE_MS, signal: NEVER });
  if (!opened.ok) return `${opened.error.cause}: ${opened.error.text}`;
  const socket = opened.value;
  try {
    socket.write('ping');
    let heard = '';
    for await (const piece of socket) {
      heard += String(piece);
      if (heard.includes('ping')) break;
    }
    return heard;
  } finally {
    socket.destroy();
  }
}

describe.each(KINDS)('a %s proxy', (kind) => {
  it.each([
    ['without a login', undefined],
    ['with a login', LOGIN],
  ])('leads to a name that only it knows, %s', async (_title, login) => {
    const port = await startGreeter();
    const peer = await startProxy({ kind, ...(login === undefined ? {} : { login }) });
    const { web } = tunnelsFor(through(peer, kind, login?.userName ?? null));

    expect(await talk(web, { host: 'smtp.mail.test', port })).toBe('220 hello\r\nping');
    expect(peer.asked).toEqual([`smtp.mail.test:${port}`]);
  });

  it('loses nothing that a server says before it is spoken to', async () => {
    const port = await startGreeter();
    const peer = await startProxy({ kind, waitsForFirstWords: true });
    const { mail } = tunnelsFor(through(peer, kind));
    const opened = await mail({ host: 'smtp.mail.test', port }, { deadlineMs: DEADLINE_MS, signal: NEVER });
    if (!opened.ok) throw new Error(opened.error.text);
    // Whoever reads may come late.
    await new Promise((resolve) => setTimeout(resolve, 50));

    const heard = await new Promise<string>((resolve) => {
      opened.value.once('data', (piece) => resolve(String(piece))).resume();
    });
    opened.value.destroy();
    expect(heard).toBe('220 hello\r\n');
  });

  it('that refuses a password is told so once, and then left alone', async () => {
    const peer = await startProxy({ kind, login: LOGIN });
    const { web, mail } = tunnelsFor(through(peer, kind, LOGIN.userName), { password: 'wrong' });
    const target = { host: 'cloud.test', port: 443 };

    expect(await talk(web, target)).toMatch(/^proxy-login: The proxy refuses the user name or the password/);
    expect(await talk(web, target)).toMatch(/^proxy-login: /);
    expect(await talk(mail, target)).toMatch(/^proxy-login: /);
    expect(peer.connectionCount()).toBe(1);
  });

  it('that wants a login is named where none was given', async () => {
    const peer = await startProxy({ kind, login: LOGIN });

    expect(await talk(tunnelsFor(through(peer, kind)).web, { host: 'cloud.test', port: 443 })).toMatch(
      /^proxy-login: The proxy wants a user name and a password/,
    );
  });

  it('that makes no connection is told apart from one that is not there', async () => {
    const refusing = await startProxy({ kind, refuse: kind === 'http' ? 403 : 2 });
    const gone = await startProxyPeer({ kind });
    await gone.close();
    const target = { host: 'smtp.mail.test', port: 465 };

    expect(await talk(tunnelsFor(through(refusing, kind)).mail, target)).toMatch(
      /^proxy-refused: .*(403 No|NotAllowed)/,
    );
    expect(await talk(tunnelsFor(through(gone, kind)).mail, target)).toMatch(/^proxy-unreachable: .*ECONNREFUSED/);
  });

  it('that never answers ends at the deadline, and at the signal', async () => {
    const silent = createServer((socket) => socket.on('error', () => socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    open.push(silent);
    const { port } = silent.address() as AddressInfo;
    const { web } = tunnelsFor({ kind, host: '127.0.0.1', port });
    const stop = new AbortController();
    const stopped = web({ host: 'a.test', port: 1 }, { deadlineMs: DEADLINE_MS, signal: stop.signal });
    const late = await web({ host: 'a.test', port: 1 }, { deadlineMs: 100, signal: NEVER });
    stop.abort();

    expect(late).toMatchObject({ ok: false, error: { cause: 'timeout' } });
    expect(await stopped).toMatchObject({ ok: false, error: { cause: 'stopped' } });
  });

  it('is not asked for what is on this machine', async () => {
    const port = await startGreeter();
    const peer = await startProxy({ kind, refuse: kind === 'http' ? 403 : 2 });

    expect(await talk(tunnelsFor(through(peer, kind)).web, { host: '127.0.0.1', port })).toBe('220 hello\r\nping');
    expect(peer.connectionCount()).toBe(0);
  });

  it('is asked for nothing that this machine knows to be inside', async () => {
    const peer = await startProxy({ kind });
    const refuse = (address: string) => (address.startsWith('10.') ? 'inside' : null);
    const { web } = tunnelsFor(through(peer, kind));
    const lookup: NonNullable<Target['lookup']> = (_name, _options, done) =>
      done(null, [{ address: '10.1.2.3', family: 4 }]);

    expect(await talk(web, { host: '10.1.2.3', port: 443, refuse })).toBe('forbidden: inside');
    expect(await talk(web, { host: 'rebound.test', port: 443, refuse, lookup })).toBe('forbidden: inside');
    expect(peer.connectionCount()).toBe(0);
  });
});

describe('the ways out', () => {
  it('lead mails past a proxy that a person keeps for the web', async () => {
    const peer = await startProxy({ kind: 'http' });
    const { web, mail } = tunnelsFor({ ...through(peer, 'http'), mail: 'direct' });

    expect(await talk(mail, { host: 'smtp.mail.test', port: 465 })).toMatch(/^dns: /);
    expect(await talk(web, { host: 'smtp.mail.test', port: 1 })).toMatch(/^proxy-refused: .*502/);
  });

  it('ask a proxy script for each server, and try its ways in their order', async () => {
    const port = await startGreeter();
    const good = await startProxy({ kind: 'socks5' });
    const gone = await startProxyPeer({ kind: 'http' });
    await gone.close();
    const asked: unknown[] = [];
    const route = (kind: 'http' | 'socks5', to: ProxyPeer) =>
      ({ kind, host: '127.0.0.1', port: to.port, login: null }) as const;
    const routes: ResolveRoutes = async ({ host }, pacUrl) => {
      asked.push([host, pacUrl]);
      return ok([route('http', gone), route('socks5', good)]);
    };
    const { web, mail } = tunnelsFor({ kind: 'pac', url: 'http://wpad.test/proxy.pac' }, { routes });

    expect(await talk(web, { host: 'cloud.test', port })).toBe('220 hello\r\nping');
    expect(asked).toEqual([['cloud.test', 'http://wpad.test/proxy.pac']]);
    // Made for browsers: mails go past it unless a person says otherwise.
    expect(await talk(mail, { host: 'smtp.mail.test', port })).toMatch(/^dns: /);
  });

  it('say what the computer says where it cannot tell', async () => {
    const routes: ResolveRoutes = async () => ({ ok: false, error: 'The proxy settings cannot be read.' });

    expect(await talk(tunnelsFor({ kind: 'system' }, { routes }).web, { host: 'cloud.test', port: 1 })).toBe(
      'proxy-unreachable: The proxy settings cannot be read.',
    );
  });

  it('name the kind of login that a proxy wants where it is none we speak', async () => {
    const peer = await startProxy({ kind: 'http', login: LOGIN, authenticate: 'NTLM' });
    const { web } = tunnelsFor(through(peer, 'http', 'anna'), { password: 'x' });

    expect(await talk(web, { host: 'cloud.test', port: 443 })).toMatch(/does not speak \(NTLM\)/);
  });
});
