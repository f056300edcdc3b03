import { execFileSync } from 'node:child_process';
import { z } from 'zod';

/** What an Electron is made of, as it says itself. */
export type RuntimeVersions = z.infer<typeof Versions>;

const Versions = z.object({
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  v8: z.string(),
});
const LIMIT_MS = 60_000;

/** Asks an Electron whose fuses are still as they came. */
export function runtimeVersions(executable: string): RuntimeVersions {
  const text = execFileSync(executable, ['-p', 'JSON.stringify(process.versions)'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    timeout: LIMIT_MS,
    encoding: 'utf8',
  });
  return Versions.parse(JSON.parse(text));
}
