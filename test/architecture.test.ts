import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = path.dirname(import.meta.dirname);

/** A small tree in which each file with a `breaks` breaks that rule, and no other file breaks any. */
const FILES: readonly { readonly file: string; readonly imports?: string; readonly breaks?: string }[] = [
  { file: 'src/shared/contract.ts', imports: 'zod' },
  { file: 'src/shared/bad-upwards.ts', imports: '../main/core/rule.ts', breaks: 'shared-stands-alone' },
  { file: 'src/shared/bad-files.ts', imports: 'node:fs', breaks: 'shared-imports-zod-only' },
  { file: 'src/shared/wire/payload-hash.ts', imports: 'node:crypto' },
  { file: 'src/main/core/rule.ts', imports: '../../shared/contract.ts' },
  { file: 'src/main/core/bad-engine.ts', imports: '../engine/ports.ts', breaks: 'core-is-pure' },
  { file: 'src/main/core/bad-clock.ts', imports: 'node:timers', breaks: 'core-has-no-io' },
  { file: 'src/main/core/bad-library.ts', imports: 'undici', breaks: 'core-has-no-io' },
  { file: 'src/main/engine/ports.ts', imports: '../core/rule.ts' },
  { file: 'src/main/engine/loop.ts', imports: './ports.ts' },
  { file: 'src/main/engine/bad-adapter.ts', imports: '../adapters/ledger.ts', breaks: 'engine-drives-core' },
  { file: 'src/main/engine/bad-files.ts', imports: 'node:fs', breaks: 'engine-has-no-io' },
  // A circle is told once, at one of its files.
  { file: 'src/main/engine/circle.ts', imports: './bad-circle.ts' },
  { file: 'src/main/engine/bad-circle.ts', imports: './circle.ts', breaks: 'no-cycles' },
  { file: 'src/main/engine/bad-nowhere.ts', imports: './nowhere.ts', breaks: 'no-unresolved' },
  { file: 'src/main/adapters/ledger.ts', imports: '../engine/ports.ts' },
  { file: 'src/main/adapters/bad-loop.ts', imports: '../engine/loop.ts', breaks: 'adapters-implement-ports' },
  { file: 'src/main/adapters/bad-electron.ts', imports: 'electron', breaks: 'electron-in-shell-only' },
  { file: 'src/main/headless/main.ts', imports: '../engine/loop.ts' },
  { file: 'src/main/headless/bad-shell.ts', imports: '../shell/tray.ts', breaks: 'headless-is-no-shell' },
  { file: 'src/main/headless/bad-window.ts', imports: '../../renderer/window.ts', breaks: 'headless-wires-main' },
  { file: 'src/main/shell/tray.ts', imports: 'electron' },
  { file: 'src/main/shell/bad-cloud.ts', imports: '../../../cloud/server.ts', breaks: 'agent-has-no-cloud' },
  { file: 'src/renderer/window.ts', imports: '../shared/contract.ts' },
  { file: 'src/renderer/bad-main.ts', imports: '../main/core/rule.ts', breaks: 'renderer-knows-shared' },
  { file: 'src/renderer/bad-node.ts', imports: 'node:path', breaks: 'renderer-has-no-node' },
  { file: 'cloud/server.ts', imports: '../src/shared/contract.ts' },
  { file: 'cloud/bad-agent.ts', imports: '../src/main/core/rule.ts', breaks: 'cloud-knows-shared' },
  { file: 'test/bad-shell.test.ts', imports: '../src/main/shell/tray.ts', breaks: 'tests-start-no-shell' },
  { file: 'test/shell/tray.test.ts', imports: '../../src/main/shell/tray.ts' },
];

const Report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** The rules that each file of the tree breaks, as the repository's own configuration sees it. */
function cruise(keyword: 'import' | 'import type'): ReadonlyMap<string, readonly string[]> {
  const tree = mkdtempSync(path.join(tmpdir(), 'mail-agent-arrows-'));
  try {
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
      writeFileSync(path.join(tree, file), text);
    };
    write('tsconfig.json', readFileSync(path.join(root, 'tsconfig.json'), 'utf8'));
    for (const name of ['zod', 'undici', 'electron']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
      write(`node_modules/${name}/index.js`, 'exports.a = 1;\n');
    }
    const used = ['zod', 'undici', 'electron'].map((name) => [name, '1.0.0']);
    write('package.json', JSON.stringify({ type: 'module', devDependencies: Object.fromEntries(used) }));
    for (const { file, imports } of FILES) {
      write(file, `${imports === undefined ? '' : `${keyword} { a } from '${imports}';\n`}export type a = number;\n`);
    }
    const done = spawnSync(
      process.execPath,
      [
        path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
        ...['--config', path.join(root, '.dependency-cruiser.cjs'), '--output-type', 'json'],
        ...['src', 'cloud', 'test'],
      ],
      { cwd: tree, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    const { violations } = Report.parse(JSON.parse(done.stdout)).summary;
    const byFile = Map.groupBy(violations, ({ from }) => from);
    return new Map([...byFile].map(([file, broken]) => [file, [...new Set(broken.map(({ rule }) => rule.name))]]));
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

describe.each(['import', 'import type'] as const)('the arrows between the parts, for %s', (keyword) => {
  let broken: ReadonlyMap<string, readonly string[]> = new Map();
  beforeAll(() => {
    broken = cruise(keyword);
  });

  it.each(FILES.filter(({ breaks }) => breaks !== undefined))(
    '$breaks catches $file, which imports $imports',
    (entry) => {
      expect(broken.get(entry.file)).toContain(entry.breaks);
    },
  );

  it('let every other import pass', () => {
    const lawful = FILES.filter(({ breaks }) => breaks === undefined).map(({ file }) => file);

    expect(lawful.filter((file) => broken.has(file))).toEqual([]);
  });
});

describe('the pure core', () => {
  it('asks no clock, no chance and no machine, and waits for nothing', () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\bset(Timeout|Interval|Immediate)\(|\bprocess\.|\bfetch\(|\bawait\b|\basync\b|\bPromise\b|\bconsole\./;
    const files = globSync('src/main/core/**/*.ts', { cwd: root });

    const guilty = files.filter((file) => impure.test(readFileSync(path.join(root, file), 'utf8')));

    expect(files.length).toBeGreaterThan(5);
    expect(guilty).toEqual([]);
  });
});
