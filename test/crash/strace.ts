import { readFileSync } from 'node:fs';

/** Calls by which a process changes a file or speaks to another. */
export type Syscall = 'pwrite64' | 'write' | 'writev' | 'fsync' | 'fdatasync' | 'ftruncate';
export const SYSCALLS: readonly Syscall[] = ['pwrite64', 'write', 'writev', 'fsync', 'fdatasync', 'ftruncate'];

/** What is done to the `nth` such call of one thread, from 1; `onlyPaths` leaves calls on other files uncounted. */
export type Injection = {
  readonly call: Syscall | 'openat';
  readonly nth: number;
  /** Also to every one after it. */
  readonly andOn?: true;
  readonly effect: 'signal=SIGKILL' | 'error=EIO' | 'error=ENOSPC';
  readonly onlyPaths?: readonly string[];
};

/**
 * Puts strace in front of a command so that the command keeps its own process id (`-D`); its trace goes nowhere. A kill
 * comes right before the call would have its effect. Source: strace(1), injection.
 */
export function injecting({ call, nth, andOn, effect, onlyPaths = [] }: Injection): readonly string[] {
  const inject = `inject=${call}:${effect}:when=${nth}${andOn ? '+' : ''}`;
  const paths = onlyPaths.flatMap((path) => ['-P', path]);
  return ['strace', '-D', '-f', '-q', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject, ...paths];
}

/** Writes every such call of the main thread and all others into `file`. */
export const tracing = (file: string, onlyPaths: readonly string[] = []): readonly string[] => [
  ...['strace', '-D', '-f', '-q', '-s', '0', '-o', file, '-e', `trace=${SYSCALLS.join(',')}`],
  ...onlyPaths.flatMap((path) => ['-P', path]),
];

/** How often the busiest thread made each call, out of a trace. */
export function countCalls(file: string): ReadonlyMap<Syscall, number> {
  const byThread = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const found = /^(\d+) +(\w+)\(/.exec(line);
    if (found === null) continue;
    const key = `${found[2]} ${found[1]}`;
    byThread.set(key, (byThread.get(key) ?? 0) + 1);
  }
  const most = (call: Syscall) =>
    Math.max(0, ...[...byThread].filter(([key]) => key.startsWith(`${call} `)).map(([, count]) => count));
  return new Map(SYSCALLS.map((call) => [call, most(call)]));
}
