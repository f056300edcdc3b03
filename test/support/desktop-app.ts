import type { ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { build } from 'vite';
import { provideElectron } from '../../scripts/electron-runtime/provide-electron.ts';
import type { Bridge, IpcResult, RequestName, Requests } from '../../src/shared/ipc/channels.ts';
import type { DesktopSession } from './desktop-session.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** An app to start: with a page that does nothing by itself where it was staged, with its own where it was packaged. */
export type StagedApp = {
  readonly folder: string;
  readonly executable: string;
  /** What names the app to the executable; nothing where the app is in it. */
  readonly words: readonly string[];
  remove(): Promise<void>;
};

const PAGE =
  '<!doctype html><html lang="en"><head><title>Mail Agent</title></head><body><main id="here">here</main></body></html>';

/** Builds what ships, except its page, and lays it out beside native modules that the runtime can load. */
export async function stageApp(): Promise<StagedApp> {
  const { executable, betterSqlite3 } = await provideElectron();
  const folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-app-'));
  for (const mode of ['main', 'preload']) {
    const configFile = path.join(ROOT, 'vite.shell.config.ts');
    await build({ configFile, mode, logLevel: 'error', build: { outDir: path.join(folder, 'build/app') } });
  }
  await mkdir(path.join(folder, 'build/renderer'));
  await writeFile(path.join(folder, 'build/renderer/index.html'), PAGE);
  await cp(path.join(ROOT, 'assets'), path.join(folder, 'assets'), { recursive: true });
  await cp(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  const modules = path.join(folder, 'node_modules');
  await mkdir(modules);
  const own = path.join(ROOT, 'node_modules');
  await symlink(betterSqlite3, path.join(modules, 'better-sqlite3'));
  await symlink(path.join(own, 'keytar'), path.join(modules, 'keytar'));
  return { folder, executable, words: [folder], remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The app as it runs on one desktop. */
export class DesktopApp {
  readonly electron: ElectronApplication;
  readonly #child: ChildProcess;
  readonly #loaded = new WeakSet<Page>();
  #words = '';

  private constructor(electron: ElectronApplication) {
    this.electron = electron;
    // Once the app has ended the driver no longer tells.
    this.#child = electron.process();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#words = (this.#words + chunk.toString()).slice(-8_000);
      });
    }
  }

  static async launch(staged: StagedApp, session: DesktopSession, words: readonly string[] = []): Promise<DesktopApp> {
    // The driver finds the program by this place, and then holds the app back until it listens: a window that opens
    // while the driver connects may leave it waiting for ever. A packaged one is found by its path.
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] = path.dirname(staged.executable);
    const electron = await _electron.launch({
      ...(staged.words.length === 0 ? { executablePath: staged.executable } : {}),
      args: [...staged.words, ...words],
      cwd: staged.folder,
      env: { ...session.env },
    });
    return new DesktopApp(electron);
  }

  /** What it said on its terminal lately, for a failure's message. */
  get words(): string {
    return this.#words;
  }

  /** The window's page, once there is one and it has loaded; the newest where one came in the place of another. */
  async page(): Promise<Page> {
    const page = this.electron.windows().at(-1) ?? (await this.electron.waitForEvent('window'));
    // Asked once: a navigation that was refused seems to the driver as if it never ended.
    if (!this.#loaded.has(page)) await page.waitForSelector('#here, #app > *');
    this.#loaded.add(page);
    return page;
  }

  /** Asks as the page does, over the bridge. */
  async request<N extends RequestName>(name: N, argument: Requests[N]['in']): Promise<Requests[N]['out']> {
    const page = await this.page();
    const answer = (await page.evaluate(
      ([which, what]) =>
        (globalThis as unknown as { agent: Bridge }).agent.request(which as N, what as Requests[N]['in']),
      [name, argument] as const,
    )) as IpcResult<Requests[N]['out']>;
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.text}`);
    return answer.value;
  }

  windowCount(): Promise<number> {
    return this.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  }

  /** As a person closes it, by its frame. */
  async closeWindow(): Promise<void> {
    await this.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  }

  /** Asks the app to quit and waits until its process is gone. */
  async quit(): Promise<void> {
    const gone = this.gone();
    await this.electron.evaluate(({ app }) => {
      setImmediate(() => app.quit());
    });
    await gone;
  }

  /** Resolves with the exit code once the process is gone. */
  gone(): Promise<number | null> {
    const child = this.#child;
    if (child.exitCode !== null) return Promise.resolve(child.exitCode);
    return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  }

  /** Whatever state it is in. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await this.gone();
    }
  }
}
