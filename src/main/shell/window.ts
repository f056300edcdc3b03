import { BrowserWindow, type Rectangle, screen, type WebContents } from 'electron';
import { type EventName, type Events, eventChannel } from '../../shared/ipc/channels.ts';
import { WINDOW_ORIGIN } from '../../shared/ipc/content-policy.ts';
import { placeBeside } from '../window-host/window-place.ts';

const SIZE = { width: 440, height: 680, minWidth: 400, minHeight: 560 } as const;

export type Place = Events['go-to']['place'];

export type WindowKeeper = {
  /** Makes the window, or brings it to the front, and goes to `place` where one is named. */
  open(place: Place | null): void;
  tell<N extends EventName>(name: N, payload: Events[N]): void;
  isOpen(): boolean;
  isOurs(contents: WebContents): boolean;
  close(): void;
};

/** The one window, which exists only while it is open: closed, it costs nothing. */
export function keepWindow(parts: {
  readonly preload: string;
  readonly title: string;
  readonly icon: string;
  /** Where the tray's icon is, null where the system does not tell. */
  readonly trayBounds: () => Rectangle | null;
  /** Called once, before the first window is made. */
  readonly prepare: () => void;
  readonly onGone: (reason: string) => void;
  readonly onClosed: () => void;
}): WindowKeeper {
  let window: BrowserWindow | null = null;
  let prepared = false;
  let loaded = false;
  let wanted: Place | null = null;

  const tell: WindowKeeper['tell'] = (name, payload) => {
    if (window !== null && loaded) window.webContents.send(eventChannel(name), payload);
  };
  const goTo = () => {
    if (wanted !== null && loaded) tell('go-to', { place: wanted });
    if (loaded) wanted = null;
  };

  const make = (): BrowserWindow => {
    if (!prepared) parts.prepare();
    prepared = true;
    const made = new BrowserWindow({
      ...SIZE,
      ...position(parts.trayBounds()),
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
    made.once('ready-to-show', () => made.show());
    made.on('closed', () => {
      window = null;
      loaded = false;
      wanted = null;
      parts.onClosed();
    });
    made.webContents.on('did-finish-load', () => {
      loaded = true;
      goTo();
    });
    made.webContents.on('render-process-gone', (_event, { reason }) => {
      parts.onGone(reason);
      // Sending does not need it; the next click makes a new one.
      made.destroy();
    });
    void made.loadURL(`${WINDOW_ORIGIN}/`).catch((error: Error) => parts.onGone(error.name));
    return made;
  };

  return {
    open(place) {
      wanted = place ?? wanted;
      if (window === null) {
        window = make();
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

function position(tray: Rectangle | null): { x: number; y: number } | Record<never, never> {
  if (tray === null) return {};
  return placeBeside(tray, SIZE, screen.getDisplayMatching(tray).workArea);
}
