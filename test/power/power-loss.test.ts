import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Checked, checkImages, type Recording, scratchFolder } from './check-images.ts';
import { driveOn, everyLoss } from './drive-on.ts';

const RECORDINGS: readonly Recording[] = ['as-shipped', 'small-wal'];
const DRAWN = 3;
/** Of the many images that differ little, so many are left out. */
const ONE_IN = 5;
const LIMIT_MS = 300_000;

describe.each(RECORDINGS)('A computer that loses its power, the WAL %s,', (recording) => {
  let checked: Checked | null = null;
  const check = async (): Promise<Checked> => {
    checked ??= await checkImages(recording, DRAWN, ONE_IN);
    return checked;
  };

  it(
    'finds on its disk every commit that was acknowledged, whole, and nothing else',
    async () => {
      const { broken, commits, syncs, opened } = await check();
      expect(broken).toEqual([]);
      expect(commits).toBeGreaterThan(10);
      expect(syncs).toBeGreaterThan(commits);
      expect(opened).toBeGreaterThan(200);
    },
    LIMIT_MS,
  );

  it(
    'goes on with whatever disk it finds, and sends no mail twice',
    async () => {
      const { examples } = await check();
      const folder = scratchFolder();
      let driven = 0;
      for (const { death, commits } of await everyLoss()) {
        for (const count of commits) {
          const image = examples.get(count)?.at(driven % 2);
          if (image === undefined) continue;
          driven += 1;
          const broken = await driveOn(death, image, path.join(folder, 'image'));
          expect(
            broken.map((what) => `${what}: the loss ${death.when} effect ${death.call}, ${count} commits on the disk`),
          ).toEqual([]);
        }
      }
      rmSync(folder, { recursive: true });
      expect(driven).toBeGreaterThan(100);
    },
    LIMIT_MS,
  );
});
