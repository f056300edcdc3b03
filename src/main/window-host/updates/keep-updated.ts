import type { Result } from '../../../shared/result.ts';
import type { Clock, Log } from '../../engine/ports.ts';

export type UpdateFailure = 'unreachable' | 'unsigned' | 'damaged';

/** The part that knows how this system installs. */
export type UpdatePort = {
  /** Answers a newer version once it lies whole on this disk, null where there is none. */
  fetchNewer(): Promise<Result<string | null, UpdateFailure>>;
};

/** How often it is looked whether nobody is disturbed. */
const QUIET_LOOK_MS = 5_000;

/**
 * Looks for a newer version from time to time, fetches it quietly, and has it installed in a moment when no mail is under
 * way or about to be and nobody looks. `install` ends the agent first, so that nothing is between begin and outcome.
 * Resolves when it has called `install` or was told to stop.
 */
export async function keepUpdated(parts: {
  readonly port: UpdatePort;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
  readonly firstLookMs: number;
  readonly everyMs: number;
  readonly isQuiet: () => boolean;
  readonly install: () => void;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { port, clock, log, everyMs, isQuiet, install, signal } = parts;
  await clock.sleep(parts.firstLookMs, signal);
  while (!signal.aborted) {
    const fetched = await port.fetchNewer();
    if (!fetched.ok) log.warn('update.not-taken', { why: fetched.error });
    if (!fetched.ok || fetched.value === null) {
      await clock.sleep(everyMs, signal);
      continue;
    }
    log.info('update.ready', { version: fetched.value });
    // An even newer one may be there by the time the next look is due.
    for (let waitedMs = 0; waitedMs <= everyMs && !signal.aborted; waitedMs += QUIET_LOOK_MS) {
      if (isQuiet()) {
        log.info('update.installing', { version: fetched.value });
        return install();
      }
      await clock.sleep(QUIET_LOOK_MS, signal);
    }
  }
}
