import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { autostartEntry, autostartFile, HIDDEN_ARGUMENT } from '../window-host/autostart-entry.ts';

/** Starts the app without a window when the person logs in, or no longer. Throws where the file cannot be written. */
export function setStartAtLogin(wanted: 'on' | 'off'): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: wanted === 'on', args: [HIDDEN_ARGUMENT] });
    return;
  }
  const file = autostartFile(app.getPath('home'), process.env);
  if (wanted === 'off') {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, autostartEntry(startCommand()));
}

function startCommand(): string[] {
  // An AppImage runs from a place that is gone after it ends; its own file stays.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  return app.isPackaged ? [program] : [program, app.getAppPath()];
}
