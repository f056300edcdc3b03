import { describe, expect, it } from 'vitest';
import { domainInAscii, isUnder, mailboxOf } from '../../../src/main/core/discovery/found-server.ts';
import {
  isGateway,
  matchDomain,
  matchReceivers,
  matchSpf,
  presetServer,
  providerOfServer,
} from '../../../src/main/core/discovery/match-provider.ts';
import { PROVIDERS } from '../../../src/shared/providers/providers.ts';

/** Every provider: what leads to it, and where it sends. */
const TABLE: readonly {
  readonly id: string;
  readonly domains: readonly string[];
  readonly receivers: readonly string[];
  readonly smtp: string;
  readonly imap: string;
}[] = [
  {
    id: 'gmail',
    domains: ['gmail.com', 'googlemail.com'],
    receivers: ['gmail-smtp-in.l.google.com', 'alt2.gmail-smtp-in.l.google.com'],
    smtp: 'smtp.gmail.com:465 tls',
    imap: 'imap.gmail.com:993 tls',
  },
  {
    id: 'google-workspace',
    domains: [],
    receivers: ['aspmx.l.google.com', 'alt3.aspmx.l.google.com', 'aspmx5.googlemail.com', 'smtp.google.com'],
    smtp: 'smtp.gmail.com:465 tls',
    imap: 'imap.gmail.com:993 tls',
  },
  {
    id: 'outlook-consumer',
    domains: ['outlook.com', 'hotmail.com', 'live.cn', 'hotmail.co.jp', 'outlook.com.vn'],
    receivers: ['outlook-com.olc.protection.outlook.com'],
    smtp: 'smtp-mail.outlook.com:587 starttls',
    imap: 'outlook.office365.com:993 tls',
  },
  {
    id: 'microsoft365',
    domains: ['onmicrosoft.com'],
    receivers: ['company-example.mail.protection.outlook.com', 'company-example.o-v1.mx.microsoft'],
    smtp: 'smtp.office365.com:587 starttls',
    imap: 'outlook.office365.com:993 tls',
  },
  {
    id: 'microsoft365-21vianet',
    domains: ['partner.onmschina.cn'],
    receivers: ['company-cn.mail.protection.partner.outlook.cn'],
    smtp: 'smtp.partner.outlook.cn:587 starttls',
    imap: 'partner.outlook.cn:993 tls',
  },
  {
    id: 'yahoo',
    domains: ['yahoo.com', 'ymail.com', 'yahoo.com.hk'],
    receivers: ['mta5.am0.yahoodns.net'],
    smtp: 'smtp.mail.yahoo.com:465 tls',
    imap: 'imap.mail.yahoo.com:993 tls',
  },
  {
    id: 'icloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    receivers: ['mx01.mail.icloud.com'],
    smtp: 'smtp.mail.me.com:587 starttls',
    imap: 'imap.mail.me.com:993 tls',
  },
  {
    id: 'zoho',
    domains: ['zoho.com', 'zohomail.com'],
    receivers: [],
    smtp: 'smtp.zoho.com:465 tls',
    imap: 'imap.zoho.com:993 tls',
  },
  {
    id: 'zoho',
    domains: ['zoho.eu'],
    receivers: ['mx.zoho.eu', 'mx2.zohomail.eu'],
    smtp: 'smtp.zoho.eu:465 tls',
    imap: 'imap.zoho.eu:993 tls',
  },
  {
    id: 'zoho',
    domains: ['zohomail.in'],
    receivers: ['mx3.zoho.in'],
    smtp: 'smtp.zoho.in:465 tls',
    imap: 'imap.zoho.in:993 tls',
  },
  {
    id: 'zoho',
    domains: ['zohomail.cn'],
    receivers: ['mx.zoho.com.cn'],
    smtp: 'smtp.zoho.com.cn:465 tls',
    imap: 'imap.zoho.com.cn:993 tls',
  },
  {
    id: 'zoho',
    domains: [],
    receivers: ['mx.zoho.com', 'mx2.zohocorp.com', 'mx.zoho.com.au'],
    smtp: 'smtppro.zoho.com:465 tls',
    imap: 'imap.zoho.com:993 tls',
  },
  {
    id: 'fastmail',
    domains: ['fastmail.com', 'fastmail.cn', 'sent.com'],
    receivers: ['in1-smtp.messagingengine.com'],
    smtp: 'smtp.fastmail.com:465 tls',
    imap: 'imap.fastmail.com:993 tls',
  },
  {
    id: 'proton-bridge',
    domains: ['proton.me', 'pm.me'],
    receivers: ['mail.protonmail.ch', 'mailsec.protonmail.ch'],
    smtp: '127.0.0.1:1025 starttls',
    imap: '127.0.0.1:1143 starttls',
  },
  {
    id: 'gmx',
    domains: ['gmx.net', 'gmx.de', 'gmx.ch'],
    receivers: ['mx00.emig.gmx.net', 'mx01.gmx.net'],
    smtp: 'mail.gmx.net:465 tls',
    imap: 'imap.gmx.net:993 tls',
  },
  {
    id: 'gmx',
    domains: ['gmx.com', 'gmx.co.uk', 'gmx.cn'],
    receivers: ['mx00.gmx.com'],
    smtp: 'mail.gmx.com:465 tls',
    imap: 'imap.gmx.com:993 tls',
  },
  {
    id: 'yandex',
    domains: ['yandex.ru', 'ya.ru', 'narod.ru'],
    receivers: ['mx.yandex.net', 'mx.yandex.ru'],
    smtp: 'smtp.yandex.com:465 tls',
    imap: 'imap.yandex.com:993 tls',
  },
  {
    id: 'qq',
    domains: ['qq.com', 'vip.qq.com'],
    receivers: ['mx1.qq.com', 'mx3.qq.com'],
    smtp: 'smtp.qq.com:465 tls',
    imap: 'imap.qq.com:993 tls',
  },
  {
    id: 'foxmail',
    domains: ['foxmail.com'],
    receivers: [],
    smtp: 'smtp.qq.com:465 tls',
    imap: 'imap.qq.com:993 tls',
  },
  {
    id: 'exmail',
    domains: ['exmail.qq.com'],
    receivers: ['mxbiz1.qq.com', 'mxbiz2.qq.com'],
    smtp: 'smtp.exmail.qq.com:465 tls',
    imap: 'imap.exmail.qq.com:993 tls',
  },
  {
    id: 'netease-163',
    domains: ['163.com'],
    receivers: ['163mx01.mxmail.netease.com'],
    smtp: 'smtp.163.com:465 tls',
    imap: 'imap.163.com:993 tls',
  },
  {
    id: 'netease-126',
    domains: ['126.com'],
    receivers: ['126mx00.mxmail.netease.com'],
    smtp: 'smtp.126.com:465 tls',
    imap: 'imap.126.com:993 tls',
  },
  {
    id: 'netease-yeah',
    domains: ['yeah.net'],
    receivers: ['yeahmx01.mxmail.netease.com'],
    smtp: 'smtp.yeah.net:465 tls',
    imap: 'imap.yeah.net:993 tls',
  },
  {
    id: 'netease-qiye',
    domains: ['qiye.163.com'],
    receivers: ['qiye163mx01.mxmail.netease.com', 'hzmx01.mxmail.netease.com', 'mx.ym.163.com'],
    smtp: 'smtp.qiye.163.com:465 tls',
    imap: 'imap.qiye.163.com:993 tls',
  },
  {
    id: 'aliyun',
    domains: ['aliyun.com', 'alibaba.com'],
    receivers: ['mx2.mail.aliyun.com'],
    smtp: 'smtp.aliyun.com:465 tls',
    imap: 'imap.aliyun.com:993 tls',
  },
  {
    id: 'aliyun-qiye',
    domains: [],
    receivers: ['mx1.qiye.aliyun.com', 'mx2.hk.aliyun.com', 'mxn.mxhichina.com'],
    smtp: 'smtp.qiye.aliyun.com:465 tls',
    imap: 'imap.qiye.aliyun.com:993 tls',
  },
  {
    id: 'sina',
    domains: ['sina.com', 'sina.cn'],
    receivers: ['freemx1.sinamail.sina.com.cn'],
    smtp: 'smtp.sina.com:465 tls',
    imap: 'imap.sina.com:993 tls',
  },
  {
    id: 'sina',
    domains: ['vip.sina.com'],
    receivers: [],
    smtp: 'smtp.vip.sina.com:465 tls',
    imap: 'imap.vip.sina.com:993 tls',
  },
  {
    id: 'sohu',
    domains: ['sohu.com'],
    receivers: ['sohumx1.h.a.sohu.com'],
    smtp: 'smtp.sohu.com:465 tls',
    imap: 'imap.sohu.com:993 tls',
  },
  {
    id: '139',
    domains: ['139.com'],
    receivers: ['mx1.mail.139.com'],
    smtp: 'smtp.139.com:465 tls',
    imap: 'imap.139.com:993 tls',
  },
  {
    id: '189',
    domains: ['189.cn'],
    receivers: ['mta-189.21cn.com'],
    smtp: 'smtp.189.cn:465 tls',
    imap: 'imap.189.cn:993 tls',
  },
  {
    id: 'feishu',
    domains: [],
    receivers: ['mx1.feishu.cn', 'mx3.feishu.cn'],
    smtp: 'smtp.feishu.cn:465 tls',
    imap: 'imap.feishu.cn:993 tls',
  },
  {
    id: 'lark',
    domains: [],
    receivers: ['mx1.larksuite.com', 'mx2.onlarksuite.com'],
    smtp: 'smtp.larksuite.com:465 tls',
    imap: 'imap.larksuite.com:993 tls',
  },
  {
    id: 'huawei-sparkspace',
    domains: [],
    receivers: ['mx1.sparkspace.huaweicloud.com'],
    smtp: 'smtp.sparkspace.huaweicloud.com:465 tls',
    imap: 'imap.sparkspace.huaweicloud.com:993 tls',
  },
];

