import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createConfigSource, type FetchConfigOptions } from '../../../src/main/adapters/discovery/fetch-config.ts';
import { createNameLookups } from '../../../src/main/adapters/discovery/name-lookups.ts';
import { createProbe } from '../../../src/main/adapters/discovery/probe-server.ts';
import { ConfigServer, configXml } from '../../support/config-server.ts';
import { DnsServer } from '../../support/dns-server.ts';
import { freePorts } from '../../support/free-ports.ts';
import { ScriptedSmtp, silence } from '../../support/scripted-smtp.ts';
import { makeCertificates, type ServerCertificate, type TestCertificates } from '../../support/tls-certificates.ts';

const NEVER = new AbortController().signal;
const WANG = { address: 'wang@office.test', localPart: 'wang', domain: 'office.test' };
const XML = configXml({ smtp: [{ host: 'smtp.office.test', port: 465, socketType: 'SSL' }] });
const HOSTS = ['autoconfig.office.test', 'office.test', 'elsewhere.test', 'autoconfig.thunderbird.net'];

let certificates: TestCertificates;
let forHosts: ServerCertificate;
let server: ConfigServer;
const ended: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  certificates = await makeCertificates();
  forHosts = await certificates.issueFor(HOSTS);
});
beforeEach(async () => {
  server = await ConfigServer.start(forHosts);
});
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
  await server.close();
});

/** Every name is this machine. */
const here: LookupFunction = (_, options, done) =>
  options.all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

function ask(url: string, options: Partial<FetchConfigOptions> & { readonly ownDomain?: string | null } = {}) {
  const source = createConfigSource({ lookup: here, addresses: 'any', authority: certificates.authority, ...options });
  ended.push(() => source.close());
  const ownDomain = options.ownDomain === undefined ? 'office.test' : options.ownDomain;
  return source({ url, ownDomain, mailbox: WANG }, NEVER);
}
const at = (place: string): string => place.replace('/', `:${server.port}/`);
const MAIN = 'autoconfig.office.test/config.xml';

