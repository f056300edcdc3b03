import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHIPPED_FUSES } from '../../../scripts/package/fuses.ts';
import { DesktopApp, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { until } from '../agent-and-cloud/until.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

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

/** What Electron itself says the window was made with. */
const preferences = () =>
  app.electron.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });

/** Has the page go somewhere; answers where it is afterwards. */
const whereAfterGoingTo = (where: string) =>
  app.electron.evaluate(async ({ BrowserWindow }, url) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined) return null;
    await contents.executeJavaScript(`location.href = ${JSON.stringify(url)}; undefined`);
    // The page itself is asked once more: whatever was to happen to it has begun by then.
    const isHere = await contents.executeJavaScript(
      `new Promise((resolve) => setTimeout(() => resolve(document.querySelector('#here') !== null), 200))`,
    );
    return { isHere, url: contents.getURL(), isLoading: contents.isLoadingMainFrame() };
  }, where);
const STAYED = { isHere: true, url: 'app://agent/', isLoading: false };

const reach = (url: string) =>
  page.evaluate(
    (where) =>
      fetch(where).then(
        () => 'reached',
        () => 'refused',
      ),
    url,
  );

/** What the app's own scheme answers, asked from main, where no policy stands between. */
const served = (url: string) =>
  app.electron.evaluate(async ({ session: electronSession }, where) => {
    const answer = await electronSession.defaultSession.fetch(where);
    return { status: answer.status, policy: answer.headers.get('content-security-policy') };
  }, url);

/** Every script below a folder, as one text. */
async function scriptsIn(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(c?js|ts)$/.test(name));
  return (await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n');
}

/** What is built has short names of its own; what may name Electron at all is in this one folder of the sources. */
const shellText = () => scriptsIn(path.join(ROOT, 'src/main/shell'));