function mailbox(address: string) {
  const found = mailboxOf(address);
  if (found === null) throw new Error(`${address} is no address`);
  return found;
}

const shown = (server: { host: string; port: number; security: string } | null) =>
  server === null ? null : `${server.host}:${server.port} ${server.security}`;

describe('a preset', () => {
  const byDomain = TABLE.flatMap((row) => row.domains.map((domain) => ({ ...row, domain })));
  it.each(byDomain)('$id is found by the domain $domain', ({ id, domain, smtp, imap }) => {
    const match = matchDomain(domain, PROVIDERS);
    if (match === null) throw new Error(`nothing for ${domain}`);
    const server = presetServer(match, mailbox(`wang@${domain}`), 'preset-domain');

    expect({ id: match.provider.id, smtp: shown(server.smtp), imap: shown(server.imap) }).toEqual({ id, smtp, imap });
    expect(server).toMatchObject({ from: id, trust: 'take', userName: `wang@${domain}` });
  });

  const byReceiver = TABLE.flatMap((row) => row.receivers.map((receiver) => ({ ...row, receiver })));
  it.each(byReceiver)('$id is found by the receiving server $receiver', ({ id, receiver, smtp, imap }) => {
    const match = matchReceivers(['mx.elsewhere.example', receiver], PROVIDERS);
    if (match === null) throw new Error(`nothing for ${receiver}`);
    const server = presetServer(match, mailbox('wang@company.example'), 'preset-mx');

    expect({ id: match.provider.id, smtp: shown(server.smtp), imap: shown(server.imap) }).toEqual({ id, smtp, imap });
  });

  it('stands in the table, each but the one for unknown servers', () => {
    const known = PROVIDERS.map(({ id }) => id).filter((id) => id !== 'generic');

    expect(new Set(TABLE.map(({ id }) => id))).toEqual(new Set(known));
    expect(PROVIDERS).toHaveLength(29);
  });

  it('is not found by a name that merely ends alike', () => {
    expect(matchReceivers(['mx.notgoogle.com', 'mx1.qq.com.evil.example', 'xmx1.qq.com'], PROVIDERS)).toBeNull();
    expect(matchDomain('fakeqq.com', PROVIDERS)).toBeNull();
    expect(matchDomain('mail.qq.com', PROVIDERS)).toBeNull();
  });

  it('has its own user name for IMAP where the provider wants the local part', () => {
    const match = matchDomain('icloud.com', PROVIDERS);
    if (match === null) throw new Error('nothing for icloud.com');

    expect(presetServer(match, mailbox('wang@icloud.com'), 'preset-domain')).toMatchObject({
      userName: 'wang@icloud.com',
      imapUserName: 'wang',
    });
  });

  it('has no IMAP server where none is known', () => {
    const match = matchDomain('qq.com', PROVIDERS);
    if (match === null) throw new Error('nothing for qq.com');
    const wang = mailbox('wang@qq.com');

    expect(presetServer(match, wang, 'preset-domain')).toMatchObject({ imapUserName: 'wang@qq.com' });
    expect(presetServer({ ...match, site: { ...match.site, imap: null } }, wang, 'preset-domain').imap).toBeNull();
    expect(() => presetServer({ ...match, site: { ...match.site, smtp: [] } }, wang, 'preset-domain')).toThrow('qq');
  });

  it.each([
    ['smtp.qq.com', 'qq'],
    ['SMTP.QQ.com', 'qq'],
    ['smtp.office365.com', 'microsoft365'],
    ['smtp.zoho.eu', 'zoho'],
    ['smtp.example.com', null],
  ])('is known by its server %s: %s', (host, id) => {
    expect(providerOfServer({ host, port: 465 }, PROVIDERS)?.id ?? null).toBe(id);
  });

  it('is known by a server of any of its sites, first by one that it names first', () => {
    const [outlook] = PROVIDERS.filter(({ id }) => id === 'outlook-consumer');
    const [business] = PROVIDERS.filter(({ id }) => id === 'microsoft365');
    const [site] = business?.sites ?? [];
    const [other] = outlook?.sites ?? [];
    if (outlook === undefined || business === undefined || site === undefined || other === undefined) {
      throw new Error('no presets of Microsoft');
    }
    const server = { host: 'smtp.office365.com', port: 587 };
    const apart = { ...other, smtp: other.smtp.slice(0, 1) };

    expect(providerOfServer(server, [outlook])).toBe(outlook);
    const onSecond = { ...outlook, sites: [apart, other] };
    expect(providerOfServer(server, [onSecond])).toBe(onSecond);
    const named = { ...business, sites: [apart, site] };
    expect(providerOfServer(server, [outlook, named])).toBe(named);
  });

  it('says where only a sign-in with the browser works', () => {
    const logins = Object.fromEntries(
      ['outlook.com', 'gmail.com', 'qq.com'].map((domain) => {
        const match = matchDomain(domain, PROVIDERS);
        return [domain, match === null ? null : presetServer(match, mailbox(`a@${domain}`), 'preset-domain').login];
      }),
    );

    expect(logins).toEqual({ 'outlook.com': 'oauth', 'gmail.com': 'password', 'qq.com': 'password' });
  });
});

