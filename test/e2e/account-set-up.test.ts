import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/main/headless/exit-codes.ts';
import { DataFolder, lastObject } from '../headless/command-line.ts';
import { ConfigServer, configXml } from '../support/config-server.ts';
import { DnsServer } from '../support/dns-server.ts';
import { type MailServers, startMailServers } from '../support/mail-servers.ts';
import { ScriptedSmtp, say } from '../support/scripted-smtp.ts';
import { makeCertificates } from '../support/tls-certificates.ts';

/**
 * Real mail servers, each found in its own way: Postfix by the configuration of its domain, Exim by service records,
 * Dovecot by its domain's well-known place. And a scripted one by what the provider publishes that receives the mail.
 */
let servers: MailServers;
let hoster: ScriptedSmtp;
let web: ConfigServer;
let dns: DnsServer;
let bundle: string;
let folder: DataFolder;
let shared: DataFolder;
// A place of its own, because the web's port is a fixed one.
const webAddress = `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;

beforeAll(async () => {
  shared = await DataFolder.make();
  servers = await startMailServers({ exim: true });
  const certificates = await makeCertificates();
  hoster = await ScriptedSmtp.start({ security: 'tls', certificate: certificates.good });
  const web443 = { address: webAddress, port: 443 };
  web = await ConfigServer.start(
    await certificates.issueFor(['autoconfig.mail.test', 'autoconfig.hoster.test', 'dovecot.mail.test']),
    web443,
  );
  const imap = [{ host: 'localhost', port: servers.ports.imaps, socketType: 'SSL' }];
  web.on(
    'autoconfig.mail.test/mail/config-v1.1.xml',
    configXml({ smtp: [{ host: 'localhost', port: servers.ports.postfix.starttls, socketType: 'STARTTLS' }], imap }),
  );
  web.on(
    'autoconfig.hoster.test/mail/config-v1.1.xml',
    configXml({ smtp: [{ host: 'localhost', port: hoster.port, socketType: 'SSL', username: '%EMAILLOCALPART%' }] }),
  );
  web.on(
    'dovecot.mail.test/.well-known/autoconfig/mail/config-v1.1.xml',
    configXml({ smtp: [{ host: 'localhost', port: servers.ports.dovecot.tls, socketType: 'SSL' }], imap }),
  );
  const record = (port: number) => ({ priority: 1, weight: 1, port, name: 'localhost' });
  dns = await DnsServer.start({
    'autoconfig.mail.test': { a: [webAddress] },
    'autoconfig.hoster.test': { a: [webAddress] },
    'dovecot.mail.test': { a: [webAddress] },
    'customer.test': { mx: [{ priority: 10, exchange: 'mx1.hoster.test' }] },
    '_submissions._tcp.exim.mail.test': { srv: [record(servers.ports.exim?.tls ?? 0)] },
    '_imaps._tcp.exim.mail.test': { srv: [record(servers.ports.imaps)] },
  });
  bundle = path.join(shared.root, 'authorities.pem');
  await writeFile(bundle, `${await readFile(servers.caFile, 'utf8')}\n${certificates.authority}`);
}, 120_000);
afterAll(async () => {
  await servers?.stop();
  await hoster?.close();
  await web?.close();
  await dns?.close();
  await shared?.remove();
});
beforeEach(async () => {
  folder = await DataFolder.make();
});
afterEach(() => folder.remove());

const account = (address: string, ...more: readonly string[]) =>
  folder.run(
    ['account', '--address', address, '--dns-server', dns.address, '--ca-file', bundle, '--password-stdin', ...more],
    `${servers.password}\n`,
  );

/** Somebody at a terminal who knows the address and the password, and nothing else. */
const sitDown = () => folder.atTerminal(['account', '--dns-server', dns.address], bundle);

describe('an account set up at a terminal from its address alone', () => {
  type Case = readonly [name: string, address: string, source: string, question: string | null, port: () => number];
  const CASES: readonly Case[] = [
    [
      'Postfix',
      'agent@mail.test',
      'published by your domain at autoconfig.mail.test',
      null,
      () => servers.ports.postfix.starttls,
    ],
    [
      'Exim',
      'agent@exim.mail.test',
      'from your domain’s record _submissions._tcp.exim.mail.test',
      'localhost does not belong to exim.mail.test',
      () => servers.ports.exim?.tls ?? 0,
    ],
    [
      'Dovecot',
      'agent@dovecot.mail.test',
      'published by your domain at dovecot.mail.test',
      null,
      () => servers.ports.dovecot.tls,
    ],
  ];

  it.each(CASES)('finds %s, checks it step by step, and learns by a test mail how it keeps copies', async (...one) => {
    const [, address, source, question, port] = one;
    const screen = sitDown();

    await screen.read('Mail address');
    screen.type(address);
    await screen.read(`localhost, port ${port()}`);
    await screen.read(source);
    if (question !== null) {
      await screen.read(question);
      screen.type('y');
    }
    await screen.read('Password');
    screen.type(servers.password);
    await screen.read('Send a test mail to yourself');
    screen.type('');
    for (const found of [
      'Look up the mail server: found at',
      `Connect: localhost answers on port ${port()}`,
      'certificate for localhost by Test CA',
      `Log in: ${address} is logged in`,
      `mails from ${address} are taken`,
      'See what the server can do: mails up to',
      `taken for ${address}`,
      // These servers keep no copy: the mail comes to the inbox and Sent stays empty.
      'your provider keeps no copy in the Sent folder; the mail kept its identifier',
      `The mail account ${address} is stored.`,
    ]) {
      await screen.read(found);
    }

    expect(await screen.finished).toBe(EXIT.done);
    expect(screen.screen).not.toContain(servers.password);
    expect((await folder.run(['run'])).err).toContain('is not paired yet');
  });

  it('takes a mistyped password again, without the rest', async () => {
    const screen = sitDown();
    await screen.read('Mail address');
    screen.type('agent@mail.test');
    await screen.read('Password');
    screen.type('not the password');
    await screen.read('Send a test mail');
    screen.type('n');
    await screen.read('localhost refused the login.');
    await screen.read('Enter the password again');
    screen.type('');
    await screen.read('Password');
    screen.type(servers.password);

    await screen.read('The mail account agent@mail.test is stored.');
    expect(await screen.finished).toBe(EXIT.done);
  });

  it('asks for the server by a short form where nobody knows it', async () => {
    const screen = sitDown();
    await screen.read('Mail address');
    screen.type('agent@nobody.test');
    await screen.read('Nobody knows the mail server of nobody.test.');
    await screen.read('User name at the mail server');
    screen.type('agent@mail.test');
    await screen.read('Outgoing mail server');
    screen.type('localhost');
    await screen.read('Protection');
    screen.type('');
    await screen.read('Port');
    screen.type(String(servers.ports.postfix.tls));
    await screen.read('Server for reading your mailbox');
    screen.type('');
    await screen.read('Password');
    screen.type(servers.password);
    await screen.read('Send a test mail');
    screen.type('n');

    await screen.read('The mail account agent@nobody.test is stored.');
    expect(await screen.finished).toBe(EXIT.done);
  });
});

describe('an account set up by a script from its address alone', () => {
  it('is not stored where nobody vouches for the server, until the script does', async () => {
    const asked = await account('agent@exim.mail.test');
    const taken = await account('agent@exim.mail.test', '--take-found');

    expect(asked.code).toBe(EXIT.usage);
    expect(asked.err).toMatch(/localhost does not belong to exim\.mail\.test.*\?/);
    expect({ code: taken.code, err: taken.code === EXIT.done ? '' : taken.err }).toEqual({ code: EXIT.done, err: '' });
    expect(lastObject(taken.out)).toEqual({
      account: 'agent@exim.mail.test',
      host: 'localhost',
      port: servers.ports.exim?.tls,
      login: 'password',
      savesSentCopy: 'unknown',
      keepsMessageId: 'unknown',
    });
  }, 120_000);

  it('is found by the provider that receives the mail, which never hears the address', async () => {
    const { code, out, err } = await account('wang.fang@customer.test', '--take-found');

    expect({ code, err: code === EXIT.done ? '' : err }).toEqual({ code: EXIT.done, err: '' });
    expect(lastObject(out)).toMatchObject({ host: 'localhost', port: hoster.port });
    expect(err).toContain('at autoconfig.hoster.test');
    const login = Buffer.from(hoster.commands.find((line) => line.startsWith('AUTH PLAIN'))?.slice(11) ?? '', 'base64');
    expect(login.toString()).toBe(`\0wang.fang\0${servers.password}`);
    expect(hoster.commands.slice(-3)).toEqual(['MAIL FROM:<wang.fang@customer.test>', 'RSET', 'QUIT']);
    expect(web.asked.filter((one) => one.includes('wang'))).toEqual([]);
  }, 120_000);
});

describe('an account that does not work', () => {
  it('is not stored, and the step and the next thing to do are named', async () => {
    hoster.script = { auth: say('535 5.7.8 authentication failed') };
    const refused = await account('wang@customer.test', '--take-found');
    hoster.script = {};
    const status = await folder.run(['run']);

    expect(refused.code).toBe(EXIT.account);
    expect(refused.err).toContain('✗ Log in\nlocalhost refused the login.');
    expect(refused.err).toContain('Check user name and password.');
    expect(refused.err).toContain('> 535');
    expect(status.code).toBe(EXIT.notSetUp);
  }, 120_000);

  it('of a provider that takes no password is told so before one is asked', async () => {
    const { code, err } = await account('wang@outlook.com');

    expect(code).toBe(EXIT.account);
    expect(err).toContain('takes no password from mail programs');
  }, 120_000);

  it('of an unknown domain leads to the options that name the server', async () => {
    const { code, err } = await account('wang@nobody.test');

    expect(code).toBe(EXIT.usage);
    expect(err).toContain('Nobody knows the mail server of nobody.test.');
    expect(err).toContain('--host');
  }, 120_000);
});
