import { createServer } from 'node:https';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImapMailbox } from '../../../src/main/adapters/imap/mailbox.ts';
import { environmentRoutes } from '../../../src/main/adapters/tunnel/environment-routes.ts';
import { createTunnels, type Tunnels } from '../../../src/main/adapters/tunnel/open-tunnel.ts';
import { readPacAnswer } from '../../../src/main/adapters/tunnel/proxy-lists.ts';
import type { ResolveRoutes } from '../../../src/main/adapters/tunnel/tunnel.ts';
import { ok } from '../../../src/shared/result.ts';
import { ProxyChoice } from '../../../src/shared/settings.ts';
import { type ProxyPeer, startProxyPeer } from '../../support/proxy-peer.ts';
import { startScriptedImap } from '../../support/scripted-imap.ts';
import { type ServerCertificate, storeCertificates } from '../../support/tls-certificates.ts';
import { ALIVE, client, HEARTBEAT, NEVER, sendJson, startCloud } from '../cloud-http/fake-cloud.ts';
import { inShort, sendOne } from '../smtp/mailer-harness.ts';

const LOGIN = { userName: 'anna', password: 'geheim' };
const NOBODY: ResolveRoutes = async () => ({ ok: false, error: 'nobody was to be asked' });

let caFile: string;
let authority: string;
let certificate: ServerCertificate;
beforeAll(async () => {
  const certificates = await storeCertificates();
  ({ authority, caFile } = certificates);
  certificate = await certificates.issueFor(['cloud.test', 'smtp.mail.test', 'imap.mail.test']);
  return certificates.remove;
});
const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** How a person or the computer names a proxy, and over which kind of proxy it leads. */
type Way = { readonly over: 'http' | 'socks5'; readonly tunnelsTo: (proxy: ProxyPeer) => Tunnels };

const tunnels = (choice: unknown, resolveRoutes: ResolveRoutes): Tunnels =>
  createTunnels({
    proxy: ProxyChoice.parse(choice),
    password: async () => ok(LOGIN.password),
    resolveRoutes,
  });
const named = (kind: 'http' | 'socks5'): Way => ({
  over: kind,
  tunnelsTo: ({ port }) => tunnels({ kind, host: '127.0.0.1', port, userName: LOGIN.userName }, NOBODY),
});
const WAYS: Readonly<Record<string, Way>> = {
  'an HTTP proxy': named('http'),
  'a SOCKS5 proxy': named('socks5'),
  'the proxy of the system': {
    over: 'http',
    tunnelsTo: ({ port }) =>
      tunnels(
        { kind: 'system', mail: 'through-proxy' },
        environmentRoutes({ HTTPS_PROXY: `http://${LOGIN.userName}:${LOGIN.password}@127.0.0.1:${port}` }),
      ),
  },
  'the proxy of a script': {
    over: 'socks5',
    tunnelsTo: ({ port }) =>
      tunnels(
        { kind: 'pac', url: 'http://wpad.test/x.pac', userName: LOGIN.userName, mail: 'through-proxy' },
        async () => ok(readPacAnswer(`SOCKS5 127.0.0.1:${port}; DIRECT`)),
      ),
  },
};

async function throughProxy({ over, tunnelsTo }: Way): Promise<{ proxy: ProxyPeer; ways: Tunnels }> {
  const proxy = await startProxyPeer({ kind: over, login: LOGIN });
  open.push(proxy);
  return { proxy, ways: tunnelsTo(proxy) };
}

describe.each(Object.entries(WAYS))('%s with a password', (_, way) => {
  it('leads to the cloud', async () => {
    const { proxy, ways } = await throughProxy(way);
    const server = await startCloud(
      (_seen, response) => sendJson(response, ALIVE),
      (listener) => createServer({ key: certificate.key, cert: certificate.cert }, listener),
    );
    const { port } = new URL(server.url);
    const cloud = client(`https://cloud.test:${port}`, { ca: authority, tunnel: ways.web });
    open.push(server, cloud);

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toEqual(ok(ALIVE));
    expect(proxy.asked).toEqual([`cloud.test:${port}`]);
  });

  it('leads to the mail server', async () => {
    const { proxy, ways } = await throughProxy(way);

    const { submission, peer } = await sendOne(
      { certificate, security: 'tls' },
      { server: { host: 'smtp.mail.test', caFile }, mailer: { tunnel: ways.mail } },
    );

    expect(inShort(submission)).toBe('accepted 250');
    expect(proxy.asked).toEqual([`smtp.mail.test:${peer.port}`]);
  });

  it.each(['tls', 'starttls'] as const)("leads to the account's folders over %s", async (security) => {
    const { proxy, ways } = await throughProxy(way);
    const peer = await startScriptedImap({ certificate, security });
    open.push(peer);
    const mailbox = createImapMailbox({
      server: { host: 'imap.mail.test', port: peer.port, security, caFile, userName: null },
      userName: 'anna@example.com',
      version: '1.2.3',
      secret: async () => ok({ kind: 'password', value: 'secret' }),
      tunnel: ways.mail,
    });

    expect(await mailbox.find('sent', ['<a@example.com>'], NEVER)).toEqual(ok({ folder: 'Sent', found: [] }));
    expect(proxy.asked).toEqual([`imap.mail.test:${peer.port}`]);
  });
});