describe('a filtering gateway', () => {
  it.each([
    'mxa-00123.gslb.pphosted.com',
    'eu-smtp-inbound-1.mimecast.com',
    'd1234.ess.barracudanetworks.com',
    'cluster1.eu.messagelabs.com',
    'mx1.hc1.iphmx.com',
    'in.hes.trendmicro.eu',
    'mx1.antispamcloud.com',
    'mx1-us1.ppe-hosted.com',
  ])('%s is recognised', (receiver) => {
    expect(isGateway(receiver)).toBe(true);
    expect(matchReceivers([receiver], PROVIDERS)).toBeNull();
  });

  it('is no gateway where only the name is alike', () => {
    expect(isGateway('mx.notpphosted.com')).toBe(false);
  });

  it.each([
    'mx.pphosted.com',
    'mx.mimecast.cn',
    'mx.barracudanetworks.com',
    'mx.messagelabs.com',
    'mx.iphmx.com',
    'mx.trendmicro.com',
    'mx.antispamcloud.com',
    'mx.ppe-hosted.com',
  ])('is no gateway where %s only begins the name', (receiver) => {
    expect(isGateway(receiver)).toBe(true);
    expect(isGateway(`${receiver}.office.test`)).toBe(false);
  });
});

describe('a server', () => {
  it.each([
    ['smtp.QQ.com', 465, 'qq'],
    ['smtp.qq.com', 2525, 'qq'],
    ['127.0.0.1', 1025, 'proton-bridge'],
    ['127.0.0.1', 2525, null],
    ['smtp.nobody.example', 465, null],
  ])('%s, port %i is of: %s', (host, port, id) => {
    expect(providerOfServer({ host, port }, PROVIDERS)?.id ?? null).toBe(id);
  });
});

