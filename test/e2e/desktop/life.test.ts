import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLedgerReadOnly } from '../../../src/main/adapters/sqlite/open-ledger.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { DesktopApp, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { type PeerConnection, ScriptedSmtp } from '../../support/scripted-smtp.ts';
import { until } from '../agent-and-cloud/until.ts';
import { setUpByRequest } from './set-up-by-request.ts';

let staged: StagedApp;
let cloud: TestCloud;
let session: DesktopSession;
let smtp: ScriptedSmtp;
let app: DesktopApp;

beforeAll(async () => {
  [staged, cloud] = await Promise.all([stageApp(), startTestCloud()]);
});
afterAll(async () => {
  await cloud?.close();
  await staged?.remove();
});
beforeEach(async () => {
  [session, smtp] = await Promise.all([startDesktopSession(), ScriptedSmtp.start()]);
  app = await DesktopApp.launch(staged, session);
});
afterEach(async () => {
  await app.kill();
  await smtp.close();
  await session.close();
});

/** A mail whose end the server has and does not answer yet. */
async function mailUnderWay(): Promise<{ readonly id: string; answer(): void }> {
  const userId = await setUpByRequest(app, cloud, smtp.port);
  let peer: PeerConnection | null = null;
  smtp.script = {
    endOfData: (connection) => {
      peer = connection;
    },
  };
  const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
  await until(() => peer !== null);
  return { id, answer: () => peer?.write('250 2.0.0 taken\r\n') };
}

const ownerOf = async (id: string) =>
  String((await cloud.sql('SELECT user_id FROM recipients WHERE id = $1', [id]))[0]?.['user_id']);
const statusInCloud = async (id: string) => (await cloud.operator.must('getRecipient', { params: { id } })).status;

/** Presses this button of every message box from now on, or none. */
const pressInBoxes = (button: number | null) =>
  app.electron.evaluate(({ dialog }, which) => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    dialog.showMessageBox = (...words: unknown[]) => {
      shown.push(JSON.stringify(words.at(-1)));
      return which === null
        ? new Promise(() => undefined)
        : Promise.resolve({ response: which, checkboxChecked: false });
    };
  }, button);
const boxesShown = () => app.electron.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);

describe('the life of the app', () => {
  it('has one instance: a second start brings the window of the first back and ends', async () => {
    await app.page();
    await app.closeWindow();
    await until(async () => (await app.windowCount()) === 0);

    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const second = spawn(staged.executable, [...root, staged.folder], { env: session.env, stdio: 'ignore' });
    const [code] = await once(second, 'exit');

    expect(code).toBe(0);
    await until(async () => (await app.windowCount()) === 1);
  });

  it('destroys the window when it is closed, and lives on', async () => {
    const page = await app.page();

    await app.closeWindow();

    await until(async () => (await app.windowCount()) === 0);
    await until(() => page.isClosed());
    expect(await app.electron.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(0);
  });

  it.each(['crashes', 'hangs'] as const)('brings a page back that %s, and the mail under way goes on', async (how) => {
    const mail = await mailUnderWay();
    const contentsId = () =>
      app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.id ?? null);
    const before = await contentsId();
    const renewed = app.electron.waitForEvent('window');

    await app.electron.evaluate(({ BrowserWindow }, what) => {
      const window = BrowserWindow.getAllWindows()[0];
      if (what === 'crashes') window?.webContents.forcefullyCrashRenderer();
      else {
        void window?.webContents.executeJavaScript('for (;;) {}').catch(() => undefined);
        // Chromium says so after half a minute without an answer to a key or a click.
        window?.emit('unresponsive');
      }
    }, how);
    await renewed;
    expect([before, null]).not.toContain(await contentsId());

    expect((await app.request('today', null)).status.current).toMatchObject({ mailId: mail.id });
    expect(await app.windowCount()).toBe(1);
    mail.answer();
    await until(async () => (await statusInCloud(mail.id)) === 'sent');
  });

  it('remembers the size a person gave the window', async () => {
    await app.page();
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(520, 610));
    await app.closeWindow();
    await until(async () => (await app.windowCount()) === 0);
    await app.quit();

    app = await DesktopApp.launch(staged, session);
    await app.page();

    expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize())).toEqual([
      520, 610,
    ]);
  });

  it('asks after a kill what became of the mail, and sends none twice', async () => {
    const mail = await mailUnderWay();
    await app.kill();

    smtp.script = {};
    app = await DesktopApp.launch(staged, session);
    const questions = async () => (await app.request('questions', null)).filter(({ kind }) => kind === 'uncertain');
    await until(async () => (await questions()).length === 1);

    expect(await questions()).toMatchObject([{ mail: { id: mail.id }, answer: null }]);
    expect(await statusInCloud(mail.id)).toBe('sending');
    const [later = ''] = await cloud.queueMails(await ownerOf(mail.id), [samplePayload(2)]);
    await until(async () => (await statusInCloud(later)) === 'sent');
    expect(smtp.messages.filter(({ data }) => data.includes('customer1@'))).toHaveLength(1);
  });

  it('begins no mail while the computer sleeps, and goes on when it wakes', async () => {
    const userId = await setUpByRequest(app, cloud, smtp.port);
    const power = (event: 'suspend' | 'resume') =>
      app.electron.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event);
    // Asked while it holds no mail: with the first answer of the cloud it is wholly awake.
    await until(async () => (await app.request('today', null)).status.synced);

    await power('suspend');
    await until(async () => !(await app.request('today', null)).status.synced);
    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await statusInCloud(id)).toBe('queued');
    await power('resume');

    await until(async () => (await statusInCloud(id)) === 'sent');
  });

  it('finishes the mail under way before it quits, and says so', async () => {
    const mail = await mailUnderWay();
    await cloud.queueMails(await ownerOf(mail.id), [samplePayload(2), samplePayload(3)]);
    await until(async () => (await app.request('today', null)).status.counts.waiting === 2);
    await pressInBoxes(null);
    const gone = app.gone();

    await app.electron.evaluate(({ app: electron }) => electron.quit());
    await until(async () => (await boxesShown()).length === 1);
    expect((await boxesShown())[0]).toContain('One mail is being sent. Quit when it is done?');
    expect((await boxesShown())[0]).toContain('2 mails wait here until the next start.');
    mail.answer();

    expect(await gone).toBe(0);
    expect(await statusInCloud(mail.id)).toBe('sent');
  });

  it('quits at once when forced, and leaves the mail as one that may have been sent', async () => {
    await mailUnderWay();
    await pressInBoxes(1);
    const gone = app.gone();

    await app.electron.evaluate(({ app: electron }) => {
      setImmediate(() => electron.quit());
    });

    expect(await gone).toBe(0);
    const opened = openLedgerReadOnly({ folder: `${session.home}/.local/share/mail-agent` });
    if (!opened.ok) throw new Error(opened.error.text);
    const [mail] = opened.value.list({ kinds: null, limit: 1, offset: 0 });
    opened.value.close();
    // Never back in line: the next start asks the cloud what became of it.
    expect(['handed-over', 'uncertain']).toContain(mail?.state.kind);
  });
});

