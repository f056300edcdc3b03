import { cp, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { packageApp } from '../../scripts/package/package-app.ts';
import { targetHere } from '../../scripts/package/target.ts';
import type { StagedApp } from './desktop-app.ts';

/** The app as `npm run package` makes it, and the same with the one fuse burnt that lets a test driver attach. */
export type PackagedApp = {
  readonly shipped: StagedApp;
  readonly driven: StagedApp;
  /** The list of what is inside, beside the folder. */
  readonly billOfMaterials: string;
  remove(): Promise<void>;
};

export async function providePackage(updateKey: string | null = null): Promise<PackagedApp> {
  const outFolder = await mkdtemp(path.join(tmpdir(), 'mail-agent-package-'));
  const remove = () => rm(outFolder, { recursive: true, force: true });
  const { folder, executable } = await packageApp({
    target: targetHere(),
    what: 'folder',
    outFolder,
    updates: { url: null, publicKey: updateKey },
  });
  const copy = path.join(outFolder, 'driven');
  await copyByLink(folder, copy);
  const program = path.join(copy, path.basename(executable));
  // A link would take the change back to the shipped one.
  await rm(program);
  await cp(executable, program);
  await flipFuses(program, { version: FuseVersion.V1, [FuseV1Options.EnableNodeCliInspectArguments]: true });
  const staged = (place: string, file: string): StagedApp => ({ folder: place, executable: file, words: [], remove });
  return {
    shipped: staged(folder, executable),
    driven: staged(copy, program),
    billOfMaterials: `${folder}.cdx.json`,
    remove,
  };
}

/** A copy that takes no room: its files are to be replaced, never changed. */
export async function copyByLink(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyByLink(source, target);
    else await link(source, target);
  }
}