describe('an SPF record', () => {
  it.each([
    ['v=spf1 include:spf.protection.outlook.com -all', 'microsoft365'],
    ['v=spf1 include:_spf.google.com ~all', 'google-workspace'],
    ['V=SPF1 ip4:192.0.2.1 INCLUDE:spf.mail.qq.com. ~all', 'exmail'],
    ['v=spf1 redirect=spf.qiye.aliyun.com', 'aliyun-qiye'],
    ['v=spf1 include:zoho.eu -all', 'zoho'],
    ['v=spf1  ?include:zoho.eu\t-all', 'zoho'],
  ])('%s hints at %s', (record, id) => {
    expect(matchSpf(['google-site-verification=1', record], PROVIDERS)?.provider.id).toBe(id);
  });

  it('hints at the data centre that serves companies', () => {
    const [exmail] = PROVIDERS.filter(({ id }) => id === 'exmail');
    const [site] = exmail?.sites ?? [];
    if (exmail === undefined || site === undefined) throw new Error('no exmail');
    const own = { ...site, domains: ['own.example'] };
    const companies = { ...site, domains: [] };
    const record = 'v=spf1 include:spf.mail.qq.com ~all';
    const siteOf = (sites: readonly (typeof site)[]) => matchSpf([record], [{ ...exmail, sites: [...sites] }])?.site;

    expect(siteOf([own, companies])).toBe(companies);
    expect(siteOf([own])).toBe(own);
    expect(siteOf([])).toBeUndefined();
    expect(matchSpf(['v=spf1', record], PROVIDERS)).toBeNull();
    expect(matchSpf(['not v=spf1 at all', record], PROVIDERS)?.provider.id).toBe('exmail');
  });

  it.each([
    ['names two mailbox providers', 'v=spf1 include:_spf.google.com include:spf.protection.outlook.com -all'],
    ['names an unknown one', 'v=spf1 include:sendgrid.net -all'],
    ['excludes it', 'v=spf1 -include:_spf.google.com ~all'],
    ['is another record', 'spf2.0/pra include:_spf.google.com'],
  ])('that %s hints at nothing', (_, record) => {
    expect(matchSpf([record], PROVIDERS)).toBeNull();
  });
});

