import path from 'node:path';
import { app, clipboard, dialog, session, shell } from 'electron';
import { DESKTOP_TEXTS, type DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import { exportLog } from '../adapters/log/export-log.ts';
import { EXIT } from '../headless/exit-codes.ts';
import { VERSION } from '../headless/version.ts';
import type { Desktop } from '../window-host/handlers.ts';
import { LICENCES_FILE, readLicences } from '../window-host/licences.ts';
import { firstMemory, noticesOf } from '../window-host/notices.ts';
import { logFolder, openWindowHost, type WindowHost } from '../window-host/open-window-host.ts';
import { pauseUntilMs } from '../window-host/pause-until.ts';
import { type TrayCommand, trayView } from '../window-host/tray-view.ts';
import { readUpdateSource, UPDATE_KEY_FILE } from '../window-host/updates/update-source.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { hardenSession } from './harden.ts';
import { serveRequests } from './ipc.ts';
import { keychainChildIn } from './keychain-child.ts';
import { openLink, openSignIn } from './open-link.ts';
import { createQuitter } from './quit.ts';
import { resolveBySystem } from './resolve-routes.ts';
import { serveScheme } from './scheme.ts';
import { showNotice } from './show-notice.ts';
import { setStartAtLogin } from './start-at-login.ts';
import type { TrayIcon } from './tray.ts';
import { watchComputer } from './watch-computer.ts';
import { canUpdateItself, watchForUpdates } from './watch-for-updates.ts';
import { keepWindow } from './window.ts';

/** Many changes in one moment are told once. */
const GATHER_MS = 100;

/** How long a system's installer may take to end this app by itself. */
const INSTALLER_MS = 30_000;
/** After which a start has settled, or a closed window's remains are gone. */
const GIVE_BACK_MS = 5_000;

/** What is known before most of the program is loaded. */
export type Start = {
  /** The data folder. */
  readonly folder: string;
  /** The folder of the built program. */
  readonly build: string;
  readonly icon: string;
  readonly systemLanguage: Language;
  readonly isHidden: boolean;
  readonly tray: TrayIcon;
};

/** Opens everything on the data folder; answers who hears the tray's commands, null where the app had to end. */
export function run(start: Start): ((command: TrayCommand) => void) | null {
  const { folder, build, systemLanguage } = start;
  const opened = openWindowHost({
    folder,
    version: VERSION,
    systemLanguage,
    startChild: keychainChildIn(path.join(build, 'keychain-process.js')),
    desktop: desktopOf(start, () => texts()),
    resolveRoutes: resolveBySystem,
  });
  if (!opened.ok) {
    const words = DESKTOP_TEXTS[systemLanguage];
    dialog.showErrorBox(words.appName, opened.error.kind === 'in-use' ? words.inUse : opened.error.text);
    app.exit(opened.error.kind === 'in-use' ? EXIT.inUse : EXIT.ledger);
    return null;
  }
  const windowHost = opened.value;
  const { host, log } = windowHost;
  function texts(): DesktopTexts {
    return DESKTOP_TEXTS[host.language()];
  }
  const hear = wire(start, windowHost, texts);
  if (windowHost.notice !== null) {
    const { file, why } = windowHost.notice;
    void dialog.showMessageBox({ type: 'warning', message: texts().damagedSetAside(file, why) });
  }
  log.info('desktop.started', { version: VERSION, electron: process.versions['electron'] ?? '' });
  return hear;
}

function wire(start: Start, windowHost: WindowHost, texts: () => DesktopTexts): (command: TrayCommand) => void {
  const { folder, build, tray } = start;
  const { host, handlers, answers, log } = windowHost;
  const view = () =>
    trayView({
      status: host.status(),
      isSetUp: host.isSetUp(),
      isQuitting: quitter.isQuitting(),
      language: host.language(),
    });
  const quitter = createQuitter({
    status: host.status,
    texts,
    stop: (mode) => {
      answers.giveAll();
      return host.stop(mode);
    },
    began: () => changed(),
    async end(how) {
      unwatch();
      updates?.stop();
      window.close();
      tray.close();
      await windowHost.close();
      isLeaving = true;
      // A new version may start before this one is gone.
      app.releaseSingleInstanceLock();
      const isInstalling =
        how === 'drained' && updates?.install(isUpdating ? 'start-again' : 'stay-closed') === 'leaving';
      if (isInstalling) setTimeout(() => app.exit(EXIT.done), INSTALLER_MS);
      else app.exit(EXIT.done);
    },
  });

  let isLeaving = false;
  let isUpdating = false;
  const source = canUpdateItself(app.isPackaged)
    ? readUpdateSource([folder, process.resourcesPath], path.join(build, UPDATE_KEY_FILE))
    : null;
  const updates =
    source === null
      ? null
      : watchForUpdates({
          source,
          folder: path.join(folder, 'update'),
          log,
          isQuiet: () => {
            const { current, counts } = host.status();
            return current === null && counts.waiting === 0 && !window.isOpen() && !quitter.isQuitting();
          },
          leave() {
            isUpdating = true;
            quitter.quit();
          },
        });

  const pause = (until: 'hour' | 'today' | 'resume') => host.pause(pauseUntilMs(until, Date.now()));
  const commands: Record<TrayCommand, () => unknown> = {
    open: () => window.open(null),
    'needs-you': () => window.open('needs-you'),
    'check-now': host.checkNow,
    'pause-hour': () => pause('hour'),
    'pause-today': () => pause('today'),
    'pause-open-end': () => pause('resume'),
    resume: host.resume,
    quit: () => quitter.quit(),
  };
  tray.show(view());
  const window = keepWindow({
    preload: path.join(build, 'preload.cjs'),
    title: texts().appName,
    icon: start.icon,
    trayBounds: tray.bounds,
    storedSize: host.windowSize,
    onSize: host.keepWindowSize,
    // Chromium's session costs memory, and without a window nobody needs one.
    prepare() {
      hardenSession(session.defaultSession);
      serveScheme(session.defaultSession, path.join(build, '../renderer'), async (id) => {
        const mail = await handlers.mail({ id });
        return mail.ok ? (mail.value?.html ?? null) : null;
      });
    },
    onGone: (reason) => log.error('window.gone', { reason }),
    onClosed: giveBackMemorySoon,
  });
  windowHost.onAccountCheck((progress) => window.tell('account-check', progress));
  serveRequests({ handlers, log, texts, isOurs: window.isOurs });

  let memory = firstMemory(host.status());
  const tell = () => {
    tray.show(view());
    window.tell('changed', null);
    const news = noticesOf(memory, host.status(), host.language());
    memory = news.memory;
    if (!host.isSetUp()) return;
    for (const notice of news.notices) showNotice(notice, texts().appName, (place) => window.open(place));
  };
  let gathering: NodeJS.Timeout | null = null;
  const changed = () => {
    gathering ??= setTimeout(() => {
      gathering = null;
      tell();
    }, GATHER_MS);
  };
  const unlisten = host.onChange(changed);
  const unwatchComputer = watchComputer({
    sleep: host.sleep,
    wake: host.wake,
    unlock: host.unlocked,
    online: host.checkNow,
    clockSet(byMs) {
      log.info('computer.clock-set', { byMs });
      host.checkNow();
    },
    shutdown: quitter.quit,
  });
  const unwatch = () => {
    unlisten();
    unwatchComputer();
    if (gathering !== null) clearTimeout(gathering);
  };

  app.on('before-quit', (event) => {
    if (isLeaving) return;
    event.preventDefault();
    quitter.quit();
  });
  giveBackMemorySoon();
  if (!start.isHidden || !host.isSetUp()) window.open(host.isSetUp() ? null : 'set-up');
  return (command) => commands[command]();
}

/** Not at once: what was used last is still being let go of. */
const giveBackMemorySoon = (): unknown => setTimeout(giveBackMemory, GIVE_BACK_MS).unref();

function desktopOf({ folder, build }: Start, texts: () => DesktopTexts): Desktop {
  return {
    about: () => ({
      version: VERSION,
      electron: process.versions['electron'] ?? '',
      chromium: process.versions['chrome'] ?? '',
      node: process.versions.node,
      platform: `${process.platform} ${process.arch} ${process.getSystemVersion()}`,
      dataFolder: folder,
    }),
    licences: () => readLicences(path.join(build, LICENCES_FILE)),
    async exportLog() {
      const defaultPath = path.join(app.getPath('documents'), texts().logFileName);
      const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath });
      if (canceled || filePath === '') return { ok: true, value: null };
      const saved = await exportLog({ folder: logFolder(folder), to: filePath, version: VERSION });
      if (saved.ok) return { ok: true, value: { file: saved.value } };
      return { ok: false, error: { code: 'failed', text: saved.error } };
    },
    async openDataFolder() {
      await shell.openPath(folder);
    },
    openPage: openLink,
    openSignIn,
    copyText: (text) => clipboard.writeText(text),
    setStartAtLogin,
  };
}
