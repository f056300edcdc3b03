import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentState } from '../../../src/shared/wire/messages.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { DesktopApp, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { type HttpProxy, startHttpProxy } from '../../support/http-proxy.ts';
import { both, drop, type PeerConnection, ScriptedSmtp, say } from '../../support/scripted-smtp.ts';
import { TrayHost } from '../../support/tray-host.ts';
import { iconReader } from '../../support/tray-icons.ts';
import { until } from '../agent-and-cloud/until.ts';
import { changeSettings, setUpByRequest } from './set-up-by-request.ts';

let staged: StagedApp;
let cloud: TestCloud;
let proxy: HttpProxy;
let session: DesktopSession;
let smtp: ScriptedSmtp;
let tray: TrayHost;
let app: DesktopApp;
let userId: string;
let stateOf: (pixels: Buffer) => AgentState;

beforeAll(async () => {
  [staged, cloud, session, smtp] = await Promise.all([
    stageApp(),
    startTestCloud(),
    startDesktopSession(),
    ScriptedSmtp.start(),
  ]);
  proxy = await startHttpProxy(cloud.url);
  tray = await TrayHost.start(session.busAddress);
  app = await DesktopApp.launch(staged, session);
  await app.page();
  stateOf = await iconReader(app, staged);
});
afterAll(async () => {
  tray?.close();
  await app?.kill();
  await smtp?.close();
  await proxy?.close();
  await cloud?.close();
  await session?.close();
  await staged?.remove();
});

const icon = async (): Promise<AgentState> => stateOf((await tray.item()).pixels);
const tooltip = async (): Promise<string> => (await tray.item()).tooltip;
const trayShows = (state: AgentState) =>
  until(
    async () => (await icon()) === state,
    async () => `${await icon()}: ${await tooltip()}`,
  );

