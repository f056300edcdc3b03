import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { type KillRecord, liveThrough } from './kill-story.ts';
import { killAtSyscalls, syscallsOfOneLife } from './syscall-kills.ts';

/** Together fifty; `npm run crash` does two thousand. */
const STORIES = [1, 2, 3, 4];
const STORY_KILLS = 8;
const SYSCALL_KILLS = 18;
const LIMIT_MS = 400_000;

describe('An agent that is killed again and again', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
  });
  afterAll(() => cloud.close());

  it.concurrent.each(STORIES)(
    'agrees with mail server and cloud on every mail after every start, seed %i',
    async (seed) => {
      const records: KillRecord[] = [];
      await liveThrough(cloud, seed, STORY_KILLS, (record) => records.push(record));
      expect(records).toHaveLength(STORY_KILLS);
    },
    LIMIT_MS,
  );

  it(
    'at writes and syncs all over the life of one mail, agrees with mail server and cloud',
    async () => {
      const all = await syscallsOfOneLife(cloud);
      const chosen = Array.from(
        { length: SYSCALL_KILLS },
        (_, index) => all[Math.floor((index * all.length) / SYSCALL_KILLS)],
      );
      const fates: string[] = [];
      await killAtSyscalls(
        cloud,
        chosen.filter((point) => point !== undefined),
        (_kill, hit, fate) => fates.push(`${hit} ${fate}`),
      );
      expect(fates).toHaveLength(SYSCALL_KILLS);
      // A trace that counted nothing would prove nothing: most of them hit the mail's life.
      expect(fates.filter((fate) => fate.startsWith('in-life')).length).toBeGreaterThan(SYSCALL_KILLS / 2);
    },
    LIMIT_MS,
  );
});
