import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BrokenCause } from '../../src/main/engine/ports.ts';
import type { SmtpReply, Stage } from '../../src/shared/wire/messages.ts';
import {
  cloudFails,
  commitFails,
  commitInDoubt,
  type FailOnce,
  fileFails,
  MAIL_COUNT,
  readThrows,
  runFiveMails,
  smtpFails,
  statementFails,
} from './one-failure.ts';

const LIMIT_MS = 200_000;
const SHUTTING_DOWN: SmtpReply = { code: 421, enhanced: '4.3.2', text: 'shutting down' };
const STAGES: readonly Stage[] = ['connect', 'tls', 'auth', 'envelope', 'body', 'handed-over'];
const CAUSES: readonly BrokenCause[] = ['dropped', 'timeout', 'refused'];

/** Every n from 1 until the run makes fewer calls than that. Answers how many runs there were. */
async function everyNth(fail: FailOnce, step = 1): Promise<number> {
  const broken: string[] = [];
  let runs = 0;
  for (let nth = 1; ; nth += step) {
    const run = await runFiveMails(fail, nth);
    broken.push(...run.broken.map((what) => `call ${nth}: ${what}`));
    if (run.calls < nth) break;
    runs += 1;
  }
  expect(broken).toEqual([]);
  return runs;
}

describe('Five mails arrive once each and are told, whichever call fails once:', () => {
  it.each([
    { kind: 'full', text: 'disk full' },
    { kind: 'busy', text: 'somebody writes' },
    { kind: 'io', text: 'EIO', reopened: true },
    { kind: 'io', text: 'EIO', reopened: false },
  ] as const)(
    'a commit, with $kind',
    async (failure) => {
      expect(await everyNth(commitFails(failure))).toBeGreaterThan(2 * MAIL_COUNT);
    },
    LIMIT_MS,
  );

  it(
    'a commit that happened and whose answer is lost',
    async () => {
      expect(await everyNth(commitInDoubt)).toBeGreaterThan(2 * MAIL_COUNT);
    },
    LIMIT_MS,
  );

  it(
    'a read of the ledger',
    async () => {
      expect(await everyNth(readThrows)).toBeGreaterThan(10 * MAIL_COUNT);
    },
    LIMIT_MS,
  );

  it.each([
    'lose-request',
    'lose-reply',
    'nonsense',
    // The keychain is locked, or does not answer.
    'no-credentials',
    { problem: 'unavailable' },
    { problem: 'internal' },
    { problem: 'rate-limited', retryAfterMs: 5_000 },
    { delayMs: 100_000 },
  ] as const)(
    'a call of the cloud: %j',
    async (fault) => {
      expect(await everyNth(cloudFails(fault))).toBeGreaterThan(2 * MAIL_COUNT);
    },
    LIMIT_MS,
  );

  it(
    'a call of the cloud that is given up and arrives later',
    async () => {
      const late = cloudFails({ arriveAfterMs: 20_000 }, ['begin', 'notSent', 'result']);
      expect(await everyNth(late)).toBeGreaterThanOrEqual(2 * MAIL_COUNT);
    },
    LIMIT_MS,
  );

  it.each(STAGES.flatMap((stage) => CAUSES.map((cause) => ({ stage, cause }))))(
    'the mail server, $cause at $stage',
    async ({ stage, cause }) => {
      for (const arrived of stage === 'handed-over' ? [true, false] : [false]) {
        expect(await everyNth(smtpFails({ kind: 'break', stage, cause, arrived }))).toBeGreaterThanOrEqual(MAIL_COUNT);
      }
    },
    LIMIT_MS,
  );

  it.each(STAGES.filter((stage) => stage !== 'body'))(
    'the mail server, which says 421 or nothing for a while at %s',
    async (stage) => {
      expect(await everyNth(smtpFails({ kind: 'reply', stage, reply: SHUTTING_DOWN }))).toBeGreaterThanOrEqual(
        MAIL_COUNT,
      );
      expect(await everyNth(smtpFails({ kind: 'hang', stage, forMs: 90_000 }))).toBeGreaterThanOrEqual(MAIL_COUNT);
    },
    LIMIT_MS,
  );

  it(
    'the keychain, asked for the password',
    async () => {
      const locked = smtpFails({ kind: 'break', stage: 'auth', cause: 'no-credentials' });
      expect(await everyNth(locked)).toBeGreaterThanOrEqual(MAIL_COUNT);
    },
    LIMIT_MS,
  );

  it(
    'a file that the message is made of',
    async () => {
      expect(await everyNth(fileFails)).toBeGreaterThanOrEqual(MAIL_COUNT);
    },
    LIMIT_MS,
  );
});

describe('The same over a real ledger, whichever statement of SQLite fails once:', () => {
  /** All of them take minutes; every so manieth is tried. */
  const STEP = 7;
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

  it.each([
    { code: 'SQLITE_IOERR_WRITE', when: 'before' },
    { code: 'SQLITE_IOERR_FSYNC', when: 'after' },
    { code: 'SQLITE_FULL', when: 'before' },
    { code: 'SQLITE_BUSY', when: 'before' },
    { code: 'SQLITE_IOERR_READ', when: 'before' },
  ] as const)(
    '$code $when it',
    async ({ code, when }) => {
      let folder = '';
      const fresh: FailOnce = (world, nth, looks) => {
        if (folder !== '') rmSync(folder, { recursive: true });
        folder = mkdtempSync(path.join(parent, 'ledger-nth-'));
        return statementFails(folder, code, when)(world, nth, looks);
      };
      expect(await everyNth(fresh, STEP)).toBeGreaterThan(MAIL_COUNT);
      rmSync(folder, { recursive: true });
    },
    LIMIT_MS,
  );
});
