import path from 'node:path';
import { app, clipboard, dialog, Menu, session, shell } from 'electron';
import { DESKTOP_TEXTS, type DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import { exportLog } from '../adapters/log/export-log.ts';
import { defaultDataFolder } from '../headless/data-folder.ts';
import { EXIT } from '../headless/exit-codes.ts';
import { chooseLanguage } from '../headless/terminal.ts';
import { VERSION } from '../headless/version.ts';
import { HIDDEN_ARGUMENT } from '../window-host/autostart-entry.ts';
import type { Desktop } from '../window-host/handlers.ts';
import { LICENCES_FILE, readLicences } from '../window-host/licences.ts';
import { firstMemory, noticesOf } from '../window-host/notices.ts';
import { logFolder, openWindowHost, type WindowHost } from '../window-host/open-window-host.ts';
import { pauseUntilMs } from '../window-host/pause-until.ts';
import { type TrayCommand, trayView } from '../window-host/tray-view.ts';
import { readUpdateSource, UPDATE_KEY_FILE } from '../window-host/updates/update-source.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { hardenContents, hardenSession } from './harden.ts';
import { serveRequests } from './ipc.ts';
import { keychainChildIn } from './keychain-child.ts';
import { openLink } from './open-link.ts';
import { createQuitter } from './quit.ts';
import { resolveBySystem } from './resolve-routes.ts';
import { declareScheme, serveScheme } from './scheme.ts';
import { showNotice } from './show-notice.ts';
import { setStartAtLogin } from './start-at-login.ts';
import { createTray } from './tray.ts';
import { watchComputer } from './watch-computer.ts';
import { canUpdateItself, watchForUpdates } from './watch-for-updates.ts';
import { keepWindow } from './window.ts';

/** Beside this file, as the build lays them out. */
const BUILD = import.meta.dirname;
const ASSETS = path.join(BUILD, '../../assets');
/** Many changes in one moment are told once. */
const GATHER_MS = 100;

/** How long a system's installer may take to end this app by itself. */
const INSTALLER_MS = 30_000;
/** After which a start has settled, or a closed window's remains are gone. */
const GIVE_BACK_MS = 5_000;

/** What a second start tells the first. Its arguments would come reordered. */
type SecondStart = { readonly hidden: boolean };

const folder = defaultDataFolder();
/** After an update nobody asked for a window. The last two: how electron-updater starts a new version. */
const isHiddenStart =
  process.argv.includes(HIDDEN_ARGUMENT) ||
  process.argv.includes('--updated') ||
  process.env['APPIMAGE_SILENT_INSTALL'] === 'true';

app.setName('Mail Agent');
app.setAppUserModelId('mail-agent');
// One profile, and so one running app, for each data folder.
app.setPath('userData', path.join(folder, 'window'));
// A small window of text needs no graphics process.
app.disableHardwareAcceleration();
declareScheme();
hardenContents();

if (app.requestSingleInstanceLock({ hidden: isHiddenStart } satisfies SecondStart)) void run();
else app.exit(EXIT.done);

async function run(): Promise<void> {
  await app.whenReady();
  Menu.setApplicationMenu(null);
  const systemLanguage = chooseLanguage(app.getPreferredSystemLanguages()[0] ?? app.getLocale());
  const opened = openWindowHost({
    folder,
    version: VERSION,
    systemLanguage,
    startChild: keychainChildIn(path.join(BUILD, 'keychain-process.js')),
    desktop: desktopOf(() => texts()),
    resolveRoutes: resolveBySystem,
  });
  if (!opened.ok) {
    const words = DESKTOP_TEXTS[systemLanguage];
    dialog.showErrorBox(words.appName, opened.error.kind === 'in-use' ? words.inUse : opened.error.text);
    app.exit(opened.error.kind === 'in-use' ? EXIT.inUse : EXIT.ledger);
    return;
  }
  const windowHost = opened.value;
  const { host, log } = windowHost;
  function texts(): DesktopTexts {
    return DESKTOP_TEXTS[host.language()];
  }
  wire(windowHost, texts);
  if (windowHost.notice !== null) {
    const { file, why } = windowHost.notice;
    void dialog.showMessageBox({ type: 'warning', message: texts().damagedSetAside(file, why) });
  }
  log.info('desktop.started', { version: VERSION, electron: process.versions['electron'] ?? '' });
}

function wire(windowHost: WindowHost, texts: () => DesktopTexts): void {
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
    ? readUpdateSource([folder, process.resourcesPath], path.join(BUILD, UPDATE_KEY_FILE))
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
  const tray = createTray({ icons: path.join(ASSETS, 'tray'), first: view(), run: (command) => commands[command]() });
  const window = keepWindow({
    preload: path.join(BUILD, 'preload.cjs'),
    title: texts().appName,
    icon: path.join(ASSETS, 'icon.png'),
    trayBounds: tray.bounds,
    storedSize: host.windowSize,
    onSize: host.keepWindowSize,
    // Chromium's session costs memory, and without a window nobody needs one.
    prepare() {
      hardenSession(session.defaultSession);
      serveScheme(session.defaultSession, path.join(BUILD, '../renderer'), async (id) => {
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

  app.on('second-instance', (_event, _argv, _folder, data) => {
    if (!isHidden(data)) window.open(null);
  });
  app.on('activate', () => window.open(null));
  // Without a window it lives on in the tray.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    if (isLeaving) return;
    event.preventDefault();
    quitter.quit();
  });
  giveBackMemorySoon();
  if (!isHiddenStart || !host.isSetUp()) window.open(host.isSetUp() ? null : 'set-up');
}

/** Not at once: what was used last is still being let go of. */
const giveBackMemorySoon = (): unknown => setTimeout(giveBackMemory, GIVE_BACK_MS).unref();

const isHidden = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'hidden' in data && data.hidden === true;

function desktopOf(texts: () => DesktopTexts): Desktop {
  return {
    about: () => ({
      version: VERSION,
      electron: process.versions['electron'] ?? '',
      chromium: process.versions['chrome'] ?? '',
      node: process.versions.node,
      platform: `${process.platform} ${process.arch} ${process.getSystemVersion()}`,
      dataFolder: folder,
    }),
    licences: () => readLicences(path.join(BUILD, LICENCES_FILE)),
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
    copyText: (text) => clipboard.writeText(text),
    setStartAtLogin,
  };
}
