import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { newUser } from '../../support/cloud-mails.ts';
import { DesktopApp, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { both, ScriptedSmtp, say } from '../../support/scripted-smtp.ts';
import { makeCertificates } from '../../support/tls-certificates.ts';
import { until } from '../agent-and-cloud/until.ts';
import { ADDRESS, changeSettings, PASSWORD, pairingCode, setUpByRequest } from './set-up-by-request.ts';

let staged: StagedApp;
let cloud: TestCloud;
let session: DesktopSession;
let smtp: ScriptedSmtp;
let app: DesktopApp;

beforeAll(async () => {
  [staged, cloud, session, smtp] = await Promise.all([
    stageApp(),
    startTestCloud(),
    startDesktopSession(),
    ScriptedSmtp.start(),
  ]);
  app = await DesktopApp.launch(staged, session);
});
afterAll(async () => {
  await app?.kill();
  await smtp?.close();
  await cloud?.close();
  await session?.close();
  await staged?.remove();
});

describe('the first start', () => {
  it('opens the window at set-up, with nothing done and no agent running', async () => {
    const setUp = await app.request('set-up', null);

    expect(setUp).toEqual({ pairing: null, account: null, startAtLogin: null, isDone: false });
    expect((await app.request('today', null)).status.synced).toBe(false);
    expect(await app.windowCount()).toBe(1);
  });

  it('cannot be finished before there is a cloud and an account', async () => {
    await expect(app.request('finish-set-up', { startAtLogin: true })).rejects.toThrow(/connect with the cloud first/);
  });

  it('says in plain words why a cloud or a code is not right', async () => {
    const userId = await newUser(cloud);
    const code = await pairingCode(cloud, userId);

    expect(await app.request('pair', { cloudUrl: 'mail.example.com', code })).toMatchObject({
      ok: false,
      text: expect.stringMatching(/begins with https/),
    });
    expect(await app.request('pair', { cloudUrl: cloud.url, code: 'nonsense' })).toMatchObject({
      ok: false,
      text: expect.stringMatching(/ABCD-1234/),
    });
    expect(await app.request('pair', { cloudUrl: cloud.url, code: 'ZZZZ-0000' })).toMatchObject({
      ok: false,
      text: expect.stringMatching(/does not accept this code/),
    });
  });

  it('says in plain words that a password is wrong, quotes the server, and stores nothing', async () => {
    smtp.script = { auth: both(say('535 5.7.8 wrong user name or password')) };

    const outcome = await app.request('save-account', {
      address: ADDRESS,
      name: null,
      userName: ADDRESS,
      password: 'not this one',
      smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', caFile: null },
      login: 'password',
      signIn: 'kept',
      imap: null,
      testMail: 'none',
    });

    smtp.script = {};
    expect(outcome).toMatchObject({ ok: false, text: expect.stringMatching(/refused the login/) });
    expect(outcome).toMatchObject({ quote: expect.stringContaining('535') });
    expect((await app.request('set-up', null)).account).toBeNull();
  });

  it.each([
    ['a server that is not there', 'gone', /Nothing answers at 127\.0\.0\.1/],
    ['a name that nobody knows', 'no-such-host.invalid', /mail server/i],
    ['a certificate nobody vouches for', 'self-signed', /certificate/],
  ])('says in plain words what is wrong with %s, and stores nothing', async (_, host, words) => {
    const { selfSigned } = await makeCertificates();
    const peer = await ScriptedSmtp.start({ security: 'tls', certificate: selfSigned });
    const { port } = peer;
    if (host === 'gone') await peer.close();

    const outcome = await app.request('save-account', {
      address: ADDRESS,
      name: null,
      userName: ADDRESS,
      password: PASSWORD,
      smtp: { host: host.endsWith('.invalid') ? host : '127.0.0.1', port, security: 'tls', caFile: null },
      login: 'password',
      signIn: 'kept',
      imap: null,
      testMail: 'none',
    });

    if (host !== 'gone') await peer.close();
    expect(outcome).toMatchObject({ ok: false, text: expect.stringMatching(words) });
    expect((await app.request('set-up', null)).account).toBeNull();
    // No login goes to a server that is not known to be the right one.
    expect(peer.commands.filter((line) => /^AUTH/i.test(line))).toEqual([]);
  });

  it('sends the first mail after the three steps, and the window can follow it', async () => {
    const userId = await setUpByRequest(app, cloud, smtp.port);

    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);

    await until(async () => (await cloud.operator.must('getRecipient', { params: { id } })).status === 'sent');
    expect(smtp.messages.map(({ accepted }) => accepted)).toEqual([true]);
    const timeline = async () => (await app.request('mail', { id }))?.timeline.map(({ what }) => what);
    // The agent hears that the cloud knows a moment after the cloud does.
    await until(async () => (await timeline())?.includes('told') === true);
    expect(await timeline()).toEqual(['claimed', 'attempt', 'handed-over', 'accepted', 'told']);
    expect((await app.request('mails', { kinds: ['sent'], text: 'CUSTOMER1@', offset: 0, limit: 10 })).total).toBe(1);
    expect((await app.request('today', null)).status.tasks).toMatchObject([{ name: 'A task', sent: 1, total: 1 }]);
    expect(await app.request('set-up', null)).toMatchObject({ isDone: true, startAtLogin: true });
  });

  it('starts at login without a window, as asked', async () => {
    const file = path.join(session.home, '.config/autostart/mail-agent.desktop');
    expect(await readFile(file, 'utf8')).toContain(`"${staged.folder}" "--hidden"`);

    await changeSettings(app, { startAtLogin: false });

    await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT');
  });

  it('takes the stored password again where none is typed', async () => {
    const account = (await app.request('set-up', null)).account;
    if (account === null) throw new Error('there is no account');
    const { address, userName, smtp: server } = account;

    const login = { login: 'password', signIn: 'kept' } as const;
    const kept = { address, userName, smtp: server, ...login, imap: null, testMail: 'none' } as const;
    const outcome = await app.request('save-account', { ...kept, name: 'Fang', password: '' });

    expect(outcome).toEqual({ ok: true });
    expect((await app.request('set-up', null)).account?.name).toBe('Fang');
  });

  it('keeps the password in the keyring alone', async () => {
    await app.quit();

    const found: string[] = [];
    for (const file of await filesIn(path.join(session.home, '.local/share/mail-agent'))) {
      const bytes = await readFile(file);
      const forms = [PASSWORD, Buffer.from(PASSWORD).toString('base64'), Buffer.from(PASSWORD).toString('hex')];
      if (forms.some((form) => bytes.includes(form) || bytes.includes(Buffer.from(form, 'utf16le')))) found.push(file);
    }

    expect(found).toEqual([]);
  });

  it('goes on sending after a restart without a window', async () => {
    app = await DesktopApp.launch(staged, session, ['--hidden']);
    const [row] = await cloud.sql(`SELECT user_id FROM recipients WHERE status = 'sent' LIMIT 1`);

    const [id = ''] = await cloud.queueMails(String(row?.['user_id']), [samplePayload(2)]);

    await until(async () => (await cloud.operator.must('getRecipient', { params: { id } })).status === 'sent');
    expect(smtp.messages.length).toBe(2);
    expect(await app.windowCount()).toBe(0);
  });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
