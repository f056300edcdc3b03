import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

/** A place for the files of a mail while it is composed, for this user alone. */
export type ScratchFolder = {
  /** Gives `work` an empty folder of its own and removes it afterwards. Throws what the file system throws. */
  use<T>(work: (folder: string) => Promise<T>): Promise<T>;
};

/** `folder` is emptied first: what a process that was ended left behind is nobody's. */
export function openScratchFolder(folder: string): ScratchFolder {
  rmSync(folder, { recursive: true, force: true });
  return {
    async use(work) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const own = await mkdtemp(path.join(folder, 'mail-'));
      try {
        return await work(own);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
  };
}
