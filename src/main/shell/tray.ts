import path from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, nativeTheme, type Rectangle, Tray } from 'electron';
import { assertNever } from '../../shared/result.ts';
import type { TrayCommand, TrayEntry, TrayView } from '../window-host/tray-view.ts';

export type TrayIcon = {
  show(view: TrayView): void;
  /** Null where the system does not tell. */
  bounds(): Rectangle | null;
  close(): void;
};

/** The icon in the tray; a click opens the window, the menu does the rest. */
export function createTray(parts: {
  /** Folder of the icons, by state and theme. */
  readonly icons: string;
  readonly first: TrayView;
  readonly run: (command: TrayCommand) => void;
}): TrayIcon {
  let view = parts.first;
  const imageOf = (state: TrayView['icon']) => nativeImage.createFromPath(path.join(parts.icons, iconFile(state)));
  const tray = new Tray(imageOf(view.icon));
  const draw = () => {
    tray.setImage(imageOf(view.icon));
    tray.setToolTip(view.tooltip);
    tray.setContextMenu(Menu.buildFromTemplate(view.menu.map((entry) => itemOf(entry, parts.run))));
  };
  draw();
  tray.on('click', () => parts.run('open'));
  nativeTheme.on('updated', draw);
  return {
    show(next) {
      if (JSON.stringify(next) === JSON.stringify(view)) return;
      view = next;
      draw();
    },
    bounds() {
      const bounds = tray.getBounds();
      return bounds.width > 0 && bounds.height > 0 ? bounds : null;
    },
    close() {
      nativeTheme.off('updated', draw);
      tray.destroy();
    },
  };
}

/** Electron finds the larger ones beside it. On macOS the system colours a template itself. */
function iconFile(state: TrayView['icon']): string {
  if (process.platform === 'darwin') return `${state}Template.png`;
  const theme = nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
  return process.platform === 'linux' ? `${state}-${theme}-24.png` : `${state}-${theme}.png`;
}

function itemOf(entry: TrayEntry, run: (command: TrayCommand) => void): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'text':
      return { label: entry.label, enabled: false };
    case 'line':
      return { type: 'separator' };
    case 'command':
      return { label: entry.label, click: () => run(entry.command) };
    case 'menu':
      return { label: entry.label, submenu: entry.entries.map((inner) => itemOf(inner, run)) };
    default:
      return assertNever(entry);
  }
}
