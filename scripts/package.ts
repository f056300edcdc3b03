// Makes the program for this system: its folder, or its installers. A list of what is inside (CycloneDX) lies beside each.
// UPDATE_URL and UPDATE_PUBLIC_KEY (PEM), where given, let the app update itself. Usage: npm run package [-- --installers] [--arch x64|arm64] [--out FOLDER]
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageApp } from './package/package-app.ts';
import { targetHere } from './package/target.ts';

const { values } = parseArgs({
  options: {
    installers: { type: 'boolean', default: false },
    arch: { type: 'string' },
    out: { type: 'string' },
  },
});
const given = (name: string): string | null => process.env[name] || null;
const packaged = await packageApp({
  target: targetHere(values.arch),
  what: values.installers ? 'installers' : 'folder',
  outFolder: path.resolve(values.out ?? path.join(path.dirname(import.meta.dirname), 'dist')),
  updates: { url: given('UPDATE_URL'), publicKey: given('UPDATE_PUBLIC_KEY') },
});
if (packaged.remark !== null) process.stderr.write(`${packaged.remark} It is for trying out, not for shipping.\n`);
for (const file of [packaged.folder, ...packaged.files]) process.stdout.write(`${file}\n`);
