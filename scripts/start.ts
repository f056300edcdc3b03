// Builds the desktop app and runs it. Usage: npm start [-- ARGUMENT ...]
import { spawn } from 'node:child_process';
import { prepareDesktop } from './desktop-program.ts';

const { executable, words, remarks } = await prepareDesktop();
for (const remark of remarks) process.stderr.write(`${remark}\n`);
const app = spawn(executable, [...words, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.kill(signal));
app.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