describe('an address', () => {
  it.each([
    ['Wang@QQ.com ', 'qq.com'],
    ['李@例子.公司', 'xn--fsqu00a.xn--55qx5d'],
    ['"a@b"@office.example', 'office.example'],
    ['wang@office.example.', 'office.example'],
    ['wang@office.x2', 'office.x2'],
    [`${'w'.repeat(307)}@office.example`.slice(-320), 'office.example'],
  ])('%s has the domain %s', (address, domain) => {
    expect(mailboxOf(address)?.domain).toBe(domain);
  });

  it.each([
    'wang',
    'wang@qq',
    '@qq.com',
    'wang@127.0.0.1',
    'a@0x7f.1',
    'a@b.example/x',
    'a@b.example:80',
    'a@b.example?x',
    'a@-b.example',
    'a@b..example',
    'a@user@',
    'a@b_c.example',
    `${'w'.repeat(306)}@office.example`,
    '',
  ])('%s has none', (address) => {
    expect(mailboxOf(address)).toBeNull();
  });
});

describe('a domain name', () => {
  const long = (last: number): string => `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(last)}`;

  it('has 253 characters at most', () => {
    expect(domainInAscii(long(61))).toBe(long(61));
    expect(domainInAscii(long(62))).toBeNull();
  });

  it('holds itself and every name under it', () => {
    const hosts = ['office.test', 'mx.office.test', 'notoffice.test', 'test'];

    expect(hosts.filter((host) => isUnder(host, 'office.test'))).toEqual(['office.test', 'mx.office.test']);
  });
});