/** The numbers and names are those of electronjs.org/docs/latest/tutorial/security. */
describe('the checklist of Electron', () => {
  it('1 loads only secure content: the page is the app’s own, and reaches no network', async () => {
    expect(page.url()).toBe('app://agent/');
    expect(await page.evaluate('isSecureContext')).toBe(true);
    expect(await reach('https://example.com/')).toBe('refused');
    expect(await reach('http://127.0.0.1:1/')).toBe('refused');
  });

  it('2 enables no Node.js in the page, its frames or its workers', async () => {
    const found = await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in globalThis),
    );

    expect(found).toEqual([]);
    expect(await preferences()).toMatchObject({ nodeIntegration: false });
    const others = await preferences();
    expect(others['nodeIntegrationInWorker'] ?? false).toBe(false);
    expect(others['nodeIntegrationInSubFrames'] ?? false).toBe(false);
  });

  it('3 isolates the preload’s context from the page’s', async () => {
    expect(await preferences()).toMatchObject({ contextIsolation: true });
    // What the page does to its own built-ins does not reach the bridge.
    const answer = await page.evaluate(`(async () => {
      const kept = Array.prototype.includes;
      Array.prototype.includes = () => true;
      const told = await agent.request('no-such-request', null);
      Array.prototype.includes = kept;
      return told;
    })()`);
    expect(answer).toMatchObject({ ok: false, error: { code: 'refused' } });
  });

  it('4 sandboxes the page, and makes no other kind of window', async () => {
    expect(await preferences()).toMatchObject({ sandbox: true });
    expect((await shellText()).match(/new (BrowserWindow|BrowserView|BaseWindow|WebContentsView)\(/g)).toEqual([
      'new BrowserWindow(',
    ]);
  });

  it('5 grants no permission that a page asks for', async () => {
    const states = await page.evaluate(`(async () => ({
      notifications: await Notification.requestPermission(),
      geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'granted', () => 'denied'),
    }))()`);

    expect(states).toEqual({ notifications: 'denied', geolocation: 'denied', camera: 'denied' });
  });

  it('6 leaves webSecurity on', async () => {
    expect(await preferences()).toMatchObject({ webSecurity: true });
  });

  it('7 defines a content policy that runs no inline script, no eval and no text as HTML', async () => {
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
    const { policy } = await served('app://agent/');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)|https?:/);
  });

  it('8 allows no insecure content', async () => {
    expect((await preferences())['allowRunningInsecureContent'] ?? false).toBe(false);
  });

  it('9 enables no experimental features', async () => {
    expect((await preferences())['experimentalFeatures'] ?? false).toBe(false);
  });

  it('10 enables no Blink features', async () => {
    expect((await preferences())['enableBlinkFeatures'] ?? '').toBe('');
  });

  it('11 has no <webview> that could allow popups', async () => {
    expect(await preferences()).toMatchObject({ webviewTag: false });
    const kind = await page.evaluate(`(() => {
      const view = document.createElement('webview');
      view.setAttribute('allowpopups', '');
      view.setAttribute('src', 'https://example.com/');
      document.body.append(view);
      const found = typeof view.loadURL;
      view.remove();
      return found;
    })()`);
    expect(kind).toBe('undefined');
  });

  it('12 lets no <webview> be attached, whatever its options', async () => {
    const count = await app.electron.evaluate(async ({ BrowserWindow, webContents }) => {
      const made = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } });
      await made.loadURL('app://agent/');
      await made.webContents.executeJavaScript(`(() => {
        const view = document.createElement('webview');
        view.setAttribute('src', 'app://agent/');
        document.body.append(view);
        return new Promise((resolve) => setTimeout(resolve, 300));
      })()`);
      const guests = webContents.getAllWebContents().filter((one) => one.getType() === 'webview').length;
      made.destroy();
      return guests;
    });
    expect(count).toBe(0);
  });

  it.each(['https://example.com/', 'file:///etc/passwd', 'app://agent/other.html', 'data:text/html,x'])(
    '13 limits navigation: the page does not go to %s',
    async (url) => {
      expect(await whereAfterGoingTo(url)).toEqual(STAYED);
    },
  );

  it('14 opens no further window', async () => {
    expect(await page.evaluate(`window.open('https://example.com/') === null`)).toBe(true);
    await page.evaluate(`(() => {
      const link = document.createElement('a');
      link.href = 'https://example.com/';
      link.target = '_blank';
      document.body.append(link);
      link.click();
      link.remove();
    })()`);
    expect(await app.windowCount()).toBe(1);
  });

  it('15 hands nothing to the system to open but the data folder and, at one place, the page of a provider', async () => {
    expect((await scriptsIn(path.join(staged.folder, 'build/app'))).match(/openExternal/g)).toEqual(['openExternal']);
    expect((await shellText()).match(/\bshell\.\w+/g)?.sort()).toEqual(['shell.openExternal', 'shell.openPath']);
    const mean = { provider: 'https://example.com/' };
    expect(await ask('open-provider-page', mean)).toMatchObject({ ok: false, error: { code: 'bad-arguments' } });
    expect(await ask('open-data-folder', '/etc')).toMatchObject({ ok: false, error: { code: 'bad-arguments' } });
  });

  it('16 ships one exact version of Electron, the one that is installed', async () => {
    const read = async (file: string) => JSON.parse(await readFile(path.join(ROOT, file), 'utf8'));
    const { devDependencies } = await read('package.json');

    expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await read('node_modules/electron/package.json')).version).toBe(devDependencies.electron);
  });

  it('17 checks the sender of every message: another window with our page and preload is refused', async () => {
    const answer = await app.electron.evaluate(async ({ BrowserWindow }, preload) => {
      const foreign = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await foreign.loadURL('app://agent/');
      const answered = await foreign.webContents.executeJavaScript("agent.request('today', null)");
      foreign.destroy();
      return answered;
    }, `${staged.folder}/build/app/preload.cjs`);
    const inFrame = await page.evaluate(`(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const found = 'agent' in frame.contentWindow;
      frame.remove();
      return found;
    })()`);

    expect(answer).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(inFrame).toBe(false);
  });

  it('18 uses a scheme of its own and no file://', async () => {
    expect(page.url()).toMatch(/^app:/);
    expect(await reach('file:///etc/passwd')).toBe('refused');
    expect(await served('app://agent/index.html')).toMatchObject({ status: 200 });
    for (const outside of ['../../package.json', '..%2f..%2fpackage.json', '%2e%2e/app/main.js', '.hidden.js']) {
      expect(await served(`app://agent/${outside}`)).toMatchObject({ status: 404 });
    }
    expect(await served('app://agent.evil/index.html')).toMatchObject({ status: 404 });
    expect(await shellText()).not.toContain('loadFile(');
  });

  it('19 has decided about every fuse there is', () => {
    const known = Object.values(FuseV1Options).filter((value) => typeof value === 'number');

    expect(
      Object.keys(SHIPPED_FUSES)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(known.sort((a, b) => a - b));
    expect(SHIPPED_FUSES).toMatchObject({
      [FuseV1Options.RunAsNode]: false,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      [FuseV1Options.OnlyLoadAppFromAsar]: true,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
    });
  });

  it('20 exposes no interface of Electron: two functions for listed names', async () => {
    const bridge = await page.evaluate(() => Object.keys((globalThis as unknown as { agent: object }).agent).sort());

    expect(bridge).toEqual(['on', 'request']);
    expect(await ask('read-secret', null)).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await ask('__proto__', null)).toMatchObject({ ok: false, error: { code: 'refused' } });
    // A listener hears the payload alone: an event would bring a way to send.
    await page.evaluate(`agent.on('go-to', (...all) => { globalThis.heard = JSON.stringify(all); }); undefined`);
    await app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.send('event:go-to', { place: 'mails' });
    });
    await until(async () => (await page.evaluate('globalThis.heard')) === '[{"place":"mails"}]');
  });
});

describe('the window contract', () => {
  it('refuses arguments that are not of the request’s form', async () => {
    expect(await ask('mail', { id: 7 })).toMatchObject({ ok: false, error: { code: 'bad-arguments' } });
    expect(await ask('today', { more: true })).toMatchObject({ ok: false, error: { code: 'bad-arguments' } });
    expect(await ask('mails', { kinds: null, text: '', offset: 0, limit: 100_000 })).toMatchObject({
      ok: false,
      error: { code: 'bad-arguments' },
    });
  });

  it('tells the page nothing by a secret’s name in any view', async () => {
    const texts = await Promise.all(
      (['today', 'set-up', 'settings', 'about', 'questions'] as const).map((name) => app.request(name, null)),
    );

    expect(JSON.stringify(texts)).not.toMatch(/token|"password"/i);
  });
});
