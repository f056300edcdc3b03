import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import { err, ok } from '../../shared/result.ts';
import type { UpdateFailure, UpdatePort } from '../window-host/updates/keep-updated.ts';
import { isSignedOffer } from '../window-host/updates/offer.ts';
import type { UpdateSource } from '../window-host/updates/update-source.ts';

export type Updater = UpdatePort & {
  /** Hands over to the system's installer what was fetched; `after` says whether the app starts again. */
  install(after: 'start-again' | 'stay-closed'): 'leaving' | 'nothing-fetched';
};

/** electron-updater, kept to one feed, to signed offers and to newer versions. `folder` is for its own files. */
export function createUpdater(source: UpdateSource, folder: string): Updater {
  const updater = updaterOfSystem();
  const config = path.join(folder, 'feed.json');
  mkdirSync(folder, { recursive: true });
  // Read by the library as YAML, of which JSON is a part.
  writeFileSync(
    config,
    JSON.stringify({ provider: 'generic', url: source.url, updaterCacheDirName: 'mail-agent-updater' }),
  );
  updater.updateConfigPath = config;
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  let refused: UpdateFailure | null = null;
  updater.isUpdateSupported = (info) => {
    if (isSignedOffer(info, source.publicKey)) return true;
    refused = 'unsigned';
    return false;
  };
  let fetched = false;
  return {
    async fetchNewer() {
      refused = null;
      try {
        const found = await updater.checkForUpdates();
        if (refused !== null) return err(refused);
        if (found === null || !found.isUpdateAvailable) return ok(null);
        refused = 'damaged';
        // It checks the digest that the signature covers.
        await updater.downloadUpdate();
        fetched = true;
        return ok(found.updateInfo.version);
      } catch {
        return err(refused ?? 'unreachable');
      }
    },
    install(after) {
      if (!fetched) return 'nothing-fetched';
      updater.autoRunAppAfterInstall = after === 'start-again';
      updater.quitAndInstall(true, after === 'start-again');
      return 'leaving';
    },
  };
}

function updaterOfSystem(): AppUpdater & { quitAndInstall(isSilent?: boolean, isForceRunAfter?: boolean): void } {
  switch (process.platform) {
    case 'win32':
      return new NsisUpdater();
    case 'darwin':
      return new MacUpdater();
    default:
      return new AppImageUpdater();
  }
}
