// Changes the code in one place at a time and looks whether a test notices. A whole run of a part goes on from the last
// one; `--again` begins anew. Usage: npm run mutate -- [PART ...] [--file F] [--quick] [--again]
// Exit codes: 0 enough was noticed and each change that was not is explained, 1 otherwise, 2 wrong arguments.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MUTATION_PARTS, type MutationPart } from './mutation/parts.ts';
import { type MutationRun, readRun, unexplained } from './mutation/survivors.ts';
import { runTool } from './run-tool.ts';

const LEAST_SHARE = 0.9;
const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', multiple: true },
    workers: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
});
const names = positionals.length === 0 ? Object.keys(MUTATION_PARTS) : positionals;
const unknown = names.filter((name) => !(name in MUTATION_PARTS));
if (unknown.length > 0) {
  process.stderr.write(`No such part: ${unknown.join(', ')}. Parts: ${Object.keys(MUTATION_PARTS).join(', ')}.\n`);
  process.exit(2);
}

let noticed = 0;
let all = 0;
let unexplainedCount = 0;
for (const name of names) {
  const part = MUTATION_PARTS[name];
  if (part === undefined) continue;
  const run = mutate(name, part);
  if (run === null) process.exit(1);
  noticed += run.noticed;
  all += run.all;
  const open = unexplained(run.survivors);
  unexplainedCount += open.length;
  process.stdout.write(`\n${name}: ${run.noticed} of ${run.all} noticed, ${share(run)}\n`);
  for (const one of open) process.stdout.write(`  ${JSON.stringify(one)}\n`);
}
process.stdout.write(
  `\n${noticed} of ${all} changes noticed, ${share({ noticed, all })}; ${unexplainedCount} of the others are not explained.\n`,
);
if (noticed < all * LEAST_SHARE || unexplainedCount > 0) process.exitCode = 1;

function share({ noticed, all }: { readonly noticed: number; readonly all: number }): string {
  return all === 0 ? 'nothing to change' : `${((100 * noticed) / all).toFixed(1)} %`;
}

/** Null where the run itself broke. */
function mutate(name: string, part: MutationPart): MutationRun | null {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mail-agent-mutation-'));
  const report = path.join(folder, 'report.json');
  const config = path.join(folder, 'stryker.json');
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      vitest: { configFile: 'scripts/mutation/vitest.config.ts' },
      plugins: [
        '@stryker-mutator/vitest-runner',
        ...['ignorers.mjs', 'as-they-come.mjs'].map((name) => path.join(import.meta.dirname, 'mutation', name)),
      ],
      ignorers: ['log-words', 'words-of-bugs', 'never'],
      disableTypeChecks: false,
      mutate: values.file ?? part.mutate,
      coverageAnalysis: 'perTest',
      incremental: values.file === undefined,
      force: values.again,
      incrementalFile: `node_modules/.cache/mutation/${name}.json`,
      ignoreStatic: values.quick,
      concurrency: Number(values.workers),
      timeoutMS: 4_000,
      reporters: ['progress-append-only', 'as-they-come', 'json'],
      jsonReporter: { fileName: report },
      tempDirName: path.join(folder, 'sandbox'),
      ignorePatterns: ['docs', 'build', 'dist', 'test/e2e'],
      allowEmpty: true,
    }),
  );
  process.env['MUTATION_TESTS'] = part.tests.join(',');
  try {
    return runTool(STRYKER, ['run', config]) === 0 ? readRun(report) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
