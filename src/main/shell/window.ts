import { BrowserWindow, type Rectangle, screen, type WebContents } from 'electron';
import { type EventName, type Events, eventChannel } from '../../shared/ipc/channels.ts';
import { WINDOW_ORIGIN } from '../../shared/ipc/content-policy.ts';
import { createRenewals } from '../window-host/renewals.ts';
import { placeBeside } from '../window-host/window-place.ts';
import { LEAST_SIZE, type WindowSize, windowSize } from '../window-host/window-size.ts';

export type Place = Events['go-to']['place'];

export type WindowKeeper = {
  /** Makes the window, or brings it to the front, and goes to `place` where one is named. */
  open(place: Place | null): void;
  tell<N extends EventName>(name: N, payload: Events[N]): void;
  isOpen(): boolean;
  isOurs(contents: WebContents): boolean;
  close(): void;
};

/** How a window comes up: for a person who asked for it, or in the place of one whose page ended. */
type Coming = 'asked' | { readonly at: Rectangle };

/** The one window, which exists only while it is open: closed, it costs nothing. */
export function keepWindow(parts: {
  readonly preload: string;
  readonly title: string;
  readonly icon: string;
  /** Where the tray's icon is, null where the system does not tell. */
  readonly trayBounds: () => Rectangle | null;
  /** The size it had last, as it was stored. */
  readonly storedSize: () => unknown;
  readonly onSize: (size: WindowSize) => void;
  /** Called once, before the first window is made. */
  readonly prepare: () => void;
  /** Its page hung or ended. */
  readonly onGone: (reason: string) => void;
  readonly onClosed: () => void;
}): WindowKeeper {
  let window: BrowserWindow | null = null;
  let prepared = false;
  let loaded = false;
  let wanted: Place | null = null;
  const mayRenew = createRenewals(() => performance.now());

  const tell: WindowKeeper['tell'] = (name, payload) => {
    if (window !== null && loaded) window.webContents.send(eventChannel(name), payload);
  };
  const goTo = () => {
    if (wanted !== null && loaded) tell('go-to', { place: wanted });
    if (loaded) wanted = null;
  };

  const make = (coming: Coming): BrowserWindow => {
    if (!prepared) parts.prepare();
    prepared = true;
    const made = new BrowserWindow({
      ...(coming === 'asked' ? boundsBeside(parts.trayBounds(), parts.storedSize()) : coming.at),
      minWidth: LEAST_SIZE.width,
      minHeight: LEAST_SIZE.height,
      title: parts.title,
      icon: parts.icon,
      show: false,
      autoHideMenuBar: true,
      fullscreenable: false,
      maximizable: false,
      webPreferences: {
        preload: parts.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
        navigateOnDragDrop: false,
      },
    });
    made.removeMenu();
    made.once('ready-to-show', () => {
      if (coming === 'asked') made.show();
      else made.showInactive();
    });
    made.on('close', () => {
      const [width = 0, height = 0] = made.getSize();
      parts.onSize({ width, height });
    });
    made.on('closed', () => {
      if (window !== made) return;
      window = null;
      loaded = false;
      wanted = null;
      parts.onClosed();
    });
    made.webContents.on('did-finish-load', () => {
      if (window !== made) return;
      loaded = true;
      goTo();
    });
    made.on('unresponsive', () => replace(made, 'hung'));
    made.webContents.on('render-process-gone', (_event, { reason }) => replace(made, reason));
    void made.loadURL(`${WINDOW_ORIGIN}/`).catch((error: Error) => parts.onGone(error.name));
    return made;
  };

  /** Sending needs no window: one whose page ended goes, and a new one comes in its place. */
  const replace = (ended: BrowserWindow, reason: string): void => {
    if (window !== ended) return;
    parts.onGone(reason);
    const at = ended.getBounds();
    window = null;
    loaded = false;
    // A page that hangs does not end by itself when its window does.
    if (reason === 'hung') ended.webContents.forcefullyCrashRenderer();
    ended.destroy();
    if (mayRenew()) window = make({ at });
  };

  return {
    open(place) {
      wanted = place ?? wanted;
      if (window === null) {
        window = make('asked');
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      goTo();
    },
    tell,
    isOpen: () => window !== null,
    isOurs: (contents) => window !== null && window.webContents === contents,
    close: () => window?.destroy(),
  };
}

function boundsBeside(tray: Rectangle | null, storedSize: unknown): Partial<Rectangle> {
  const { workArea } = tray === null ? screen.getPrimaryDisplay() : screen.getDisplayMatching(tray);
  const size = windowSize(storedSize, workArea);
  return tray === null ? size : { ...size, ...placeBeside(tray, size, workArea) };
}
