import { beforeAll, describe, expect, it } from 'vitest';
import { createTunnels } from '../../../src/main/adapters/tunnel/open-tunnel.ts';
import { ok } from '../../../src/shared/result.ts';
import { ProxyChoice } from '../../../src/shared/settings.ts';
import { type ProxyPeer, type ProxyPeerOptions, startProxyPeer } from '../../support/proxy-peer.ts';
import { type PeerOptions, silence } from '../../support/scripted-smtp.ts';
import { type StoredCertificates, storeCertificates } from '../../support/tls-certificates.ts';
import { inShort, type Sending, sendOne } from './mailer-harness.ts';

let certificates: StoredCertificates;
let caFile: string;

beforeAll(async () => {
  certificates = await storeCertificates();
  caFile = certificates.caFile;
  return certificates.remove;
});

const LOGIN = { userName: 'anna', password: 'geheim' };
type Case = {
  readonly proxy: ProxyPeerOptions;
  readonly password?: string;
  readonly peer: PeerOptions;
  readonly sending?: (proxy: ProxyPeer) => Sending;
};

/** One mail to a server whose name only the proxy knows. */
async function sendThrough({ proxy, password, peer, sending }: Case) {
  const way = await startProxyPeer(proxy);
  try {
    const choice = ProxyChoice.parse({
      kind: proxy.kind,
      host: '127.0.0.1',
      port: way.port,
      userName: proxy.login?.userName ?? null,
    });
    const tunnels = createTunnels({
      proxy: choice,
      password: async () => ok(password ?? LOGIN.password),
      resolveRoutes: async () => ({ ok: false, error: 'nobody was to be asked' }),
    });
    const sent = await sendOne(
      { certificate: certificates.behindProxy, ...peer },
      { server: { host: 'smtp.mail.test', caFile }, mailer: { tunnel: tunnels.mail } },
      sending?.(way),
    );
    return { ...sent, asked: [...way.asked] };
  } finally {
    await way.close();
  }
}

const WAYS = (['http', 'socks5'] as const).flatMap((kind) =>
  (['tls', 'starttls'] as const).map((security) => ({ kind, security })),
);

describe.each(WAYS)('a mail over $security through a $kind proxy', ({ kind, security }) => {
  it('is accepted by the server behind it', async () => {
    const { submission, peer, asked } = await sendThrough({ proxy: { kind, login: LOGIN }, peer: { security } });

    expect(inShort(submission)).toBe('accepted 250');
    expect(asked).toEqual([`smtp.mail.test:${peer.port}`]);
  });

  it("is not given to a server with another host's certificate", async () => {
    const { submission, peer } = await sendThrough({
      proxy: { kind },
      peer: { security, certificate: certificates.good },
    });

    expect(inShort(submission)).toBe('broken tls certificate');
    expect(peer.commands.filter((line) => line.startsWith('AUTH'))).toEqual([]);
  });

  it('may have been sent where the proxy dies after the gate', async () => {
    const { submission, stages, peer } = await sendThrough({
      proxy: { kind },
      peer: { security, script: { endOfData: silence } },
      sending: (proxy) => ({
        onStage: (stage) => {
          // The end of the mail gets a moment to arrive; nobody will know whether it did.
          if (stage === 'handed-over') setTimeout(proxy.cut, 200);
        },
      }),
    });

    expect(inShort(submission)).toBe('broken handed-over dropped');
    expect(stages.at(-1)).toBe('handed-over');
    expect(peer.endOfDataCount).toBeLessThanOrEqual(1);
  });

  it('was certainly not sent where the proxy dies before the gate', async () => {
    const { submission, peer } = await sendThrough({
      proxy: { kind },
      peer: { security },
      sending: (proxy) => ({
        gate: async () => {
          proxy.cut();
          await new Promise((resolve) => setTimeout(resolve, 200));
          return 'open';
        },
      }),
    });

    expect(inShort(submission)).toBe('broken body dropped');
    expect(peer.endOfDataCount).toBe(0);
  });
});

describe('a mail through a proxy', () => {
  it.each([
    ['wrong password', { kind: 'http', login: LOGIN }, 'wrong', 'broken connect proxy-login'],
    ['wrong password', { kind: 'socks5', login: LOGIN }, 'wrong', 'broken connect proxy-login'],
    ['refusal', { kind: 'http', refuse: 403 }, undefined, 'broken connect proxy-refused'],
    ['refusal', { kind: 'socks5', refuse: 2 }, undefined, 'broken connect proxy-refused'],
  ] as const)('is not begun after a %s of %j', async (_title, proxy, password, end) => {
    const { submission, peer } = await sendThrough({
      proxy,
      peer: { security: 'tls' },
      ...(password === undefined ? {} : { password }),
    });

    expect(inShort(submission)).toBe(end);
    expect(peer.connectionCount).toBe(0);
  });
});
