// Starts a script of this repository on the Node that the repository brings, on any machine with Node 20 and npm:
// installs what is missing first. Plain JavaScript, because the Node that starts it may be old.
// Usage: node scripts/run.mjs FILE [ARGUMENT ...]
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const node = path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const stamp = path.join(root, 'node_modules', '.installed-lock');
const lock = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');

if (!existsSync(node) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  process.stderr.write('Installing what is missing (npm ci)…\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    process.stderr.write('npm ci failed; its own words are above. Once it works, run this command again.\n');
    process.exit(done.status ?? 1);
  }
  writeFileSync(stamp, lock);
}

const binaries = path.join(root, 'node_modules', '.bin');
const child = spawn(node, process.argv.slice(2), {
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: `${path.dirname(node)}${path.delimiter}${binaries}${path.delimiter}${process.env.PATH}`,
  },
});
// A terminal sends Ctrl-C to the child too; it decides when to end. A signal sent to us alone is passed on.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGHUP'));
child.on('error', (error) => {
  process.stderr.write(`${node} did not start: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
