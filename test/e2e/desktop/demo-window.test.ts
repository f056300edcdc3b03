import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DesktopSession, type Keyring, startDesktopSession } from '../../support/desktop-session.ts';
import { TrayHost } from '../../support/tray-host.ts';

const RUN_LIMIT_MS = 240_000;

let parent: string;
let session: DesktopSession | undefined;
let tray: TrayHost | undefined;

beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), 'demo-window-test-'));
  // The database's own account must get into it.
  chmodSync(parent, 0o755);
});
afterEach(async () => {
  tray?.close();
  await session?.close();
  rmSync(parent, { recursive: true, force: true });
});

/** A demo of five mails on a desktop with this keyring. */
async function demo(keyring: Keyring) {
  session = await startDesktopSession({ keyring });
  tray = await TrayHost.start(session.busAddress);
  const args = [
    'scripts/demo.ts',
    '--once',
    '--json',
    '--lang',
    'en',
    '--mails',
    '5',
    '--data',
    path.join(parent, 'd'),
  ];
  // What is in the person's cache is used there too: a runtime is not made twice.
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
  const env = { ...session.env, XDG_CACHE_HOME: cache };
  const child = spawn(process.execPath, args, { env, stdio: 'pipe' });
  let output = '';
  let messages = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text;
  });
  await once(child, 'close');
  const counts: unknown = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  return { exitCode: child.exitCode, counts, messages, icons: tray.registeredAtMs.length };
}

const ALL_WELL = { queued: 5, sent: 5, failed: 0, uncertain: 0, delivered: 5, duplicates: 0 };

it(
  'the demo sends from the desktop app where there is a display',
  async () => {
    const run = await demo('unlocked');

    expect(run.messages).toContain('nothing arrived twice');
    expect(run.messages).not.toContain('Without its window');
    expect(run).toMatchObject({ exitCode: 0, icons: 1, counts: ALL_WELL });
  },
  RUN_LIMIT_MS,
);

it(
  'the demo goes without the window, and says why, where there is no keychain for it',
  async () => {
    const run = await demo('none');

    expect(run.messages).toMatch(/Without its window: .*keychain/);
    expect(run).toMatchObject({ exitCode: 0, icons: 0, counts: ALL_WELL });
  },
  RUN_LIMIT_MS,
);
