import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a process asked of the disk below one folder, and its own marks. Names are relative to the folder. */
export type DiskCall =
  | { readonly kind: 'create' | 'unlink'; readonly name: string }
  | { readonly kind: 'write'; readonly name: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly name: string; readonly size: number }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  /** The empty name is the folder itself. */
  | { readonly kind: 'sync'; readonly name: string }
  | { readonly kind: 'mark'; readonly mark: string; readonly count: number };

/** The calls that change a disk; one that is not read here must not be missed, so all of its kind are traced. */
export const TRACED = [
  ...['openat', 'open', 'creat', 'mkdir', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'link', 'symlink'],
  ...['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'ftruncate', 'truncate', 'fallocate'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'syncfs'],
];

/** Memory that SQLite maps; its content is thrown away by the first process that opens the ledger again. */
const isSharedMemory = (name: string): boolean => name.endsWith('-shm');

/** Reads what `strace -f -y -xx` wrote. Throws for a call below `folder` that it does not know. Source: strace(1). */
export function readTrace(file: string, folder: string): readonly DiskCall[] {
  const lines = readFileSync(file, 'latin1').split('\n');
  return lines
    .flatMap((line) => callsOf(line, folder))
    .filter((call) => !('name' in call && isSharedMemory(call.name)));
}

const CALL = /^\d+ +(\w+)\((.*)\) += (-?\d+)/s;

function callsOf(line: string, folder: string): readonly DiskCall[] {
  const found = CALL.exec(line);
  if (found === null || Number(found[3]) < 0) return [];
  const [, call = '', args = ''] = found;
  const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((match) => unhex(match[1] ?? ''));
  const handle = /^\d+<((?:\\x[0-9a-f]{2})*)>/.exec(args)?.[1];
  if (handle !== undefined) return onHandle(call, args, unhex(handle).toString(), strings, folder);
  const names = strings.map((text) => nameIn(folder, text.toString()));
  const [name = null, to = null] = names;
  if (name === null) return [];
  switch (call) {
    case 'openat':
      return args.includes('O_CREAT') ? [{ kind: 'create', name }] : [];
    case 'unlink':
      return [{ kind: 'unlink', name }];
    case 'rename':
      if (to === null) throw new Error(`a file leaves the folder: ${name}`);
      return [{ kind: 'rename', name, to }];
    case 'mkdir':
      return [];
    default:
      throw new Error(`the trace has a call that is not understood: ${call} of ${name}`);
  }
}

function onHandle(
  call: string,
  args: string,
  file: string,
  strings: readonly Buffer[],
  folder: string,
): readonly DiskCall[] {
  const mark = call === 'write' ? /^MARK (\w+) (\d+)\n$/.exec(strings[0]?.toString() ?? '') : null;
  if (mark !== null) return [{ kind: 'mark', mark: mark[1] ?? '', count: Number(mark[2]) }];
  const name = nameIn(folder, file);
  if (name === null) return [];
  const numbers = args.split(', ').map(Number);
  switch (call) {
    case 'pwrite64': {
      const [bytes = Buffer.alloc(0)] = strings;
      if (bytes.length !== numbers.at(-2)) throw new Error('a write was not recorded in full');
      return [{ kind: 'write', name, offset: numbers.at(-1) ?? 0, bytes }];
    }
    case 'ftruncate':
      return [{ kind: 'truncate', name, size: numbers.at(-1) ?? 0 }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', name }];
    default:
      throw new Error(`the trace has a call that is not understood: ${call} of ${name}`);
  }
}

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex');

function nameIn(folder: string, file: string): string | null {
  if (file === folder) return '';
  return file.startsWith(`${folder}${path.sep}`) ? file.slice(folder.length + 1) : null;
}
