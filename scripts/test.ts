// Everything: prepares the machine, then the checks, then every test. Arguments go to vitest: npm test -- test/core
import { runTool } from './run-tool.ts';

const PARTS = [
  { name: 'machine', run: () => runTool('scripts/debian-packages.mjs', []) },
  { name: 'checks', run: () => runTool('scripts/check.ts', []) },
  ...tests(process.argv.slice(2)),
];

/** The real desktop program runs last and alone: several at once on a small machine have been seen to stand still. */
function tests(asked: readonly string[]) {
  const vitest = (...args: string[]) => runTool('node_modules/vitest/vitest.mjs', ['run', ...args]);
  if (asked.length > 0) return [{ name: 'tests', run: () => vitest(...asked) }];
  return [
    { name: 'tests', run: () => vitest('--exclude', 'test/e2e/desktop/**') },
    { name: 'tests of the desktop program', run: () => vitest('--no-file-parallelism', 'test/e2e/desktop') },
  ];
}

const lines: string[] = [];
let exitCode = 0;
for (const { name, run } of PARTS) {
  const startedAtMs = Date.now();
  const status = run();
  if (status !== 0) exitCode = 1;
  lines.push(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
}
process.stdout.write(
  `\n${lines.join('\n')}\n${exitCode === 0 ? 'Everything passed.' : 'Something failed: see above.'}\n`,
);
process.exitCode = exitCode;
