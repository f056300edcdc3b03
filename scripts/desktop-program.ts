import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildAppOnce } from './build-app.ts';
import { provideElectron } from './electron-runtime/provide-electron.ts';

const ROOT = path.dirname(import.meta.dirname);

/** How the desktop app of this checkout is started. */
export type DesktopProgram = {
  readonly executable: string;
  readonly words: readonly string[];
  /** For a person: in what it differs from the app that ships. */
  readonly remarks: readonly string[];
};

/** Builds the app where it changed, and provides an Electron for it; throws where neither the one that ships nor another can be had. */
export async function prepareDesktop(): Promise<DesktopProgram> {
  await buildAppOnce();
  const { executable, betterSqlite3, remark } = await provideElectron();
  // Found by what was built into build/app before any other copy.
  const staged = path.join(ROOT, 'build/node_modules/better-sqlite3');
  rmSync(staged, { recursive: true, force: true });
  cpSync(betterSqlite3, staged, { recursive: true });
  const remarks = remark === null ? [] : [remark];
  // Chromium refuses to start its sandbox for root; only a developer's machine runs it so.
  if (process.getuid?.() !== 0) return { executable, words: [ROOT], remarks };
  return {
    executable,
    words: ['--no-sandbox', ROOT],
    remarks: [...remarks, 'Running as root: the sandbox of the window is off.'],
  };
}
