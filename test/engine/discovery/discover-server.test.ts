import { describe, expect, it } from 'vitest';
import { mailboxOf } from '../../../src/main/core/discovery/found-server.ts';
import type { ServiceRecord } from '../../../src/main/core/discovery/service-records.ts';
import { discoverServer, type NotFound } from '../../../src/main/engine/discovery/discover-server.ts';
import type { DiscoveryPorts } from '../../../src/main/engine/discovery/ports.ts';
import { VirtualClock } from '../../support/fakes-clock.ts';

const NEVER = new AbortController().signal;
const LIMIT_MS = 8_000;

type World = {
  readonly receivers?: readonly string[];
  readonly texts?: readonly string[];
  readonly services?: Readonly<Record<string, readonly ServiceRecord[]>>;
  /** Host of a configuration's address, and the mail server it names. */
  readonly configs?: Readonly<Record<string, string>>;
  /** Hosts that answer under TLS. */
  readonly alive?: readonly string[];
  /** Parts of the world that never answer. */
  readonly dead?: readonly Part[];
  /** Hosts of mail servers that never answer. */
  readonly silent?: readonly string[];
  /** There is a network; without a word there is. */
  readonly network?: 'there' | 'none';
};
type Part = 'names' | 'configs' | 'probe' | 'network';

function world(what: World) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  /** Hosts that may read the address, each with the domain whose owner they must belong to. */
  const owners = new Map<string, string>();
  /** What tells each question that nobody waits for it any more. */
  const signals: AbortSignal[] = [];
  const dead = (part: Part): boolean => what.dead?.includes(part) ?? false;
  const never = <T>(): Promise<T> => new Promise(() => undefined);
  const note = <T>(part: Part, question: string, answer: T, signal: AbortSignal): Promise<T> => {
    asked.push(question);
    signals.push(signal);
    return dead(part) ? never() : Promise.resolve(answer);
  };
  const ports: DiscoveryPorts = {
    clock,
    names: {
      receivers: (domain, stop) => note('names', `MX ${domain}`, what.receivers ?? [], stop),
      texts: (domain, stop) => note('names', `TXT ${domain}`, what.texts ?? [], stop),
      services: (name, stop) => note('names', `SRV ${name}`, what.services?.[name] ?? [], stop),
    },
    configs: ({ url, ownDomain }, stop) => {
      const { host, pathname } = new URL(url);
      if (ownDomain !== null) owners.set(host, ownDomain);
      const server = what.configs?.[host + pathname];
      return note('configs', url, server === undefined ? null : configOf(server), stop);
    },
    probe: async (kind, { host, port }, stop) => {
      const isAlive = await note('probe', `${kind} ${host}:${port}`, what.alive?.includes(host) ?? false, stop);
      return what.silent?.includes(host) ? never() : isAlive;
    },
    isOnline: (stop) => note('network', 'network', what.network !== 'none', stop),
  };
  const discover = async (address: string, signal = NEVER) => {
    const mailbox = mailboxOf(address);
    if (mailbox === null) throw new Error(`${address} is no address`);
    const startMs = clock.monotonicMs();
    let ended = false;
    const found = discoverServer(ports, mailbox, signal).finally(() => {
      ended = true;
    });
    await clock.runUntil(() => ended);
    const end = await found;
    const tookMs = clock.monotonicMs() - startMs;
    return end.ok ? { found: end.value, why: null, tookMs } : { found: null, why: end.error, tookMs };
  };
  return { discover, asked, owners, signals, clock };
}

const configOf = (host: string) => ({
  clientConfig: {
    emailProvider: {
      outgoingServer: {
        '@type': 'smtp',
        hostname: host,
        port: '465',
        socketType: 'SSL',
        authentication: 'password-cleartext',
      },
    },
  },
});
const MAIN = 'autoconfig.office.test/mail/config-v1.1.xml';
const WELL_KNOWN = 'office.test/.well-known/autoconfig/mail/config-v1.1.xml';
const ISPDB = 'autoconfig.thunderbird.net/v1.1/office.test';
const record = (name: string): ServiceRecord => ({ name, port: 465, priority: 1, weight: 1 });

