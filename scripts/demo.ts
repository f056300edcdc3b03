// The demo: a task of mails goes from a cloud through a real agent to a mail server, all on this machine, and what the
// mail server saw is counted. Usage: npm run demo -- --help
// Exit codes: 0 nothing arrived twice and the counts add up, 1 they do not or a part failed, 2 a wrong option,
// 130 stopped by Ctrl-C before the end.
import { fileURLToPath } from 'node:url';
import { readOptions } from './demo/options.ts';

const DEFAULT_FOLDER = fileURLToPath(new URL('../.data/demo', import.meta.url));
const LAST_WAIT_MS = 2_000;

const options = readOptions(process.argv.slice(2), DEFAULT_FOLDER);
if ('exitCode' in options) process.exitCode = options.exitCode;
else {
  // Loaded only now: a question or a wrong option is answered without waiting for every part.
  const { runDemo } = await import('./demo/run-demo.ts');
  process.exitCode = await runDemo(options);
}
// All of ours has ended by now; a browser at the inbox may still hold its connection.
setTimeout(() => process.exit(), LAST_WAIT_MS).unref();
