import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';

/** A package of which something is inside the app. `folder` is where it lies on this machine. */
export type BundledPackage = {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** As the package names its author; null where it does not. */
  readonly author: string | null;
  readonly folder: string;
};

const Author = z
  .union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
  .nullable()
  .default(null);
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string(), author: Author });
const MODULES = path.join(import.meta.dirname, '../../node_modules');
/** Modules that a bundler adds from its own code bear its name. */
const OF_BUNDLER = /^\0(vite|rolldown)\//;

/** Notes every package of which code is left in a chunk after unused code was dropped. */
export function notePackages(note: (found: BundledPackage) => void): Plugin {
  return {
    name: 'note-packages',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const folder = renderedLength === 0 ? null : folderOf(id);
          if (folder !== null) note(readPackage(folder));
        }
      }
    },
  };
}

/** A package as its own manifest describes it. Throws where that lacks a name, a version or a licence. */
export function readPackage(folder: string): BundledPackage {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  return { ...Manifest.parse(JSON.parse(text)), folder };
}

/** The package folder of a module, null for our own sources. */
function folderOf(moduleId: string): string | null {
  const bundler = OF_BUNDLER.exec(moduleId)?.[1];
  if (bundler !== undefined) return path.join(MODULES, bundler);
  const file = moduleId.replace(/^\0/, '').replace(/\?.*$/, '');
  if (!file.includes(`${path.sep}node_modules${path.sep}`) && !file.includes('/node_modules/')) return null;
  // Some packages carry further manifests without a name, one for each module system.
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (existsSync(manifest) && Manifest.safeParse(JSON.parse(readFileSync(manifest, 'utf8'))).success) return folder;
    if (path.basename(folder) === 'node_modules') throw new Error(`${file} belongs to no package with a licence`);
  }
}
