import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { REQUEST_NAMES, type RequestName } from '../../../src/shared/ipc/channels.ts';
import { hostile } from '../../hostile/hostile-test.ts';
import { rendererHeap } from '../../support/canary/heap.ts';
import { canarySearch } from '../../support/canary/search.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { DesktopApp, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { type HttpProxy, startHttpProxy } from '../../support/http-proxy.ts';
import { type Act, ScriptedSmtp } from '../../support/scripted-smtp.ts';
import { until } from '../agent-and-cloud/until.ts';
import { ADDRESS, PASSWORD, setUpByRequest } from './set-up-by-request.ts';

let staged: StagedApp;
let cloud: TestCloud;
let proxy: HttpProxy;
let session: DesktopSession;
let smtp: ScriptedSmtp;
let app: DesktopApp | undefined;

beforeAll(async () => {
  [staged, cloud] = await Promise.all([stageApp(), startTestCloud()]);
  proxy = await startHttpProxy(cloud.url);
  // Repeats the login it heard in the text that a person is shown.
  const acceptance: Act = (peer) => {
    const login = peer.peer.commands.find((line) => line.startsWith('AUTH'));
    peer.write(`250 2.0.0 taken, ${login}\r\n`);
  };
  smtp = await ScriptedSmtp.start({ script: { endOfData: acceptance } });
});
afterAll(async () => {
  await smtp?.close();
  await proxy?.close();
  await cloud?.close();
  await staged?.remove();
});
// A fresh desktop for a second try.
beforeEach(async () => {
  session = await startDesktopSession();
});
afterEach(async () => {
  await app?.kill();
  app = undefined;
  await session?.close();
});

/** What the page may ask that changes nothing, each with something to ask for. */
const QUESTIONS: Readonly<Partial<Record<RequestName, unknown>>> = {
  today: null,
  mails: { kinds: null, text: '', offset: 0, limit: 200 },
  questions: null,
  'set-up': null,
  settings: null,
  proxy: null,
  language: null,
  about: null,
  licences: null,
  'guess-server': { address: ADDRESS },
};
/** What tells no more than that it was done, or where a file is. A new request is put in one of the two lists. */
const DEEDS: readonly RequestName[] = [
  'mail',
  'answer',
  'note-conflict',
  'note-failures',
  'undo-answer',
  'lift-address',
  'pause',
  'resume',
  'check-now',
  'pair',
  'save-account',
  'finish-set-up',
  'save-settings',
  'save-proxy',
  'export-log',
  'open-data-folder',
  'copy-diagnostics',
];

describe('the secrets of the desktop program', () => {
  hostile('HI-082', async () => {
    expect([...Object.keys(QUESTIONS), ...DEEDS].sort()).toEqual([...REQUEST_NAMES].sort());
    let token = '';
    proxy.intercept({ route: 'pair' }, async (passage) => {
      const reply = await passage.forward();
      token = String(Reflect.get(JSON.parse(reply.body), 'token'));
      passage.answer(reply);
    });
    app = await DesktopApp.launch(staged, session);
    const userId = await setUpByRequest(app, { ...cloud, url: proxy.url }, smtp.port);
    const search = canarySearch({ password: PASSWORD, token, login: `\0${ADDRESS}\0${PASSWORD}` });
    const [first = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
    const isSent = async (id: string) =>
      (await cloud.operator.must('getRecipient', { params: { id } })).status === 'sent';
    await until(() => isSent(first));
    const whileFirst = search.inProcesses(app.electron.process().pid ?? 0);
    await app.quit();

    // Started anew, nobody has typed a password into the page.
    app = await DesktopApp.launch(staged, session);
    const page = await app.page();
    const [second = ''] = await cloud.queueMails(userId, [samplePayload(2)]);
    await until(() => isSent(second));
    const answers = await page.evaluate(
      async (asked) => {
        const { agent } = globalThis as unknown as {
          agent: { request(name: string, what: unknown): Promise<unknown> };
        };
        const found = await Promise.all(asked.map(([name, what]) => agent.request(name, what)));
        // Kept, so that the heap holds whatever came.
        Object.assign(globalThis, { found });
        return JSON.stringify(found);
      },
      Object.entries({ ...QUESTIONS, mail: { id: first } }),
    );
    const heap = await rendererHeap(page);
    const whileSecond = search.inProcesses(app.electron.process().pid ?? 0);
    const open = await search.inFolder(session.home);
    const said = app.words;
    await app.quit();
    const closed = await search.inFolder(session.home);

    expect(heap.length).toBeGreaterThan(100_000);
    expect(heap).toContain(ADDRESS);
    expect(answers).toContain('taken, ');
    expect(Math.min(whileFirst.processCount, whileSecond.processCount)).toBeGreaterThan(1);
    expect(closed.fileCount).toBeGreaterThan(5);
    expect([
      ...whileFirst.findings,
      ...whileSecond.findings,
      ...search.inText('an answer to the page', answers),
      ...search.inText('the heap of the page', heap),
      ...search.inText('the terminal', said),
      ...open.findings,
      ...closed.findings,
    ]).toEqual([]);
  });
});
