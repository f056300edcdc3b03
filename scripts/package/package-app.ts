import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Arch, type Configuration, build as makeArtefacts, Platform } from 'electron-builder';
import { z } from 'zod';
import { UPDATE_FILE } from '../../src/main/window-host/updates/update-source.ts';
import { buildApp } from '../build-app.ts';
import { type ProvidedElectron, provideElectron } from '../electron-runtime/provide-electron.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { burnFuses } from './fuses.ts';
import { programIn, resourcesOf } from './program-place.ts';
import { type RuntimeVersions, runtimeVersions } from './runtime-versions.ts';
import { stageApp } from './stage-app.ts';
import type { PackageTarget } from './target.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const PLATFORMS = { linux: Platform.LINUX, darwin: Platform.MAC, win32: Platform.WINDOWS } as const;
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

export type Packaged = {
  /** What electron-builder made: installers, or nothing but the folder. */
  readonly files: readonly string[];
  /** The unpacked program. */
  readonly folder: string;
  readonly executable: string;
  /** For a person, where it is not the Electron that ships. */
  readonly remark: string | null;
};

/** Builds the app and makes its folder in `outFolder`, and, where asked for, the installers of electron-builder.yml. */
export async function packageApp(wanted: {
  readonly target: PackageTarget;
  readonly what: 'folder' | 'installers';
  readonly outFolder: string;
  /** Where newer versions will be, and the public key (PEM) they will be signed with. */
  readonly updates: { readonly url: string | null; readonly publicKey: string | null };
}): Promise<Packaged> {
  const { target, what, outFolder, updates } = wanted;
  const packages = await buildApp(updates.publicKey);
  const electron = await provideElectron();
  const stage = path.join(ROOT, 'build/package', `${target.platform}-${target.arch}`);
  stageApp(stage, { target, runtime: electron.kind, betterSqlite3: electron.betterSqlite3 });

  const made: { folder: string; executable: string; resources: string; runtime: RuntimeVersions }[] = [];
  const afterPack: NonNullable<Configuration['afterPack']> = async ({ appOutDir, packager }) => {
    const { productFilename } = packager.appInfo;
    const program = programIn(appOutDir, productFilename, target.platform);
    const resources = resourcesOf(appOutDir, productFilename, target.platform);
    const runtime = runtimeVersions(program.executable);
    // A custom distribution brings its own; only app.asar is ever loaded.
    rmSync(path.join(resources, 'default_app.asar'), { force: true });
    if (updates.url !== null) {
      writeFileSync(path.join(resources, UPDATE_FILE), `${JSON.stringify({ url: updates.url })}\n`);
    }
    await burnFuses(program.toFuse, electron.kind, target.platform);
    made.push({ folder: appOutDir, executable: program.executable, resources, runtime });
  };
  const files = await makeArtefacts({
    projectDir: ROOT,
    targets: PLATFORMS[target.platform].createTarget(what === 'folder' ? 'dir' : null, Arch[target.arch]),
    publish: 'never',
    config: {
      extends: path.join(ROOT, 'electron-builder.yml'),
      directories: { app: stage, output: outFolder, buildResources: 'assets' },
      ...runtimeOptions(electron, target),
      // Its modules are laid out and compiled already; else it would look for more in the checkout.
      beforeBuild: async () => false,
      afterPack,
    },
  });
  const [program] = made;
  if (program === undefined) throw new Error('electron-builder made no program');
  const app = Manifest.parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
  const archive = path.join(program.resources, 'app.asar');
  const list = `${JSON.stringify(billOfMaterials({ app, target, packages, runtime: program.runtime, archive }), null, 2)}\n`;
  const artefacts = [program.folder, ...files.filter((file) => /\.(exe|dmg|zip|AppImage|deb)$/.test(file))];
  for (const artefact of artefacts) writeFileSync(`${artefact}.cdx.json`, list);
  return { files, folder: program.folder, executable: program.executable, remark: electron.remark };
}

/** Where the runtime is here already, electron-builder downloads nothing for the folder. */
function runtimeOptions({ kind, folder, version }: ProvidedElectron, target: PackageTarget): Configuration {
  const isHere = kind === 'cached' || target.arch === process.arch;
  return { electronVersion: version, ...(isHere ? { electronDist: folder } : {}) };
}
