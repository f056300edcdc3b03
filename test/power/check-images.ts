import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { LEDGER_FILE } from '../../src/main/adapters/sqlite/files.ts';
import { openLedger } from '../../src/main/adapters/sqlite/open-ledger.ts';
import { SeededRandom } from '../support/fakes-clock.ts';
import { cutsOf } from './disk-model.ts';
import { digestOf, type Image, imagesOf } from './images.ts';
import { liveThrough } from './recorded-life.ts';
import { readTrace, TRACED } from './trace.ts';

/** How the WAL is copied back: as shipped, or every few pages, so that one life meets it several times. */
export type Recording = 'as-shipped' | 'small-wal';

export type Checked = {
  readonly cuts: number;
  readonly syncs: number;
  readonly commits: number;
  /** Images that differ, or would be the same with more promised, and those of them that were opened. */
  readonly differing: number;
  readonly opened: number;
  /** What was wrong, one sentence each, the first few. */
  readonly broken: readonly string[];
  /** Some images for each number of commits they hold. */
  readonly examples: ReadonlyMap<number, readonly Image[]>;
};

const BROKEN_MAX = 10;
const EXAMPLES_MAX = 3;
const CHILD = path.join(import.meta.dirname, 'life-child.ts');

/** In memory where the system has such a place: an image must be made and opened, not kept. */
export function scratchFolder(): string {
  return mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ledger-power-'));
}

/**
 * Records the disk calls of one life, rebuilds what the disk may hold after a loss of power at any moment of it, and
 * opens each with the real ledger. It must hold every commit that was acknowledged by then, whole, and nothing else but
 * perhaps the one commit under way. `drawn` images more are drawn for each moment; every `oneIn`th image is opened.
 */
export async function checkImages(recording: Recording, drawn: number, oneIn = 1, seed = 1): Promise<Checked> {
  const folder = scratchFolder();
  try {
    const calls = readTrace(record(recording, folder), path.join(folder, 'recorded'));
    const contents = await contentsAfterEachCommit(path.join(folder, 'reference'));
    const cuts = cutsOf(calls);
    const random = new SeededRandom(seed);
    const seen = new Set<string>();
    const broken: string[] = [];
    const examples = new Map<number, Image[]>();
    let opened = 0;
    for (const cut of cuts) {
      const last = cut.acknowledged + (cut.isCommitting ? 1 : 0);
      for (const image of imagesOf(cut, random, drawn)) {
        const digest = `${cut.acknowledged} ${last} ${digestOf(image)}`;
        if (seen.has(digest)) continue;
        seen.add(digest);
        if (seen.size % oneIn !== 0) continue;
        opened += 1;
        const found = open(image, path.join(folder, 'image'));
        const commits = contents.indexOf(found);
        if (commits >= cut.acknowledged && commits <= last) {
          const kept = examples.get(commits) ?? [];
          if (kept.length < EXAMPLES_MAX) examples.set(commits, [...kept, image]);
        } else if (broken.length < BROKEN_MAX) {
          const files = [...image].map(([name, bytes]) => `${name} of ${bytes.length}`).join(', ');
          const what = commits >= 0 ? `${commits} commits` : found.slice(0, 200);
          broken.push(`before ${cut.before}: promised ${cut.acknowledged}, found ${what} in ${files}`);
        }
      }
    }
    const syncs = calls.filter(({ kind }) => kind === 'sync').length;
    return { cuts: cuts.length, syncs, commits: contents.length - 1, differing: seen.size, opened, broken, examples };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function record(recording: Recording, folder: string): string {
  const trace = path.join(folder, 'trace');
  const recorded = path.join(folder, 'recorded');
  mkdirSync(recorded);
  const strace = ['-f', '-y', '-xx', '-s', '10000000', '-o', trace, '-e', `trace=${TRACED.join(',')}`];
  const done = spawnSync('strace', [...strace, process.execPath, CHILD, recorded, recording], {
    encoding: 'utf8',
    timeout: 100_000,
  });
  if (done.status !== 0) throw new Error(`the recorded life failed: ${done.error?.message ?? done.stderr}`);
  return trace;
}

/** What the ledger holds before the first commit, after it, after the second, and so on. */
async function contentsAfterEachCommit(folder: string): Promise<readonly string[]> {
  const opened = openLedger({ folder });
  if (!opened.ok) throw new Error(opened.error.text);
  const contents = [contentOf(folder)];
  await liveThrough(opened.value.ledger, (mark) => {
    if (mark === 'acknowledged') contents.push(contentOf(folder));
  });
  opened.value.ledger.close();
  return contents;
}

/** Everything in every table, as text. */
function contentOf(folder: string): string {
  const database = new Database(path.join(folder, LEDGER_FILE), { readonly: true });
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).pluck().all();
  const rows = tables.map((table) => [
    table,
    database
      .prepare(`SELECT * FROM ${String(table)} ORDER BY 1`)
      .raw()
      .all(),
  ]);
  database.close();
  return JSON.stringify(rows);
}

/** Puts an image into a fresh folder. */
export function putDown(image: Image, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of image) writeFileSync(path.join(folder, name), bytes, { mode: 0o600 });
}

function open(image: Image, folder: string): string {
  putDown(image, folder);
  const opened = openLedger({ folder });
  if (!opened.ok) return `it does not open: ${opened.error.text}`;
  try {
    if (opened.value.notice !== null) return `it was set aside: ${opened.value.notice.why}`;
    return contentOf(folder);
  } finally {
    opened.value.ledger.close();
  }
}
