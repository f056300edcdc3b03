import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../src/main/adapters/discovery/parse-xml.ts';
import { mailboxOf } from '../../../src/main/core/discovery/found-server.ts';
import { readAutoconfig } from '../../../src/main/core/discovery/read-autoconfig.ts';
import { configXml } from '../../support/config-server.ts';

const WANG = { address: 'wang@office.test', localPart: 'wang', domain: 'office.test' };

function read(xml: string, mailbox = WANG) {
  const parsed = parseXml(xml);
  return parsed.ok ? readAutoconfig(parsed.value, mailbox) : parsed;
}

describe('a client configuration', () => {
  it('names the servers and the user names with the address filled in', () => {
    const xml = configXml({
      imap: [{ host: 'imap.office.test', port: 993, socketType: 'SSL', username: '%EMAILLOCALPART%' }],
      smtp: [
        { host: 'SMTP.office.test', port: 587, socketType: 'STARTTLS', username: '%EMAILLOCALPART%.%EMAILDOMAIN%' },
      ],
    });

    expect(read(xml)).toEqual({
      ok: true,
      value: {
        smtp: { host: 'smtp.office.test', port: 587, security: 'starttls' },
        imap: { host: 'imap.office.test', port: 993, security: 'tls' },
        userName: 'wang.office.test',
        imapUserName: 'wang',
        login: 'password',
      },
    });
  });

  it('is taken by TLS from the start first, and never without TLS', () => {
    const plain = { host: 'plain.office.test', port: 25, socketType: 'plain' };
    const starttls = { host: 'b.office.test', port: 587, socketType: 'STARTTLS' };
    const tls = { host: 'a.office.test', port: 465, socketType: 'SSL' };

    expect(read(configXml({ smtp: [plain, starttls, tls] }))).toMatchObject({
      value: { smtp: { host: 'a.office.test' } },
    });
    expect(read(configXml({ smtp: [plain] }))).toEqual({ ok: false, error: 'no-server' });
    expect(read(configXml({ smtp: [{ ...starttls, port: 465 }] }))).toEqual({ ok: false, error: 'no-server' });
  });

  it('takes a password before a sign-in with the browser, and says where there is only that', () => {
    const oauth = { host: 'o.office.test', port: 465, socketType: 'SSL', authentication: ['OAuth2'] };
    const both = { ...oauth, host: 'b.office.test', authentication: ['OAuth2', 'password-cleartext'] };
    const password = { host: 'p.office.test', port: 587, socketType: 'STARTTLS' };

    expect(read(configXml({ smtp: [oauth] }))).toMatchObject({ value: { login: 'oauth' } });
    expect(read(configXml({ smtp: [both] }))).toMatchObject({ value: { login: 'password' } });
    expect(read(configXml({ smtp: [oauth, password] }))).toMatchObject({
      value: { login: 'password', smtp: { host: 'p.office.test' } },
    });
    expect(read(configXml({ smtp: [{ ...oauth, authentication: ['client-IP-address'] }] }))).toMatchObject({
      ok: false,
    });
  });

  it('is read in whatever shape the parser gives it', () => {
    const server = {
      '@type': 'smtp',
      hostname: { '#text': ' a ', '@lang': 'en' },
      port: 465,
      socketType: 'tls',
      username: '',
      authentication: [{ '#text': 'secure' }, 'OAuth2'],
    };
    const imap = { ...server, '@type': 'imap', username: { '#text': 'wang' }, authentication: undefined };
    const pop3 = { ...imap, '@type': 'pop3', hostname: 'pop.office.test' };
    const config = (outgoingServer: unknown, incomingServer?: unknown) =>
      readAutoconfig({ clientConfig: { emailProvider: { outgoingServer, incomingServer } } }, WANG);

    expect(config(server, [pop3, imap])).toEqual({
      ok: true,
      value: {
        smtp: { host: 'a', port: 465, security: 'tls' },
        imap: { host: 'a', port: 465, security: 'tls' },
        userName: 'wang@office.test',
        imapUserName: 'wang',
        login: 'password',
      },
    });
    expect(config({ ...server, '@type': 'lmtp' })).toEqual({ ok: false, error: 'no-server' });
    expect(config({ ...server, hostname: null })).toEqual({ ok: false, error: 'no-server' });
    expect(config({ ...server, hostname: undefined })).toEqual({ ok: false, error: 'no-server' });
    expect(config(undefined)).toEqual({ ok: false, error: 'no-server' });
    expect(readAutoconfig({ clientConfig: null }, WANG)).toEqual({ ok: false, error: 'unreadable' });
  });

  it.each(['password-cleartext', 'Password-Encrypted', 'plain', 'secure'])('names a password as "%s"', (way) => {
    const server = { host: 'o.office.test', port: 465, socketType: 'SSL', authentication: ['OAuth2', way] };

    expect(read(configXml({ smtp: [server] }))).toMatchObject({ value: { login: 'password' } });
  });

  it('may name other ways to log in beside the browser', () => {
    const server = { host: 'o.office.test', port: 465, socketType: 'SSL', authentication: ['GSSAPI', 'OAuth2'] };

    expect(read(configXml({ smtp: [server] }))).toMatchObject({ value: { login: 'oauth' } });
  });

  it('fills a user name in up to what a login may be long', () => {
    const smtp = [{ host: 'o.office.test', port: 465, socketType: 'SSL', username: '%EMAILLOCALPART%' }];
    const named = (count: number) => {
      const localPart = 'w'.repeat(count);
      const answer = read(configXml({ smtp }), { ...WANG, localPart, address: 'all' });
      return answer.ok ? answer.value.userName : answer.error;
    };

    expect([named(256).length, named(257)]).toEqual([256, 'all']);
  });

  it('passes over servers it cannot read', () => {
    const good = { host: 'smtp.office.test', port: 465, socketType: 'SSL' };
    const bad = [
      { ...good, port: 0 },
      { ...good, port: 70_000 },
      { ...good, host: '-oops' },
      { ...good, host: 'a b' },
      { ...good, host: 'smtp.office.test/path' },
      { ...good, host: '' },
      { ...good, socketType: 'magic' },
    ];

    expect(read(configXml({ smtp: [...bad, good] }))).toMatchObject({ value: { smtp: { host: 'smtp.office.test' } } });
    expect(read(configXml({ smtp: bad }))).toMatchObject({ ok: false });
  });

  it.each(['%REALNAME%', 'a&#10;b\n\u0000c', 'x'.repeat(300)])(
    'takes the address where the user name is %j',
    (username) => {
      const xml = configXml({ smtp: [{ host: 'smtp.office.test', port: 465, socketType: 'SSL', username }] });
      const answer = read(xml);

      if (answer.ok) expect(answer.value.userName).toBe('wang@office.test');
      else expect(answer.error).toBe('no-server');
    },
  );

  it('does not let an address with a dollar sign play with the replacing', () => {
    const xml = configXml({ smtp: [{ host: 'smtp.office.test', port: 465, socketType: 'SSL' }] });
    const mailbox = mailboxOf("$&$'@office.test");
    if (mailbox === null) throw new Error('no address');

    expect(read(xml, mailbox)).toMatchObject({ value: { userName: "$&$'@office.test" } });
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a web page', '<html><body><p>Welcome</p></body></html>'],
    ['JSON', '{"clientConfig":{}}'],
    ['an empty configuration', '<clientConfig/>'],
    ['a provider without servers', '<clientConfig><emailProvider/></clientConfig>'],
    ['a cut document', configXml({ smtp: [] }).slice(0, 80)],
    ['prototype names', '<clientConfig><__proto__><emailProvider/></__proto__></clientConfig>'],
    [
      'servers without a type',
      '<clientConfig><emailProvider><outgoingServer><hostname>a.b</hostname></outgoingServer></emailProvider></clientConfig>',
    ],
  ])('is refused where it is %s', (_, xml) => {
    expect(read(xml).ok).toBe(false);
  });

  it('with a document type is refused before anything of it is read', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${configXml(
      { smtp: [{ host: '&b;', port: 465, socketType: 'SSL' }] },
    ).replace(/^.*?\n/, '')}`;
    const outside = '<!doctype clientConfig SYSTEM "file:///etc/passwd"><clientConfig/>';

    expect(parseXml(bomb)).toEqual({ ok: false, error: 'not-xml' });
    expect(parseXml(outside)).toEqual({ ok: false, error: 'not-xml' });
  });

  it('may be nested deep or have very many elements without harm', () => {
    expect(read('<a>'.repeat(20_000)).ok).toBe(false);
    expect(read(`<clientConfig>${'<x/>'.repeat(20_000)}</clientConfig>`).ok).toBe(false);
    const many = Array.from({ length: 500 }, (_, at) => ({ host: `s${at}.office.test`, port: 465, socketType: 'SSL' }));
    expect(read(configXml({ smtp: many })).ok).toBe(false);
  });
});