describe('a configuration from the web', () => {
  it('is read over https', async () => {
    server.on(MAIN, XML);

    expect(await ask(`https://${at(MAIN)}?emailaddress=wang%40office.test`)).toMatchObject({ clientConfig: {} });
    expect(server.asked).toEqual(['autoconfig.office.test/config.xml?emailaddress=wang%40office.test']);
  });

  it.each([
    ['without https', 'http://', {}],
    ['with an unknown authority', 'https://', { authority: null }],
  ])('is not read %s', async (_, scheme, options) => {
    server.on(MAIN, XML);

    expect(await ask(`${scheme}${at(MAIN)}`, options)).toBeNull();
    expect(server.asked).toEqual([]);
  });

  it('is not read from a host whose certificate names another', async () => {
    server.on('other.office.test/config.xml', XML);

    expect(await ask(`https://${at('other.office.test/config.xml')}`)).toBeNull();
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['a name that leads to this machine', MAIN],
    ['an address of this machine', '127.0.0.1/config.xml'],
    ['its other address', '[::1]/config.xml'],
  ])('is not read from %s, unless the person named the DNS server', async (_, place) => {
    server.on(MAIN, XML);

    expect(await ask(`https://${at(place)}`, { addresses: 'public' })).toBeNull();
    expect(server.asked).toEqual([]);
  });

  it('is followed over redirects, at most three', async () => {
    const step = (from: number): string => `autoconfig.office.test/${from}`;
    for (const hop of [1, 2, 3, 4]) {
      server.on(step(hop), (_, response) => void response.writeHead(302, { location: `/${hop + 1}` }).end());
    }
    server.on(step(5), XML);

    expect(await ask(`https://${at(step(2))}`)).not.toBeNull();
    expect(await ask(`https://${at(step(1))}`)).toBeNull();
  });

  it('loses its query, and with it the address, where a redirect leads out of the domain', async () => {
    server.on(MAIN, (request, response) => {
      const query = new URL(request.url ?? '', 'https://x.test').search;
      response.writeHead(302, { location: `https://${at('elsewhere.test/config.xml')}${query}` }).end();
    });
    server.on('elsewhere.test/config.xml', XML);

    expect(await ask(`https://${at(MAIN)}?emailaddress=wang%40office.test`)).not.toBeNull();
    expect(server.asked.at(-1)).toBe('elsewhere.test/config.xml');
  });

  it.each([
    ['the address in its path', () => `https://${at('elsewhere.test/Wang%40office.test/config.xml')}`],
    ['no encryption', () => `http://${at('elsewhere.test/config.xml')}`],
    ['a login', () => `https://user:pass@${at('elsewhere.test/config.xml')}`],
    ['another scheme', () => 'file:///etc/passwd'],
    ['nonsense', () => 'https://[oops'],
  ])('is not followed to a redirect with %s', async (_, location) => {
    server.on(MAIN, (_request, response) => void response.writeHead(302, { location: location() }).end());

    expect(await ask(`https://${at(MAIN)}`)).toBeNull();
    expect(server.asked).toHaveLength(1);
  });

  it('is not followed from outside to an address of this machine', async () => {
    server.on(
      MAIN,
      (_, response) => void response.writeHead(302, { location: `https://127.0.0.1:${server.port}/` }).end(),
    );
    // The first hop passes as a public name would; the redirect is judged by itself.
    const redirect = await ask(`https://127.0.0.1:${server.port}/`, { addresses: 'public' });

    expect(redirect).toBeNull();
    expect(server.asked).toEqual([]);
  });

  it.each<[string, (server: ConfigServer) => void]>([
    ['larger than any configuration', () => server.on(MAIN, `${XML}<!-- ${'x'.repeat(200_000)} -->`)],
    [
      'endless',
      () =>
        server.on(MAIN, (_, response) => {
          const timer = setInterval(() => response.write('x'.repeat(64 * 1024)), 1);
          response.once('close', () => clearInterval(timer));
        }),
    ],
    [
      'compressed though not asked for',
      () => server.on(MAIN, (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')),
    ],
    [
      'behind endless headers',
      () => server.on(MAIN, (_, response) => void response.writeHead(200, { 'x-filler': 'x'.repeat(12_000) }).end(XML)),
    ],
    [
      'cut off',
      () =>
        server.on(MAIN, (_, response) => {
          response.writeHead(200, { 'content-length': '100000' });
          response.write(XML, () => response.destroy());
        }),
    ],
    ['an error', () => server.on(MAIN, (_, response) => void response.writeHead(500).end(XML))],
    ['a web page', () => server.on(MAIN, '<!doctype html><html><body>Welcome</body></html>')],
  ])('is nothing where the answer is %s', async (_, prepare) => {
    prepare(server);

    expect(await ask(`https://${at(MAIN)}`)).toBeNull();
  });

  it('is given up when the signal says so', async () => {
    server.on(MAIN, () => undefined);
    const source = createConfigSource({ lookup: here, addresses: 'any', authority: certificates.authority });
    ended.push(() => source.close());
    const stop = new AbortController();

    const answer = source({ url: `https://${at(MAIN)}`, ownDomain: null, mailbox: WANG }, stop.signal);
    while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();

    expect(await answer).toBeNull();
  });
});

describe('questions to the DNS', () => {
  let dns: DnsServer;
  afterEach(() => dns.close());

  it('are asked of the servers named, and answered in order', async () => {
    dns = await DnsServer.start({
      'office.test': {
        mx: [
          { priority: 20, exchange: 'MX2.hoster.test.' },
          { priority: 10, exchange: 'mx1.hoster.test' },
        ],
        txt: ['v=spf1 include:spf.mail.qq.com ~all'],
      },
      '_submissions._tcp.office.test': { srv: [{ priority: 1, weight: 5, port: 465, name: 'smtp.office.test' }] },
      'autoconfig.office.test': { a: ['127.0.0.1'] },
    });
    const names = createNameLookups([dns.address]);
    const lookup = (host: string) =>
      new Promise((resolve) =>
        names.lookup(host, { all: true }, (error, addresses) => resolve(error?.code ?? addresses)),
      );

    expect(await names.receivers('office.test', NEVER)).toEqual(['mx1.hoster.test', 'mx2.hoster.test']);
    expect(await names.texts('office.test', NEVER)).toEqual(['v=spf1 include:spf.mail.qq.com ~all']);
    expect(await names.services('_submissions._tcp.office.test', NEVER)).toEqual([
      { priority: 1, weight: 5, port: 465, name: 'smtp.office.test' },
    ]);
    expect(await names.receivers('nobody.test', NEVER)).toEqual([]);
    expect(await lookup('autoconfig.office.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(await lookup('nobody.test')).toBe('ENOTFOUND');
  });

  it('know whether anybody answered, be it that there is no such name', async () => {
    dns = await DnsServer.start({});
    const answered = createNameLookups([dns.address]);
    const [port] = await freePorts(1);
    const gone = createNameLookups([`127.0.0.1:${port}`]);
    for (const names of [answered, gone]) expect(names.hasAnswer()).toBe(false);
    for (const names of [answered, gone]) expect(await names.receivers('office.test', NEVER)).toEqual([]);

    expect([answered.hasAnswer(), gone.hasAnswer()]).toEqual([true, false]);
  });

  it('are given up when the signal says so, and answer nothing', async () => {
    dns = await DnsServer.start({});
    dns.fallSilent();
    const stop = new AbortController();
    const answer = createNameLookups([dns.address]).receivers('office.test', stop.signal);
    while (dns.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();

    expect(await answer).toEqual([]);
    expect(await createNameLookups([dns.address]).receivers('office.test', stop.signal)).toEqual([]);
  });
});

describe('a guessed server', () => {
  let folder: string;
  let caFile: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-probe-'));
    caFile = path.join(folder, 'ca.pem');
    await writeFile(caFile, certificates.authority);
    return () => rm(folder, { recursive: true });
  });

  const probe = async (security: 'tls' | 'starttls', certificate: ServerCertificate, host = 'localhost') => {
    const peer = await ScriptedSmtp.start({ security, certificate });
    ended.push(() => peer.close());
    const answer = await createProbe(caFile)('smtp', { host, port: peer.port, security }, NEVER);
    return { answer, commands: peer.commands };
  };

  it.each(['tls', 'starttls'] as const)(
    'counts where it answers under %s with a valid certificate',
    async (security) => {
      const { answer, commands } = await probe(security, certificates.good);

      expect(answer).toBe(true);
      expect(commands.join(' ')).not.toMatch(/AUTH|MAIL|wang/);
    },
  );

  it.each(['otherHost', 'expired', 'selfSigned'] as const)(
    'does not count with a certificate that is %s',
    async (kind) => {
      expect((await probe('tls', certificates[kind])).answer).toBe(false);
    },
  );

  it('does not count where nobody answers, or says nothing until the signal ends it', async () => {
    const peer = await ScriptedSmtp.start({
      security: 'tls',
      certificate: certificates.good,
      script: { greeting: silence },
    });
    ended.push(() => peer.close());
    const stop = new AbortController();
    const silent = createProbe(caFile)('smtp', { host: 'localhost', port: peer.port, security: 'tls' }, stop.signal);
    while (peer.connectionCount === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();

    expect(await silent).toBe(false);
    expect(await createProbe(caFile)('smtp', { host: 'localhost', port: 1, security: 'tls' }, NEVER)).toBe(false);
  });

  it('counts for IMAP by its certificate', async () => {
    const peer = await ConfigServer.start(certificates.good);
    ended.push(() => peer.close());
    const server = { host: 'localhost', port: peer.port, security: 'tls' } as const;

    expect(await createProbe(caFile)('imap', server, NEVER)).toBe(true);
    expect(await createProbe(null)('imap', server, NEVER)).toBe(false);
  });
});
