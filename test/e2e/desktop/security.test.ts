import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DesktopApp, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';

let staged: StagedApp;
let session: DesktopSession;
let app: DesktopApp;
let page: Page;

beforeAll(async () => {
  [staged, session] = await Promise.all([stageApp(), startDesktopSession()]);
  app = await DesktopApp.launch(staged, session);
  page = await app.page();
});
afterAll(async () => {
  await app?.kill();
  await session?.close();
  await staged?.remove();
});

type Ask = (name: string, argument: unknown) => Promise<{ ok: boolean; error?: { code: string } }>;

/** Any request with any argument, as a page that was taken over would send it. */
const ask = (name: string, argument: unknown) =>
  page.evaluate(([which, what]) => (globalThis as unknown as { agent: { request: Ask } }).agent.request(which, what), [
    name,
    argument,
  ] as const);

describe('the window is shut off', () => {
  it('gives the page two functions and nothing of Node or Electron', async () => {
    const found = await page.evaluate(() => ({
      bridge: Object.keys((globalThis as unknown as { agent: object }).agent).sort(),
      node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in globalThis),
    }));

    expect(found).toEqual({ bridge: ['on', 'request'], node: [] });
  });

  it('runs the page sandboxed and isolated', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      return contents.getLastWebPreferences();
    });

    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(preferences['allowRunningInsecureContent'] ?? false).toBe(false);
    expect(preferences['experimentalFeatures'] ?? false).toBe(false);
  });

  it.each(['https://example.com/', 'file:///etc/passwd', 'app://agent/other.html', 'data:text/html,x'])(
    'does not go to %s',
    async (url) => {
      const outcome = await app.electron.evaluate(async ({ BrowserWindow }, where) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        if (contents === undefined) return null;
        await contents.executeJavaScript(`location.href = ${JSON.stringify(where)}; undefined`);
        // The page itself is asked once more: whatever was to happen to it has begun by then.
        const isHere = await contents.executeJavaScript(
          `new Promise((resolve) => setTimeout(() => resolve(document.querySelector('#here') !== null), 200))`,
        );
        return { isHere, url: contents.getURL(), isLoading: contents.isLoadingMainFrame() };
      }, url);

      expect(outcome).toEqual({ isHere: true, url: 'app://agent/', isLoading: false });
    },
  );

  it('opens no further window', async () => {
    expect(await page.evaluate(`window.open('https://example.com/') === null`)).toBe(true);
    expect(await app.windowCount()).toBe(1);
  });

  it('runs no inline script, no eval and no text as HTML', async () => {
    const outcome = await page.evaluate(`(() => {
      const attempt = (work) => {
        try {
          work();
          return 'done';
        } catch (error) {
          return error.name;
        }
      };
      return {
        html: attempt(() => { document.body.innerHTML = '<b>x</b>'; }),
        script: attempt(() => { document.createElement('script').text = 'globalThis.ran = true'; }),
        text: attempt(() => { setTimeout('globalThis.ran = true'); }),
        policy: attempt(() => trustedTypes.createPolicy('other', {})),
      };
    })()`);

    expect(outcome).toEqual({ html: 'TypeError', script: 'TypeError', text: 'TypeError', policy: 'TypeError' });
  });

  it('lets the page reach no network and no file', async () => {
    const reach = (url: string) =>
      page.evaluate(
        (where) =>
          fetch(where).then(
            () => 'reached',
            () => 'refused',
          ),
        url,
      );

    expect(await reach('https://example.com/')).toBe('refused');
    expect(await reach('http://127.0.0.1:1/')).toBe('refused');
    expect(await reach('file:///etc/passwd')).toBe('refused');
    expect(await reach('app://agent/../../package.json')).toBe('refused');
  });

  it('grants no permission', async () => {
    const states = await page.evaluate(`(async () => ({
      notifications: await Notification.requestPermission(),
      geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'granted', () => 'denied'),
    }))()`);

    expect(states).toEqual({ notifications: 'denied', geolocation: 'denied', camera: 'denied' });
  });

  it('refuses a request that is not listed', async () => {
    expect(await ask('read-secret', null)).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await ask('__proto__', null)).toMatchObject({ ok: false, error: { code: 'refused' } });
  });

  it('refuses arguments that are not of the request’s form', async () => {
    expect(await ask('mail', { id: 7 })).toMatchObject({ ok: false, error: { code: 'bad-arguments' } });
    expect(await ask('today', { more: true })).toMatchObject({ ok: false, error: { code: 'bad-arguments' } });
    expect(await ask('mails', { kinds: null, text: '', offset: 0, limit: 100_000 })).toMatchObject({
      ok: false,
      error: { code: 'bad-arguments' },
    });
  });

  it('answers another window with a refusal, though it shows our page with our preload', async () => {
    const answer = await app.electron.evaluate(async ({ BrowserWindow }, preload) => {
      const foreign = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await foreign.loadURL('app://agent/');
      const answered = await foreign.webContents.executeJavaScript("agent.request('today', null)");
      foreign.destroy();
      return answered;
    }, `${staged.folder}/build/app/preload.cjs`);

    expect(answer).toMatchObject({ ok: false, error: { code: 'refused' } });
  });

  it('gives a frame inside the page no bridge', async () => {
    const inside = await page.evaluate(`(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      return 'agent' in frame.contentWindow;
    })()`);

    expect(inside).toBe(false);
  });

  it('tells the page nothing by a secret’s name in any view', async () => {
    const texts = await Promise.all(
      (['today', 'set-up', 'settings', 'about', 'questions'] as const).map((name) => app.request(name, null)),
    );

    expect(JSON.stringify(texts)).not.toMatch(/token|"password"/i);
  });
});
