import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LicenceView } from '../../src/shared/ipc/views.ts';
import type { BundledPackage } from './bundled-packages.ts';

const OWN_LICENCE = path.join(import.meta.dirname, '../../LICENSE');
const LICENCE_FILE = /^(licen[cs]e|copying|notice)(?![a-z])/i;

/** The licences of these packages, by name. Throws where one has no licence text to ship. */
export function licencesOf(packages: readonly BundledPackage[]): readonly LicenceView[] {
  return packages
    .map((one) => ({ name: one.name, version: one.version, license: one.license, text: textOf(one) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

function textOf({ license, author, folder }: BundledPackage): string {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  // Its manifest grants the licence without its words, which are the same for everybody.
  if (files.length === 0 && license === 'MIT' && author !== null) return mitText(author);
  if (files.length === 0) throw new Error(`${folder} has no licence file`);
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim()).join('\n\n');
}

/** Our own licence in another's name. */
const mitText = (author: string): string =>
  readFileSync(OWN_LICENCE, 'utf8')
    .replace(/^Copyright .*$/m, `Copyright (c) ${author}`)
    .trim();
