import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

/**
 * Runs a JavaScript tool of this repository in its root, on the Node that runs this, with the terminal as its own.
 * `file` is relative to the root. Answers its exit code; 1 where it did not start or was ended by a signal.
 */
export function runTool(file: string, args: readonly string[]): number {
  const ended = spawnSync(process.execPath, [path.join(root, file), ...args], { cwd: root, stdio: 'inherit' });
  return ended.status ?? 1;
}
