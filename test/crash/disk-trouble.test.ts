import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LEDGER_FILE } from '../../src/main/adapters/sqlite/files.ts';
import { EXIT } from '../../src/main/headless/exit-codes.ts';
import { expectInvariants } from '../e2e/agent-and-cloud/invariants.ts';
import { until } from '../e2e/agent-and-cloud/until.ts';
import { useWorlds, type World } from '../e2e/agent-and-cloud/world.ts';
import { say } from '../support/scripted-smtp.ts';
import { injecting, type Syscall } from './strace.ts';

const scene = useWorlds();
const LIMIT_MS = 200_000;
/** Without root a user namespace gives the right to mount. */
const UNSHARE = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];

const ledgerPaths = ({ agent }: World): readonly string[] =>
  [LEDGER_FILE, `${LEDGER_FILE}-wal`].map((name) => path.join(agent.data, name));

/** A small disk of its own over the data folder, for this process alone; what is on it is put back in the end. */
const onSmallDisk = ({ agent }: World, sizeBytes: number): readonly string[] => [
  ...[...UNSHARE, 'sh', '-c'],
  `cp -a "$0" "$0.kept" && mount -t tmpfs -o size=${sizeBytes} tmpfs "$0" && cp -a "$0.kept"/. "$0" && exec "$@"`,
  agent.data,
];

describe('An agent whose disk is full', () => {
  it(
    'sends nothing it cannot write down, and goes on when there is room again',
    async () => {
      const { world } = scene;
      world.agent.start({ under: onSmallDisk(world, 4 * 1024 * 1024), ownView: true });
      await world.queue(1);
      await world.rest();

      await fill(path.join(world.agent.view, 'filler'));
      await world.queue(3);
      await until(
        () => world.isHeldBy('ledger'),
        () => world.agent.words,
      );
      const sentWhileFull = world.smtp.messages.length;
      await rm(path.join(world.agent.view, 'filler'));
      await world.rest();

      // What had a mark on the disk already may have gone out on it; nothing else.
      expect(sentWhileFull).toBeLessThanOrEqual(1);
      expect(await world.fates()).toEqual(['sent', 'sent', 'sent', 'sent']);
      await world.agent.stop();
    },
    LIMIT_MS,
  );

  it(
    'that is killed while it is full loses nothing',
    async () => {
      const { world } = scene;
      world.agent.start({ under: onSmallDisk(world, 4 * 1024 * 1024), ownView: true });
      await world.queue(2);
      await world.rest();
      await fill(path.join(world.agent.view, 'filler'));
      await world.queue(3);
      await until(
        () => world.isHeldBy('ledger'),
        () => world.agent.words,
      );

      // The disk is gone with the process: the ledger is back at what it was before, as after a restored backup.
      await world.agent.kill();
      world.agent.start();
      await world.rest();

      await expectInvariants(world);
    },
    LIMIT_MS,
  );
});

/** Writes until the disk takes no more. */
async function fill(file: string): Promise<void> {
  const bytes = Buffer.alloc(64 * 1024);
  for (const size of [bytes.length, 4096, 512]) {
    for (let written = 0; written < 1_000; written += 1) {
      const done = await writeFile(file, bytes.subarray(0, size), { flag: 'a' }).then(
        () => 'written',
        () => 'full',
      );
      if (done === 'full') break;
    }
  }
}

describe('An agent whose data folder is read-only', () => {
  it(
    'says so, ends, and has sent nothing',
    async () => {
      const { world } = scene;
      await world.queue(2);
      const script = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`;
      world.agent.start({ under: [...UNSHARE, 'sh', '-c', script, world.agent.data] });
      expect(await world.agent.gone()).toBe(String(EXIT.ledger));
      expect(world.agent.words).toContain(world.agent.data);
      expect(world.smtp.connectionCount).toBe(0);

      world.agent.start();
      await world.rest();
      await expectInvariants(world);
      expect(await world.fates()).toEqual(['sent', 'sent']);
    },
    LIMIT_MS,
  );
});

type DiskFault = { readonly call: Syscall; readonly nth: number; readonly andOn?: true };

/** Spread over the life of two mails: opening, claim, attempt, hand-over, outcome. */
const FAULTS: readonly DiskFault[] = [
  ...[1, 3, 4, 5, 6].map((nth): DiskFault => ({ call: 'fsync', nth })),
  ...[2, 9, 21, 34, 55].map((nth): DiskFault => ({ call: 'pwrite64', nth })),
  { call: 'fsync', nth: 4, andOn: true },
  { call: 'pwrite64', nth: 25, andOn: true },
];

describe('An agent whose disk answers with an error', () => {
  it.each(FAULTS)(
    'at $call $nth (and on: $andOn) keeps every promise, and goes on after a restart',
    async (fault) => {
      const { world } = scene;
      await world.queue(2);
      world.agent.start({ under: injecting({ ...fault, effect: 'error=EIO', onlyPaths: ledgerPaths(world) }) });
      if (fault.andOn === true) {
        await until(
          async () => !world.agent.running || (await world.isHeldBy('ledger')),
          () => world.agent.words,
        );
        await world.agent.kill();
      } else {
        // Once only: either it found out at the start and ended, or it goes on by itself.
        await until(
          async () => !world.agent.running || (await world.isAtRest()),
          () => world.agent.words,
        );
        await world.agent.stop();
      }
      world.agent.start();
      await world.rest();
      await expectInvariants(world);
      for (const fate of await world.fates()) expect(['sent', 'uncertain']).toContain(fate);
    },
    LIMIT_MS,
  );
});

describe('An agent whose ledger another program keeps busy', () => {
  it(
    'waits with its mails, and sends each once when the file is free',
    async () => {
      const { world } = scene;
      await world.queue(1);
      world.agent.start();
      await world.rest();
      const other = new Database(path.join(world.agent.data, LEDGER_FILE));
      other.exec('BEGIN IMMEDIATE');
      await world.queue(2);
      await until(
        () => world.isHeldBy('ledger'),
        () => world.agent.words,
      );
      expect(world.smtp.messages).toHaveLength(1);
      other.exec('ROLLBACK');
      other.close();
      await world.rest();

      await expectInvariants(world);
      expect(await world.fates()).toEqual(['sent', 'sent', 'sent']);
    },
    LIMIT_MS,
  );
});

describe('A second agent on the same data folder', () => {
  it(
    'refuses to start while the first goes on',
    async () => {
      const { world } = scene;
      await world.queue(2);
      world.smtp.script = { data: say('450 4.3.0 later') };
      world.agent.start();
      await until(() => world.smtp.connectionCount > 0);
      const second = await world.agent.command(['run']);
      expect(second.code).toBe(EXIT.inUse);
      world.heal();

      // And takes over, without a pause, from one that was killed.
      await world.agent.kill();
      world.agent.start();
      await world.rest();
      await expectInvariants(world);
    },
    LIMIT_MS,
  );

  it(
    'started at the same moment refuses, or the first does',
    async () => {
      const { agent } = scene.world;
      const over = new AbortController();
      agent.start();
      const command = agent.command(['run'], '', over.signal);
      const refused = await Promise.race([agent.gone(), command.then(({ code }) => String(code))]);
      expect(refused).toBe(String(EXIT.inUse));
      over.abort();
      await command;
      await agent.kill();
    },
    LIMIT_MS,
  );
});
