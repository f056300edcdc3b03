import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { claimed, commitAll, newMail, sendMail } from '../../conformance/ledger-samples.ts';
import { inFolder, opened } from './ledger-folder.ts';

const Said = z.object({
  acknowledged: z.array(z.string()),
  failure: z.object({ kind: z.string(), reopened: z.boolean().optional() }).nullable(),
  seen: z.union([z.number(), z.string()]),
});
const child = fileURLToPath(new URL('fill-disk.ts', import.meta.url));

/** Runs a shell script; `$0` is Node, `$1` the child, `$2` the folder it fills. */
function run(command: readonly string[], script: string, folder: string): z.infer<typeof Said> {
  const [program = 'sh', ...options] = [...command, 'sh', '-c', script, process.execPath, child, folder];
  const done = spawnSync(program, options, { encoding: 'utf8', timeout: 50_000 });
  if (done.status !== 0) throw new Error(`${program} failed: ${done.error?.message ?? done.stderr}`);
  return Said.parse(JSON.parse(done.stdout));
}

/** What a later start finds: every mail that was acknowledged, and none that was not. */
function expectExactly(folder: string, acknowledged: readonly string[]): void {
  const { ledger, notice } = opened(folder);
  expect(notice).toBeNull();
  expect(ledger.held(10_000).map(({ id }) => id)).toEqual(acknowledged);
  sendMail(ledger, '1', 10);
  commitAll(ledger, claimed([newMail(5_000)]));
  ledger.close();
}

describe('A ledger whose disk', () => {
  // On a file system of its own that really is full; mounted for the child alone, gone with it.
  it('is full says so, and keeps exactly what it acknowledged', () =>
    inFolder((folder) => {
      const disk = path.join(folder, 'disk');
      mkdirSync(disk);
      const root = process.getuid?.() === 0;
      const said = run(
        ['unshare', root ? '-m' : '-rm'],
        `mount -t tmpfs -o size=1500k tmpfs "$2" && "$0" "$1" "$2" && cp "$2"/ledger.sqlite "$2"/ledger.sqlite-wal "$2"/..`,
        disk,
      );
      expect(said.failure?.kind).toBe('full');
      expect(said.acknowledged.length).toBeGreaterThan(3);
      expect(said.seen).toBe(said.acknowledged.length);
      expectExactly(folder, said.acknowledged);
    }));

  it('refuses to write is reopened, and keeps exactly what it acknowledged', () =>
    inFolder((folder) => {
      const said = run([], `ulimit -f 900; exec "$0" "$1" "$2"`, folder);
      expect(said.failure).toMatchObject({ kind: 'io', reopened: true });
      expect(said.acknowledged.length).toBeGreaterThan(3);
      expect(said.seen).toBe(said.acknowledged.length);
      expectExactly(folder, said.acknowledged);
    }));
});
