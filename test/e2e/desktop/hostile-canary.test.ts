import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import type { RequestName, Requests } from '../../../src/shared/ipc/channels.ts';
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

const PROXY_PASSWORD = 'a stapled horse battery';

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

/**
 * What the page may ask: with something to ask for where it changes nothing, or a deed, which tells no more than that it
 * was done, or where a file is. The compiler names a new request that is not here.
 */
const REQUESTS: { readonly [N in RequestName]: 'deed' | { readonly ask: Requests[N]['in'] } } = {
  today: { ask: null },
  mails: { ask: { kinds: null, text: '', offset: 0, limit: 200 } },
  // Asked with the mail that was sent.
  mail: 'deed',
  questions: { ask: null },
  answer: 'deed',
  'note-conflict': 'deed',
  'note-failures': 'deed',
  'undo-answer': 'deed',
  'lift-address': 'deed',
  pause: 'deed',
  resume: 'deed',
  'try-now': 'deed',
  'check-now': 'deed',
  'set-up': { ask: null },
  pair: 'deed',
  'guess-server': { ask: { address: ADDRESS } },
  'save-account': 'deed',
  'stop-sign-in': 'deed',
  'open-provider-page': 'deed',
  'finish-set-up': 'deed',
  settings: { ask: null },
  'save-settings': 'deed',
  proxy: { ask: null },
  'save-proxy': 'deed',
  language: { ask: null },
  about: { ask: null },
  licences: { ask: null },
  'export-log': 'deed',
  'open-data-folder': 'deed',
  'copy-diagnostics': 'deed',
};

describe('the secrets of the desktop program', () => {
  hostile('HI-082', async () => {
    const questions = Object.entries(REQUESTS).flatMap(([name, what]) =>
      what === 'deed' ? [] : [{ name, what: what.ask as unknown }],
    );
    let token = '';
    proxy.intercept({ route: 'pair' }, async (passage) => {
      const reply = await passage.forward();
      token = String(Reflect.get(JSON.parse(reply.body), 'token'));
      passage.answer(reply);
    });
    app = await DesktopApp.launch(staged, session);
    const userId = await setUpByRequest(app, { ...cloud, url: proxy.url }, smtp.port);
    const proxyChoice = { kind: 'http', host: '127.0.0.1', port: 9, userName: 'fang', mail: 'direct' } as const;
    const stored = await app.request('save-proxy', { proxy: proxyChoice, password: PROXY_PASSWORD });
    expect(stored).toEqual({ ok: true });
    const search = canarySearch({
      password: PASSWORD,
      proxyPassword: PROXY_PASSWORD,
      token,
      login: `\0${ADDRESS}\0${PASSWORD}`,
    });
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
        const found = await Promise.all(asked.map(({ name, what }) => agent.request(name, what)));
        // Kept, so that the heap holds whatever came.
        Object.assign(globalThis, { found });
        return JSON.stringify(found);
      },
      [...questions, { name: 'mail', what: { id: first } }],
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