describe('the server behind an address', () => {
  it('is a preset by its domain, without a question to anybody', async () => {
    const { discover, asked } = world({ dead: ['names', 'configs', 'probe'] });

    const { found, tookMs } = await discover('wang@qq.com');

    expect(found).toMatchObject({ source: 'preset-domain', from: 'qq', smtp: { host: 'smtp.qq.com' } });
    expect(asked).toEqual([]);
    expect(tookMs).toBe(0);
  });

  it('is a preset by who receives the domain’s mail, and no web server hears of it', async () => {
    const { discover, asked } = world({ receivers: ['mxbiz1.qq.com'], configs: { [MAIN]: 'smtp.office.test' } });

    const { found } = await discover('wang@office.test');

    expect(found).toMatchObject({ source: 'preset-mx', provider: { id: 'exmail' } });
    expect(asked.filter((one) => one.startsWith('https:'))).toEqual([]);
  });

  it('stands behind a filtering gateway where the SPF record says so', async () => {
    const { discover } = world({
      receivers: ['mxa.gslb.pphosted.com'],
      texts: ['v=spf1 include:spf.protection.outlook.com -all'],
    });

    expect((await discover('wang@office.test')).found).toMatchObject({
      source: 'preset-spf',
      smtp: { host: 'smtp.office365.com', port: 587 },
    });
  });

  it('stands behind the gateway also where that is one of several receivers', async () => {
    const { discover } = world({
      receivers: ['mx.office.test', 'mxa.gslb.pphosted.com'],
      texts: ['v=spf1 include:spf.protection.outlook.com -all'],
    });

    expect((await discover('wang@office.test')).found).toMatchObject({ source: 'preset-spf' });
  });

  it.each([[[]], [['mx.office.test']]])('is not read from the SPF record without a gateway: %j', async (receivers) => {
    const { discover } = world({ receivers, texts: ['v=spf1 include:spf.protection.outlook.com -all'] });

    expect((await discover('wang@office.test')).found).toBeNull();
  });

  it('is not looked for at the gateway itself', async () => {
    const { discover, asked } = world({ receivers: ['mxa.gslb.pphosted.com'] });

    await discover('wang@office.test');

    expect(asked.join(' ')).not.toContain('pphosted');
  });

  it('is what the most trusted source says, whichever answers', async () => {
    const all: World = {
      receivers: ['mx1.hoster.test'],
      configs: {
        [MAIN]: 'main.office.test',
        [WELL_KNOWN]: 'well-known.office.test',
        [ISPDB]: 'ispdb.office.test',
        'autoconfig.thunderbird.net/v1.1/hoster.test': 'ispdb.hoster.test',
        'autoconfig.hoster.test/mail/config-v1.1.xml': 'config.hoster.test',
      },
      services: { '_submissions._tcp.office.test': [record('srv.office.test')] },
      alive: ['smtp.office.test'],
    };
    const order = [];
    let configs = { ...all.configs };
    for (const gone of [null, ...Object.keys(configs)]) {
      configs = Object.fromEntries(Object.entries(configs).filter(([place]) => place !== gone));
      const { found } = await world({ ...all, configs }).discover('wang@office.test');
      order.push([found?.source, found?.smtp.host, found?.trust]);
    }
    const guessed = await world({ ...all, configs: {}, services: {} }).discover('wang@office.test');

    expect(order).toEqual([
      ['autoconfig', 'main.office.test', 'take'],
      ['autoconfig', 'well-known.office.test', 'take'],
      ['ispdb', 'ispdb.office.test', 'take'],
      ['mx-ispdb', 'ispdb.hoster.test', 'take'],
      ['mx-autoconfig', 'config.hoster.test', 'ask'],
      ['srv', 'srv.office.test', 'take'],
    ]);
    expect(guessed.found).toMatchObject({ source: 'guess', smtp: { host: 'smtp.office.test', port: 465 }, imap: null });
  });

  it('is read from all the service records that there are', async () => {
    const { discover } = world({
      services: {
        '_submission._tcp.office.test': [{ ...record('smtp.office.test'), port: 587 }],
        '_imaps._tcp.office.test': [{ ...record('imap.office.test'), port: 993 }],
      },
    });

    expect((await discover('wang@office.test')).found).toMatchObject({
      source: 'srv',
      smtp: { host: 'smtp.office.test', port: 587, security: 'starttls' },
      imap: { host: 'imap.office.test', port: 993, security: 'tls' },
    });
  });

  it.each([[[]], [['mx1.office.test']]])('is asked for once in each place where %j receives', async (receivers) => {
    const { discover, asked } = world({ receivers });

    await discover('wang@office.test');

    expect(asked).toEqual([
      'TXT office.test',
      'MX office.test',
      'SRV _submissions._tcp.office.test',
      'SRV _submission._tcp.office.test',
      'SRV _imaps._tcp.office.test',
      'https://autoconfig.office.test/mail/config-v1.1.xml?emailaddress=wang%40office.test',
      'https://office.test/.well-known/autoconfig/mail/config-v1.1.xml',
      'https://autoconfig.thunderbird.net/v1.1/office.test',
      'network',
      'imap imap.office.test:993',
      'smtp smtp.office.test:465',
      'smtp mail.office.test:465',
      'smtp smtp.office.test:587',
      'smtp mail.office.test:587',
    ]);
  });

  it('carries what is known of the provider whose server it is', async () => {
    const { discover } = world({ configs: { [ISPDB]: 'smtp.163.com' } });

    expect((await discover('wang@office.test')).found).toMatchObject({
      source: 'ispdb',
      provider: { id: 'netease-163' },
    });
  });

  it('is guessed by its usual names in their order, with IMAP where that answers too', async () => {
    const { discover } = world({ alive: ['mail.office.test', 'imap.office.test'] });

    expect((await discover('wang@office.test')).found).toMatchObject({
      source: 'guess',
      from: 'mail.office.test',
      smtp: { host: 'mail.office.test', port: 465, security: 'tls' },
      imap: { host: 'imap.office.test' },
    });
  });

  it('is unknown where nothing answers', async () => {
    expect((await world({}).discover('wang@office.test')).why).toBe('unknown');
  });

  it('is not called unknown where there is no network to ask anybody', async () => {
    expect((await world({ network: 'none' }).discover('wang@office.test')).why).toBe('offline');
    expect(
      (await world({ network: 'none', alive: ['smtp.office.test'] }).discover('wang@office.test')).found,
    ).toMatchObject({
      source: 'guess',
    });
    expect((await world({ network: 'none' }).discover('wang@qq.com')).found).toMatchObject({ from: 'qq' });
  });

  it.each<[string, NonNullable<World['dead']>, NotFound]>([
    ['everything', ['names', 'configs', 'probe', 'network'], 'offline'],
    ['the DNS', ['names'], 'unknown'],
    ['every web server', ['configs'], 'unknown'],
    ['every mail server', ['probe'], 'unknown'],
    ['the look for a network', ['network'], 'offline'],
  ])('is answered within 8 s where %s is dead', async (_, dead, expected) => {
    const { why, tookMs } = await world({ dead }).discover('wang@office.test');

    expect(why).toBe(expected);
    expect(tookMs).toBeLessThanOrEqual(LIMIT_MS);
  });

  it('is still found by what lives where the rest is dead', async () => {
    const { found } = await world({ dead: ['names', 'configs'], alive: ['smtp.office.test'] }).discover(
      'wang@office.test',
    );

    expect(found).toMatchObject({ source: 'guess' });
  });

  it('is given up as soon as the person goes away', async () => {
    const { discover } = world({ dead: ['names', 'configs', 'probe'] });

    expect(await discover('wang@office.test', AbortSignal.abort())).toEqual({ found: null, why: 'unknown', tookMs: 0 });
  });

  it.each([
    ['names', 1_000],
    ['configurations', 4_000],
    ['guesses', 6_000],
  ])('is given up at once also while it asks for %s', async (_, atMs) => {
    const { discover, clock } = world({ dead: ['names', 'configs', 'probe', 'network'] });
    const leave = new AbortController();
    clock.timeline.after(atMs, () => leave.abort());

    const end = await discover('wang@office.test', leave.signal);

    expect(end).toEqual({ found: null, why: 'unknown', tookMs: atMs });
  });

  it.each<[string, World]>([
    ['a configuration', { dead: ['names'], configs: { [MAIN]: 'smtp.office.test' } }],
    ['a guess', { dead: ['configs', 'network'], alive: ['smtp.office.test'], silent: ['mail.office.test'] }],
  ])('leaves no question open once it is found by %s', async (_, what) => {
    const { discover, signals } = world(what);

    expect((await discover('wang@office.test')).found).not.toBeNull();

    expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  });
});

describe('the privacy of an address', () => {
  it('is kept: only the domain’s own configuration server reads it, others the domain at most', async () => {
    const { discover, asked, owners } = world({ receivers: ['mx1.hoster.test'] });

    await discover('wang.fang@office.test');

    const told = asked.filter((one) => /wang/i.test(decodeURIComponent(one)));
    expect(told).toEqual(['https://autoconfig.office.test/mail/config-v1.1.xml?emailaddress=wang.fang%40office.test']);
    expect(asked).toContain('https://autoconfig.thunderbird.net/v1.1/office.test');
    expect([...owners]).toEqual([
      ['autoconfig.office.test', 'office.test'],
      ['office.test', 'office.test'],
    ]);
  });
});
