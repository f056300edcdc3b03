// Builds the desktop app and runs it. Usage: npm start [-- ARGUMENT ...]
import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildApp } from './build-app.ts';
import { provideElectron } from './electron-runtime/provide-electron.ts';

await buildApp();
const { executable, betterSqlite3, remark } = await provideElectron();
if (remark !== null) process.stderr.write(`${remark}\n`);
const root = path.dirname(import.meta.dirname);
// Found by what was built into build/app before any other copy.
const staged = path.join(root, 'build/node_modules/better-sqlite3');
rmSync(staged, { recursive: true, force: true });
cpSync(betterSqlite3, staged, { recursive: true });
const words = [root, ...process.argv.slice(2)];
if (process.getuid?.() === 0) {
  // Chromium refuses to start its sandbox for root; only a developer's machine runs it so.
  process.stderr.write('Running as root: the sandbox of the window is off.\n');
  words.unshift('--no-sandbox');
}
const app = spawn(executable, words, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.kill(signal));
app.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
