// Builds the desktop app into build/: what runs in Node, the preload, the page. Usage: npm run build
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { LICENCES_FILE } from '../src/main/window-host/licences.ts';
import { UPDATE_KEY_FILE } from '../src/main/window-host/updates/update-source.ts';
import { type BundledPackage, notePackages, readPackage } from './package/bundled-packages.ts';
import { licencesOf } from './package/licences.ts';

const ROOT = path.dirname(import.meta.dirname);
const PARTS = [
  { config: 'vite.shell.config.ts', mode: 'main' },
  { config: 'vite.shell.config.ts', mode: 'preload' },
  { config: 'vite.renderer.config.ts', mode: 'production' },
] as const;
/** Shipped beside what is bundled. */
const UNBUNDLED = ['better-sqlite3', 'keytar', 'electron'] as const;

/**
 * Builds and lists the licences of all that is inside; answers those packages. `updateKey` (PEM) is the public key of
 * whoever publishes newer versions.
 */
export async function buildApp(updateKey: string | null = null): Promise<readonly BundledPackage[]> {
  const found = new Map<string, BundledPackage>();
  const note = (one: BundledPackage) => found.set(`${one.name}@${one.version}`, one);
  for (const { config, mode } of PARTS) {
    await build({ configFile: path.join(ROOT, config), mode, logLevel: 'warn', plugins: [notePackages(note)] });
  }
  for (const name of UNBUNDLED) note(readPackage(path.join(ROOT, 'node_modules', name)));
  const packages = [...found.values()];
  if (updateKey !== null) writeFileSync(path.join(ROOT, 'build/app', UPDATE_KEY_FILE), updateKey);
  writeFileSync(path.join(ROOT, 'build/app', LICENCES_FILE), `${JSON.stringify(licencesOf(packages), null, 1)}\n`);
  return packages;
}

/** What the built app is made from, its libraries by the lock that names them. */
const SOURCES = [
  'src',
  'scripts/bundle',
  'scripts/build-app.ts',
  'vite.shell.config.ts',
  'vite.renderer.config.ts',
  'package-lock.json',
];

/** Builds only where something changed since the last build. */
export async function buildAppOnce(): Promise<void> {
  const writtenLast = path.join(ROOT, 'build/app', LICENCES_FILE);
  if (!existsSync(writtenLast) || newestChangeMs(SOURCES) >= statSync(writtenLast).mtimeMs) await buildApp();
}

function newestChangeMs(places: readonly string[]): number {
  const all = places.flatMap((place) => {
    const at = path.join(ROOT, place);
    if (!statSync(at).isDirectory()) return [at];
    return readdirSync(at, { recursive: true, encoding: 'utf8' }).map((name) => path.join(at, name));
  });
  return Math.max(...all.map((file) => statSync(file).mtimeMs));
}

if (import.meta.main) await buildApp();
