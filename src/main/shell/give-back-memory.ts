import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage now. Called after the two moments that leave much of it, the start and the closing of the window: an
 * idle program allocates too little for the engine to think of it by itself for hours.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  // The thorough kind also lets go of compiled code that was not used lately.
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
