import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LicenceView } from '../../src/shared/ipc/views.ts';
import type { BundledPackage } from './bundled-packages.ts';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(?![a-z])/i;

/** The licences of these packages, by name. Throws where one has no licence text to ship. */
export function licencesOf(packages: readonly BundledPackage[]): readonly LicenceView[] {
  return packages
    .map(({ name, version, license, folder }) => ({ name, version, license, text: textIn(folder) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

function textIn(folder: string): string {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  if (files.length === 0) throw new Error(`${folder} has no licence file`);
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim()).join('\n\n');
}
