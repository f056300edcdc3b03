// Builds the desktop app into build/: what runs in Node, the preload, the page. Usage: npm run build
import { writeFileSync } from 'node:fs';
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

if (import.meta.main) await buildApp();
