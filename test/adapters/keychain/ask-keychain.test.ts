import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { askKeychain } from '../../../src/main/adapters/keychain/ask-keychain.ts';
import { createKeychain } from '../../../src/main/adapters/keychain/keychain.ts';
import type { KeychainRequest } from '../../../src/main/adapters/keychain/keychain-messages.ts';
import { forkKeychainChild, type KeychainChild } from '../../../src/main/adapters/keychain/start-child.ts';

const GET: KeychainRequest = { do: 'get', account: 'p:agent-token' };
const SOON_MS = 100;
const LONG_MS = 30_000;

/** A child that does what the test says; `killed` counts. */
function fakeChild(behave: (child: { answer(message: unknown): void; end(why: string): void }) => void) {
  const heard: Array<(message: unknown) => void> = [];
  const ends: Array<(why: string) => void> = [];
  const state = { killed: 0 };
  const child: KeychainChild = {
    pid: 1,
    ask: () =>
      queueMicrotask(() =>
        behave({
          answer: (message) => heard.forEach((listener) => void listener(message)),
          end: (why) => ends.forEach((listener) => void listener(why)),
        }),
      ),
    onAnswer: (listener) => void heard.push(listener),
    onEnd: (listener) => void ends.push(listener),
    kill: () => {
      state.killed += 1;
    },
  };
  return { child, state };
}

describe('asking the keychain in a child process', () => {
  it('answers what the child answers and ends the child', async () => {
    const { child, state } = fakeChild(({ answer }) => answer({ kind: 'done', value: 'secret' }));

    expect(await askKeychain(() => child, GET, LONG_MS)).toEqual({ ok: true, value: 'secret' });
    expect(state.killed).toBeGreaterThan(0);
  });

  it('kills a child that does not answer within the deadline', async () => {
    const { child, state } = fakeChild(() => undefined);

    expect(await askKeychain(() => child, GET, SOON_MS)).toMatchObject({ ok: false, error: { kind: 'timeout' } });
    expect(state.killed).toBeGreaterThan(0);
  });

  it.each([
    [{ kind: 'locked', text: 'x' }, 'locked'],
    [{ kind: 'unavailable', text: 'x' }, 'unavailable'],
    [{ kind: 'done' }, 'unavailable'],
    ['nonsense', 'unavailable'],
    [null, 'unavailable'],
  ])('takes the answer %j for %s', async (message, kind) => {
    const { child } = fakeChild(({ answer }) => answer(message));

    expect(await askKeychain(() => child, GET, LONG_MS)).toMatchObject({ ok: false, error: { kind } });
  });

  it('says so where the child ends without an answer', async () => {
    const { child } = fakeChild(({ end }) => end('it ended (SIGKILL)'));

    expect(await askKeychain(() => child, GET, LONG_MS)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', text: expect.stringContaining('SIGKILL') },
    });
  });

  it('survives a real child that is killed while it is asked', async () => {
    const startAndKill = () => {
      const child = forkKeychainChild();
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      return child;
    };

    expect(await askKeychain(startAndKill, GET, LONG_MS)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  });

  it('asks one thing at a time and refuses a long queue', async () => {
    let running = 0;
    let most = 0;
    const keychain = createKeychain({
      profile: 'p',
      folder: '/nowhere',
      startChild: () => {
        running += 1;
        most = Math.max(most, running);
        return fakeChild(async ({ answer }) => {
          await pause(5);
          running -= 1;
          answer({ kind: 'done', value: 'secret' });
        }).child;
      },
    });

    const answers = await Promise.all(Array.from({ length: 12 }, () => keychain.get('agent-token')));

    expect(most).toBe(1);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(8);
    expect(answers.at(-1)).toMatchObject({ ok: false, error: { kind: 'timeout' } });
    expect((await keychain.get('agent-token')).ok).toBe(true);
  });
});

it('the child ends with its parent, though it was never asked', async () => {
  const start = fileURLToPath(new URL('../../../src/main/adapters/keychain/start-child.ts', import.meta.url));
  const script = `const { forkKeychainChild } = await import(${JSON.stringify(start)}); console.log(forkKeychainChild().pid);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  parent.stdout.on('data', (piece) => (out += piece));

  const code = await new Promise((resolve) => parent.on('close', resolve));

  expect(code).toBe(0);
  await expect.poll(() => isAlive(Number(out)), { timeout: 10_000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
