import { systemClock } from '../adapters/clock.ts';
import type { Log } from '../engine/ports.ts';
import { keepUpdated } from '../window-host/updates/keep-updated.ts';
import type { UpdateSource } from '../window-host/updates/update-source.ts';
import type { Updater } from './updater.ts';

export type UpdateWatch = {
  /** To be called last, once nothing of the agent runs. */
  install: Updater['install'];
  stop(): void;
};

/** Electron-updater on Linux: only an AppImage replaces itself; other packages belong to the system's own updates. */
export const canUpdateItself = (isPackaged: boolean): boolean =>
  isPackaged && (process.platform !== 'linux' || process.env['APPIMAGE'] !== undefined);

/** Looks for newer versions from now on. `leave` is asked for when one should be installed now. */
export function watchForUpdates(parts: {
  readonly source: UpdateSource;
  readonly folder: string;
  readonly log: Log;
  readonly isQuiet: () => boolean;
  readonly leave: () => void;
}): UpdateWatch {
  const { source, folder, log, isQuiet, leave } = parts;
  const over = new AbortController();
  let updater: Updater | null = null;
  const port = {
    async fetchNewer() {
      // Loaded when it is first needed: most days it is not.
      updater ??= (await import('./updater.ts')).createUpdater(source, folder);
      return updater.fetchNewer();
    },
  };
  const watching = keepUpdated({
    port,
    clock: systemClock,
    log,
    firstLookMs: source.firstLookSeconds * 1_000,
    everyMs: source.everyHours * 3_600_000,
    isQuiet,
    install: leave,
    signal: over.signal,
  });
  // A fault in here must not take the agent with it.
  watching.catch((cause: unknown) => log.error('update.fault', { name: cause instanceof Error ? cause.name : '' }));
  return {
    install: (after) => updater?.install(after) ?? 'nothing-fetched',
    stop: () => over.abort(),
  };
}
