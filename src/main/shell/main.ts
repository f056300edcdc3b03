import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { app, Menu } from 'electron';
import { defaultDataFolder } from '../headless/data-folder.ts';
import { EXIT } from '../headless/exit-codes.ts';
import { chooseLanguage } from '../headless/terminal.ts';
import { HIDDEN_ARGUMENT } from '../window-host/autostart-entry.ts';
import { startingView, type TrayCommand } from '../window-host/tray-view.ts';
import { hardenContents } from './harden.ts';
import { declareScheme } from './scheme.ts';
import { createTray } from './tray.ts';

/** Beside this file, as the build lays them out. */
const BUILD = import.meta.dirname;
const ASSETS = path.join(BUILD, '../../assets');

/** The system asks for the icon over several turns, and loading the rest is one long turn that they would wait for. */
const ICON_MS = 50;

/** What a second start tells the first. Its arguments would come reordered. */
type SecondStart = { readonly hidden: boolean };

const folder = defaultDataFolder();
/** After an update nobody asked for a window. The last two: how electron-updater starts a new version. */
const isHidden =
  process.argv.includes(HIDDEN_ARGUMENT) ||
  process.argv.includes('--updated') ||
  process.env['APPIMAGE_SILENT_INSTALL'] === 'true';

app.setName('Mail Agent');
app.setAppUserModelId('mail-agent');
// One profile, and so one running app, for each data folder.
app.setPath('userData', path.join(folder, 'window'));
// A small window of text needs no graphics hardware.
app.disableHardwareAcceleration();
// Nor does its page, which loads nothing, need a process for the network: mails and the cloud go through Node, and only
// updates and the system's proxy ask Chromium.
app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
declareScheme();
hardenContents();

if (app.requestSingleInstanceLock({ hidden: isHidden } satisfies SecondStart)) void start();
else app.exit(EXIT.done);

/** The icon comes first; most of the program, and of the time it takes to start, is loaded behind it. */
async function start(): Promise<void> {
  let early: TrayCommand | null = null;
  let hear = (command: TrayCommand): void => {
    // Nothing is open yet that would have to be closed.
    if (command === 'quit') app.exit(EXIT.done);
    early = command;
  };
  app.on('second-instance', (_event, _argv, _folder, data) => {
    if (!saysHidden(data)) hear('open');
  });
  app.on('activate', () => hear('open'));
  // Without a window it lives on in the tray.
  app.on('window-all-closed', () => undefined);

  await app.whenReady();
  Menu.setApplicationMenu(null);
  const systemLanguage = chooseLanguage(app.getPreferredSystemLanguages()[0] ?? app.getLocale());
  const tray = createTray({
    icons: path.join(ASSETS, 'tray'),
    first: startingView(systemLanguage),
    run: (command) => hear(command),
  });
  await pause(ICON_MS);
  const { run } = await import('./run.ts');
  const icon = path.join(ASSETS, 'icon.png');
  const ready = run({ folder, build: BUILD, icon, systemLanguage, isHidden, tray });
  if (ready === null) return;
  hear = ready;
  if (early !== null) hear(early);
}

const saysHidden = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'hidden' in data && data.hidden === true;
