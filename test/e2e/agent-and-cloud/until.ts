import { setTimeout as pause } from 'node:timers/promises';

/** Generous: the machine may be busy with everything else. */
const LIMIT_MS = 50_000;
const LOOK_MS = 25;

/** Waits until something is so; fails with what `describe` says where it never is. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => string | Promise<string> = () => condition.toString(),
): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`it never came to be: ${await describe()}`);
    await pause(LOOK_MS);
  }
}