describe('the tray', () => {
  it('asks for a person before set-up is done, and offers nothing that cannot work yet', async () => {
    await trayShows('needs-you');

    expect(await tray.labels()).toEqual(['Not set up yet', 'Open', 'Quit']);
  });

  it('is idle once set up and nothing waits', async () => {
    userId = await setUpByRequest(app, { ...cloud, url: proxy.url }, smtp.port);

    await trayShows('idle');
    await until(async () => (await tooltip()) === 'Mail Agent: Nothing to send');
    expect(await tray.labels()).toEqual(['Nothing to send', 'Open', 'Check now', 'Pause', 'Quit']);
  });

  it('shows sending while a mail is under way, and how far it is', async () => {
    let answer = (): void => undefined;
    smtp.script = {
      endOfData: (peer: PeerConnection) => {
        answer = () => peer.write('250 2.0.0 taken\r\n');
      },
    };

    await cloud.queueMails(userId, [samplePayload(1)]);

    await trayShows('sending');
    expect(await tooltip()).toBe('Mail Agent: Sending · 0 of 1 sent');
    smtp.script = {};
    answer();
    await trayShows('idle');
    expect(await tooltip()).toBe('Mail Agent: Nothing to send · 1 of 1 sent');
  });

  it.each(['For 1 hour', 'For today', 'Until I resume'])('pauses %s and resumes', async (choice) => {
    await tray.click('Pause', choice);

    await trayShows('paused');
    await until(async () => (await tray.labels()).includes('Resume'));
    const [hold] = (await app.request('today', null)).status.holds;
    expect(hold?.untilMs === null).toBe(choice === 'Until I resume');
    await tray.click('Resume');
    await trayShows('idle');
  });

  it('is offline while the cloud cannot be reached, and not when it is back', async () => {
    proxy.intercept({ route: 'any', times: Number.POSITIVE_INFINITY }, ({ drop: cut }) => cut());
    await tray.click('Check now');
    await trayShows('offline');

    proxy.heal();
    await until(async () => {
      await tray.click('Check now');
      return (await icon()) === 'idle';
    });
  });

  it('asks for a person when a mail may have been sent, and leads to the question', async () => {
    smtp.script = { endOfData: drop };
    const [id = ''] = await cloud.queueMails(userId, [samplePayload(2)]);
    await tray.click('Check now');
    await trayShows('needs-you');
    smtp.script = {};
    await until(async () => (await tray.labels()).includes('Needs you (1)'));
    const page = await app.page();
    await page.evaluate(`agent.on('go-to', ({ place }) => { document.body.dataset.place = place; }); undefined`);

    await tray.click('Needs you (1)');

    await page.waitForSelector('[data-place=needs-you]');
    const [question] = await app.request('questions', null);
    expect(question).toMatchObject({ kind: 'uncertain', mail: { id }, answer: null });
  });

  it('takes an answer back within its time, and tells the cloud the one that stands', async () => {
    const [question] = await app.request('questions', null);
    const mailId = question?.kind === 'uncertain' ? question.mail.id : '';
    await app.request('answer', { mailId, as: 'not-sent' });
    await app.request('undo-answer', { mailId });
    expect(await app.request('questions', null)).toMatchObject([{ kind: 'uncertain', answer: null }]);

    await app.request('answer', { mailId, as: 'sent' });
    expect(await app.request('questions', null)).toMatchObject([{ kind: 'uncertain', answer: { as: 'sent' } }]);

    await until(async () => (await cloud.operator.must('getRecipient', { params: { id: mailId } })).status === 'sent');
    await trayShows('idle');
  });

  it('tells a batch through, a doubt and a refused login, and a click on each opens its view', async () => {
    const page = await app.page();
    await page.evaluate(`agent.on('go-to', ({ place }) => { document.body.dataset.place = place; }); undefined`);
    await app.electron.evaluate(({ Notification }) => {
      const notes: Electron.Notification[] = [];
      Object.assign(globalThis, { notes });
      Notification.isSupported = () => true;
      Notification.prototype.show = function show() {
        notes.push(this);
      };
    });
    const bodies = () =>
      app.electron.evaluate(() =>
        (globalThis as unknown as { notes: Electron.Notification[] }).notes.map((n) => n.body),
      );
    const toldAndOpened = async (words: RegExp, place: string) => {
      await until(
        async () => words.test((await bodies()).at(-1) ?? ''),
        async () => (await bodies()).join(' | '),
      );
      await app.electron.evaluate(() => {
        (globalThis as unknown as { notes: Electron.Notification[] }).notes.at(-1)?.emit('click');
      });
      await page.waitForSelector(`[data-place=${place}]`);
    };
    const queue = async (number: number) => {
      await cloud.queueMails(userId, [samplePayload(number)]);
      await tray.click('Check now');
    };

    await queue(3);
    await toldAndOpened(/^All mails are through: 1 accepted by your mail server\.$/, 'today');
    smtp.script = { endOfData: drop };
    await queue(4);
    await toldAndOpened(/^One mail may have been sent/, 'needs-you');
    smtp.script = { auth: both(say('535 5.7.8 wrong')) };
    await page.evaluate(`document.body.dataset.place = ''`);
    await queue(5);
    await toldAndOpened(/did not accept the login/, 'needs-you');
    expect(await bodies()).toHaveLength(3);
    smtp.script = {};
  });

  it('speaks the language that was chosen, at once', async () => {
    await changeSettings(app, { language: 'zh-CN' });

    await until(async () => (await tray.labels()).includes('立即检查'));
    expect(await app.request('language', null)).toBe('zh-CN');
    await changeSettings(app, { language: 'en' });
    await until(async () => (await tray.labels()).includes('Check now'));
  });

  it('opens a window through its menu after it was closed', async () => {
    await app.closeWindow();
    await until(async () => (await app.windowCount()) === 0);

    await tray.click('Open');

    await until(async () => (await app.windowCount()) === 1);
  });

  it('opens a window again by a click after it was closed', async () => {
    await app.closeWindow();
    await until(async () => (await app.windowCount()) === 0);

    await tray.clickIcon();

    await until(async () => (await app.windowCount()) === 1);
  });

  it('quits through its menu', async () => {
    const gone = app.gone();

    // It may be gone before the click is answered.
    await tray.click('Quit').catch((error: unknown) => {
      if (!String(error).includes('disconnected from message bus')) throw error;
    });

    expect(await gone).toBe(0);
  });
});
