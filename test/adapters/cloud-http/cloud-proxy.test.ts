import { createServer } from 'node:https';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTunnels } from '../../../src/main/adapters/tunnel/open-tunnel.ts';
import { ok } from '../../../src/shared/result.ts';
import { ProxyChoice } from '../../../src/shared/settings.ts';
import { type ProxyPeerOptions, startProxyPeer } from '../../support/proxy-peer.ts';
import { makeCertificates, type ServerCertificate, type TestCertificates } from '../../support/tls-certificates.ts';
import { ALIVE, client, HEARTBEAT, NEVER, sendJson, startCloud } from './fake-cloud.ts';

let certificates: TestCertificates;
beforeAll(async () => {
  certificates = await makeCertificates();
});
const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const LOGIN = { userName: 'anna', password: 'geheim' };

/** A cloud named cloud.test over TLS, whose name only the proxy knows. */
async function setUp(options: ProxyPeerOptions, certificate: ServerCertificate, password = LOGIN.password) {
  const proxy = await startProxyPeer(options);
  const server = await startCloud(
    (_seen, response) => sendJson(response, ALIVE),
    (listener) => createServer({ key: certificate.key, cert: certificate.cert }, listener),
  );
  const tunnels = createTunnels({
    proxy: ProxyChoice.parse({ kind: options.kind, host: '127.0.0.1', port: proxy.port, userName: LOGIN.userName }),
    password: async () => ok(password),
    resolveRoutes: async () => ({ ok: false, error: 'nobody was to be asked' }),
  });
  const { port } = new URL(server.url);
  const cloud = client(`https://cloud.test:${port}`, { ca: certificates.authority, tunnel: tunnels.web });
  open.push(proxy, server, cloud);
  return { proxy, server, cloud };
}

describe.each(['http', 'socks5'] as const)('the cloud behind a %s proxy', (kind) => {
  it('is reached over TLS from end to end', async () => {
    const { proxy, server, cloud } = await setUp({ kind, login: LOGIN }, certificates.behindProxy);

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toEqual(ok(ALIVE));
    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toEqual(ok(ALIVE));
    expect(server.seen).toHaveLength(2);
    // The connection is kept.
    expect(proxy.asked).toEqual([expect.stringMatching(/^cloud\.test:\d+$/)]);
  });

  it("is not spoken to where the certificate is another host's", async () => {
    const { server, cloud } = await setUp({ kind, login: LOGIN }, certificates.good);

    expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
    expect(server.seen).toEqual([]);
  });

  it('is unreachable, with the reason, where the proxy refuses the login or dies', async () => {
    const refused = await setUp({ kind, login: LOGIN }, certificates.behindProxy, 'wrong');
    const cut = await setUp({ kind, login: LOGIN }, certificates.behindProxy);
    await cut.cloud.heartbeat(HEARTBEAT, NEVER);
    await cut.proxy.close();

    expect(await refused.cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({
      error: { kind: 'unreachable', text: expect.stringContaining('refuses the user name or the password') },
    });
    expect(await cut.cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ error: { kind: 'unreachable' } });
  });
});
