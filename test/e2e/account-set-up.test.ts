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
 * Three mail servers, three ways to find them: Postfix by what its domain publishes, Exim by service records, and a
 * third by what the provider publishes that receives the domain's mail.
 */
let servers: MailServers;
let third: ScriptedSmtp;
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
  third = await ScriptedSmtp.start({ security: 'tls', certificate: certificates.good });
  const web443 = { address: webAddress, port: 443 };
  web = await ConfigServer.start(
    await certificates.issueFor(['autoconfig.mail.test', 'autoconfig.hoster.test']),
    web443,
  );
  const imap = [{ host: 'localhost', port: servers.ports.imaps, socketType: 'SSL' }];
  web.on(
    'autoconfig.mail.test/mail/config-v1.1.xml',
    configXml({ smtp: [{ host: 'localhost', port: servers.ports.postfix.starttls, socketType: 'STARTTLS' }], imap }),
  );
  web.on(
    'autoconfig.hoster.test/mail/config-v1.1.xml',
    configXml({ smtp: [{ host: 'localhost', port: third.port, socketType: 'SSL', username: '%EMAILLOCALPART%' }] }),
  );
  const record = (port: number) => ({ priority: 1, weight: 1, port, name: 'localhost' });
  dns = await DnsServer.start({
    'autoconfig.mail.test': { a: [webAddress] },
    'autoconfig.hoster.test': { a: [webAddress] },
    'customer.test': { mx: [{ priority: 10, exchange: 'mx1.hoster.test' }] },
    '_submissions._tcp.exim.mail.test': { srv: [record(servers.ports.exim?.tls ?? 0)] },
    '_imaps._tcp.exim.mail.test': { srv: [record(servers.ports.imaps)] },
  });
  bundle = path.join(shared.root, 'authorities.pem');
  await writeFile(bundle, `${await readFile(servers.caFile, 'utf8')}\n${certificates.authority}`);
}, 120_000);
afterAll(async () => {
  await servers?.stop();
  await third?.close();
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

describe('an account set up from its address alone', () => {
  it('finds Postfix by what the domain publishes, checks it, and learns by a test mail how it keeps copies', async () => {
    const { code, out, err } = await account('agent@mail.test', '--test-mail');

    expect({ code, err: code === EXIT.done ? '' : err }).toEqual({ code: EXIT.done, err: '' });
    expect(lastObject(out)).toEqual({
      account: 'agent@mail.test',
      host: 'localhost',
      port: servers.ports.postfix.starttls,
      // This server keeps none: the mail comes to the inbox and Sent stays empty.
      savesSentCopy: 'no',
      keepsMessageId: 'yes',
    });
    expect(err).toContain('published by your domain at autoconfig.mail.test');
    for (const step of ['Look up', 'Connect', 'certificate', 'Log in', 'may send', 'can do', 'test mail', 'folders']) {
      expect(err).toMatch(new RegExp(`✓ .*${step}`));
    }
    expect(err).toContain('certificate for localhost by Test CA');
  }, 120_000);

  it('finds Exim by its service records, once the person vouches for a server outside of the domain', async () => {
    const asked = await account('agent@exim.mail.test');
    const taken = await account('agent@exim.mail.test', '--take-found');

    expect(asked.code).toBe(EXIT.usage);
    expect(asked.err).toMatch(/localhost does not belong to exim\.mail\.test.*\?/);
    expect({ code: taken.code, err: taken.code === EXIT.done ? '' : taken.err }).toEqual({ code: EXIT.done, err: '' });
    expect(lastObject(taken.out)).toMatchObject({ port: servers.ports.exim?.tls, savesSentCopy: 'unknown' });
    expect(taken.err).toContain('_submissions._tcp.exim.mail.test');
  }, 120_000);

  it('finds a third by the provider that receives the mail, which never hears the address', async () => {
    const { code, out, err } = await account('wang.fang@customer.test', '--take-found');

    expect({ code, err: code === EXIT.done ? '' : err }).toEqual({ code: EXIT.done, err: '' });
    expect(lastObject(out)).toMatchObject({ host: 'localhost', port: third.port });
    expect(err).toContain('at autoconfig.hoster.test');
    const login = Buffer.from(third.commands.find((line) => line.startsWith('AUTH PLAIN'))?.slice(11) ?? '', 'base64');
    expect(login.toString()).toBe(`\0wang.fang\0${servers.password}`);
    expect(third.commands.slice(-3)).toEqual(['MAIL FROM:<wang.fang@customer.test>', 'RSET', 'QUIT']);
    expect(web.asked.filter((one) => one.includes('wang'))).toEqual([]);
  }, 120_000);
});

describe('an account that does not work', () => {
  it('is not stored, and the step and the next thing to do are named', async () => {
    third.script = { auth: say('535 5.7.8 authentication failed') };
    const refused = await account('wang@customer.test', '--take-found');
    third.script = {};
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
