import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LEDGER_FILE, SIDE_FILES, syncFile, syncFolder } from './files.ts';

/** Says, across a crash, under which name the damaged ledger is being put and why. */
const MARKER = 'ledger.set-aside';

export type SetAside = { readonly kind: 'damaged-set-aside'; readonly file: string; readonly why: string };

/**
 * Puts a damaged ledger under a dated name, together with its side files: a WAL that stayed behind would be replayed
 * into the fresh ledger. The marker makes the renames one act that the next start finishes. Throws file system errors.
 */
export function setAside(folder: string, why: string, nowMs: number): SetAside {
  const name = freeName(folder, nowMs);
  const marker = path.join(folder, MARKER);
  writeFileSync(marker, `${name}\n${why}\n`, { mode: 0o600 });
  syncFile(marker);
  syncFolder(folder);
  return moveAside(folder, name, why);
}

/** Finishes what an interrupted `setAside` began; null where nothing was begun. */
export function finishSetAside(folder: string, nowMs: number): SetAside | null {
  const marker = path.join(folder, MARKER);
  if (!existsSync(marker)) return null;
  const [name = '', why = ''] = readFileSync(marker, 'utf8').split('\n');
  // A marker that was cut short was written before the first rename, and still says that the ledger is damaged.
  const target = /^ledger\.damaged-[0-9TZ-]+\.sqlite$/.test(name) ? name : freeName(folder, nowMs);
  return moveAside(folder, target, why === '' ? 'the ledger was damaged' : why);
}

function moveAside(folder: string, name: string, why: string): SetAside {
  const file = path.join(folder, name);
  for (const side of [...SIDE_FILES, '']) {
    const from = path.join(folder, `${LEDGER_FILE}${side}`);
    if (existsSync(from)) renameSync(from, `${file}${side}`);
  }
  syncFolder(folder);
  rmSync(path.join(folder, MARKER));
  syncFolder(folder);
  return { kind: 'damaged-set-aside', file, why };
}

/** `ledger.damaged-<date>.sqlite`, with a number where an earlier one has that name. */
function freeName(folder: string, nowMs: number): string {
  const stem = `ledger.damaged-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}`;
  const taken = (name: string) => ['', ...SIDE_FILES].some((side) => existsSync(path.join(folder, `${name}${side}`)));
  let name = `${stem}.sqlite`;
  for (let count = 2; taken(name); count += 1) name = `${stem}-${count}.sqlite`;
  return name;
}
