import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** A process and all it started, as Linux tells of them. Source: proc(5). */

type Stat = { readonly pid: number; readonly parent: number; readonly cpuTicks: number };
/** Of every Linux that Electron runs on. */
const TICKS_PER_SECOND = 100;

/** Memory of the whole tree in kB, each shared page divided among those who share it. */
export function pssKb(root: number): number {
  return tree(root).reduce((sum, { pid }) => sum + pssOf(pid), 0);
}

/** By name of process, for a look at where it is. */
export function pssByKind(root: number): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const { pid } of tree(root)) {
    // Chromium's children write their words anew, with spaces between.
    const words = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
    const kind = /--utility-sub-type=(\S+)/.exec(words)?.[1] ?? /--type=(\S+)/.exec(words)?.[1] ?? 'main';
    kinds[kind] = (kinds[kind] ?? 0) + pssOf(pid);
  }
  return kinds;
}

/** CPU time used so far by the tree and by those of its children that ended, in milliseconds. */
export function cpuMs(root: number): number {
  return (tree(root).reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) / TICKS_PER_SECOND) * 1000;
}

function tree(root: number): readonly Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => stat(Number(name)) ?? []);
  const found = all.filter(({ pid }) => pid === root);
  // Grows while it is walked: children of children.
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

function stat(pid: number): Stat | null {
  const text = read(`/proc/${pid}/stat`);
  // The name in brackets may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const numbers = z.array(z.coerce.number()).safeParse([fields[1], ...fields.slice(11, 15)]);
  if (text === '' || !numbers.success) return null;
  const [parent = 0, ...ticks] = numbers.data;
  return { pid, parent, cpuTicks: ticks.reduce((sum, one) => sum + one, 0) };
}

const pssOf = (pid: number): number => Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It ended meanwhile.
    return '';
  }
}
