// Everything: prepares the machine, then the checks, then every test. Arguments go to vitest: npm test -- test/core
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTool } from './run-tool.ts';
import { readTestRun } from './test-run.ts';

const PARTS = [
  { name: 'machine', run: () => runTool('scripts/debian-packages.mjs', []) },
  { name: 'checks', run: () => runTool('scripts/check.ts', []) },
  ...tests(process.argv.slice(2)),
];

/** The real desktop program runs last and alone: several at once on a small machine have been seen to stand still. */
function tests(asked: readonly string[]) {
  if (asked.length > 0) return [{ name: 'tests', run: () => vitest(...asked) }];
  return [
    { name: 'tests', run: () => vitest('--project=pure', '--project=real') },
    { name: 'tests of the desktop program', run: () => vitest('--project=desktop', '--no-file-parallelism') },
  ];
}

/** Runs vitest and keeps what it says of single tests for the end, where a reader of a long output looks. */
function vitest(...args: string[]): number {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mail-agent-test-run-'));
  const file = path.join(folder, 'run.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const status = runTool('node_modules/vitest/vitest.mjs', ['run', ...reporters, ...args]);
    findings.push(...readTestRun(file));
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const findings: string[] = [];
const lines: string[] = [];
let exitCode = 0;
for (const { name, run } of PARTS) {
  const startedAtMs = Date.now();
  const status = run();
  if (status !== 0) exitCode = 1;
  lines.push(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
}
const found = findings.length === 0 ? '' : `${findings.join('\n')}\n\n`;
process.stdout.write(
  `\n${found}${lines.join('\n')}\n${exitCode === 0 ? 'Everything passed.' : 'Something failed: see above.'}\n`,
);
process.exitCode = exitCode;