describe.each(['none', 'locked'] as const)('a desktop whose keyring is: %s', (keyring) => {
  it('still lets the app start, say why nothing can be stored, and quit', async () => {
    await app.kill();
    await session.close();
    session = await startDesktopSession({ keyring });
    app = await DesktopApp.launch(staged, session);

    const outcome = await app.request('save-account', {
      address: 'wang@example.com',
      name: null,
      userName: 'wang@example.com',
      password: 'pw',
      smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', caFile: null },
      login: 'password',
      signIn: 'kept',
      imap: null,
      testMail: 'none',
    });

    expect(outcome).toMatchObject({ ok: false, text: expect.stringMatching(/keychain of this computer/) });
    expect((await app.request('set-up', null)).account).toBeNull();
    await quitsWell();
  });
});

describe.each(['none', 'locked', 'empty'] as const)('a desktop whose keyring became: %s', (keyring) => {
  it('starts, pauses sending with a clear text, keeps the mails, and quits', async () => {
    const userId = await setUpByRequest(app, cloud, smtp.port);
    await app.quit();
    await session.changeKeyring(keyring);

    app = await DesktopApp.launch(staged, session);
    await cloud.queueMails(userId, [samplePayload(1)]);

    const holds = async () => (await app.request('today', null)).status.holds;
    const kind = keyring === 'empty' ? 'token' : 'keychain';
    await until(async () => (await holds()).some((hold) => hold.kind === kind));
    const words = keyring === 'empty' ? /No agent token is stored here/ : /keychain|keyring/i;
    expect((await holds()).find((hold) => hold.kind === kind)?.text).toMatch(words);
    expect(await app.request('questions', null)).toMatchObject([{ kind: 'account', hold: kind }]);
    // Set-up's own login, and no other.
    expect(smtp.connectionCount).toBe(1);
    await quitsWell();
  });
});

it('goes on by itself when the computer is unlocked, and its keyring with it', async () => {
  const userId = await setUpByRequest(app, cloud, smtp.port);
  await app.quit();
  await session.changeKeyring('locked');
  app = await DesktopApp.launch(staged, session);
  const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
  const kinds = async () => (await app.request('today', null)).status.holds.map(({ kind }) => kind);
  await until(async () => (await kinds()).includes('keychain'));

  await session.changeKeyring('unlocked');
  await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('unlock-screen'));

  await until(async () => (await statusInCloud(id)) === 'sent');
  expect(await kinds()).toEqual([]);
});

async function quitsWell(): Promise<void> {
  const gone = app.gone();
  await app.electron.evaluate(({ app: electron }) => {
    setImmediate(() => electron.quit());
  });
  expect(await gone).toBe(0);
}
