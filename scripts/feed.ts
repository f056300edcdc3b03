// Writes the update feed beside finished installers. UPDATE_SIGNING_KEY holds the private key (Ed25519, PEM).
// Usage: npm run feed -- FOLDER
import path from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { writeFeed } from './package/write-feed.ts';

const key = process.env['UPDATE_SIGNING_KEY'] ?? '';
if (key === '') {
  process.stderr.write('UPDATE_SIGNING_KEY is empty: nobody would vouch for the feed, so there is none.\n');
  process.exitCode = 1;
} else {
  const folder = path.resolve(process.argv[2] ?? 'dist');
  for (const file of writeFeed(folder, packageJson.version, key)) process.stdout.write(`${file}\n`);
}
