// Everything that can be judged without running the product: all of it, even after one part failed.
// Usage: npm run check
import { runTool } from './run-tool.ts';

const CHECKS: readonly { readonly name: string; readonly file: string; readonly args: readonly string[] }[] = [
  { name: 'format and lint', file: 'node_modules/@biomejs/biome/bin/biome', args: ['ci', '--colors=off', '.'] },
  { name: 'types', file: 'node_modules/typescript/bin/tsc', args: ['-p', '.'] },
  {
    name: 'arrows between parts',
    file: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['src', 'cloud', 'test', 'scripts'],
  },
  { name: 'unused code and packages', file: 'node_modules/knip/bin/knip.js', args: [] },
  { name: 'generated documents', file: 'scripts/generate.ts', args: ['--check'] },
];

const failed: string[] = [];
for (const { name, file, args } of CHECKS) {
  process.stdout.write(`\n── ${name}\n`);
  if (runTool(file, args) !== 0) failed.push(name);
}
process.stdout.write('\n');
for (const { name } of CHECKS) process.stdout.write(`${failed.includes(name) ? 'FAILED' : 'ok    '}  ${name}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
