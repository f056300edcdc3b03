import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installDebianPackages } from '../../../scripts/debian-packages.mjs';

const DRIVER = fileURLToPath(new URL('./keychain-driver.ts', import.meta.url));
const UNLOCKED = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$0" "$@"';
const LOCKED = 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; exec "$0" "$@"';

beforeAll(() => installDebianPackages(['libsecret-1-0', 'gnome-keyring', 'dbus', 'dbus-x11']));

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'mail-agent-keychain-'));
  mkdirSync(path.join(home, 'data'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

type Call = readonly ['get' | 'set' | 'delete', 'agent-token' | 'smtp-password', string?];
type Keyring = 'unlocked' | 'locked' | 'none';

/** Does the calls in a process of its own, beside a real keyring, and answers what they answered. */
function onKeyring(
  keyring: Keyring,
  calls: readonly Call[],
  more: { profile?: string; deadlineMs?: number } = {},
): Promise<unknown[]> {
  const options = { folder: path.join(home, 'data'), profile: 'profile-1', deadlineMs: 10_000, ...more };
  const wanted = JSON.stringify({ ...options, calls: calls.map(([what, name, value]) => [what, name, value ?? '']) });
  const driver = [process.execPath, DRIVER, wanted];
  const bus = ['dbus-run-session', '--', 'sh', '-c', keyring === 'unlocked' ? UNLOCKED : LOCKED, ...driver];
  const [command = '', ...args] = keyring === 'none' ? driver : bus;
  const { DBUS_SESSION_BUS_ADDRESS: _bus, DISPLAY: _display, XDG_RUNTIME_DIR: _run, ...clean } = process.env;
  const child = spawn(command, args, { env: { ...clean, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let out = '';
    let errors = '';
    child.stdout.on('data', (piece) => (out += piece));
    child.stderr.on('data', (piece) => (errors += piece));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(out));
      else reject(new Error(`the driver ended with ${code}: ${errors}`));
    });
  });
}

const done = { ok: true };
const value = (text: string) => ({ ok: true, value: text });
const sealedFiles = () => readdirSync(path.join(home, 'data'));

describe('secrets in a real keyring', () => {
  it('are stored, read, replaced and removed', async () => {
    const answers = await onKeyring('unlocked', [
      ['get', 'smtp-password'],
      ['set', 'smtp-password', 'pässwörd 密码 "\\'],
      ['get', 'smtp-password'],
      ['set', 'smtp-password', 'another'],
      ['get', 'smtp-password'],
      ['get', 'agent-token'],
      ['delete', 'smtp-password'],
      ['get', 'smtp-password'],
      ['delete', 'smtp-password'],
    ]);

    const missing = { ok: false, error: { kind: 'missing', text: expect.any(String) } };
    expect(answers).toEqual([
      missing,
      done,
      value('pässwörd 密码 "\\'),
      done,
      value('another'),
      missing,
      done,
      missing,
      done,
    ]);
  });

  it('of one profile are not seen by another', async () => {
    await onKeyring('unlocked', [['set', 'agent-token', 'mine']], { profile: 'a' });

    expect(await onKeyring('unlocked', [['get', 'agent-token']], { profile: 'b' })).toMatchObject([
      { error: { kind: 'missing' } },
    ]);
    expect(await onKeyring('unlocked', [['get', 'agent-token']], { profile: 'a' })).toEqual([value('mine')]);
  });

  it('too long for a keychain are encrypted to a private file, and only the newest file stays', async () => {
    const long = `${'长'.repeat(2_000)}end`;
    const answers = await onKeyring('unlocked', [
      ['set', 'agent-token', 'x'.repeat(1_281)],
      ['set', 'agent-token', long],
      ['get', 'agent-token'],
    ]);

    expect(answers).toEqual([done, done, value(long)]);
    const [file = '', ...others] = sealedFiles();
    expect(others).toEqual([]);
    const sealed = path.join(home, 'data', file);
    expect(statSync(sealed).mode & 0o777).toBe(0o600);
    expect(readFileSync(sealed, 'utf8')).not.toContain('end');
    await onKeyring('unlocked', [['set', 'agent-token', 'short']]);
    expect(sealedFiles()).toEqual([]);
  });

  it('are said to be lost where their encrypted file is gone, damaged or that of another secret', async () => {
    const long = 'x'.repeat(2_000);
    const lost = [{ ok: false, error: { kind: 'missing', text: expect.stringContaining('lost') } }];
    await onKeyring('unlocked', [
      ['set', 'agent-token', long],
      ['set', 'smtp-password', long],
    ]);
    const [token = '', password = ''] = sealedFiles().map((name) => path.join(home, 'data', name));
    const bytes = readFileSync(token);

    writeFileSync(token, readFileSync(password));
    expect(await onKeyring('unlocked', [['get', 'agent-token']])).toEqual(lost);
    writeFileSync(token, bytes.subarray(0, 20));
    expect(await onKeyring('unlocked', [['get', 'agent-token']])).toEqual(lost);
    rmSync(token);
    expect(await onKeyring('unlocked', [['get', 'agent-token']])).toEqual(lost);
    expect(await onKeyring('unlocked', [['get', 'smtp-password']])).toEqual([value(long)]);
  });

  it('that look like the key of an encrypted file are still read back as they are', async () => {
    const odd = `mail-agent-sealed:1:${'0'.repeat(16)}:${'A'.repeat(43)}`;

    expect(
      await onKeyring('unlocked', [
        ['set', 'agent-token', odd],
        ['get', 'agent-token'],
      ]),
    ).toEqual([done, value(odd)]);
  });

  it('that no keychain could give back are refused', async () => {
    const answers = await onKeyring('unlocked', [
      ['set', 'smtp-password', ''],
      ['set', 'smtp-password', 'a\0b'],
      ['set', 'smtp-password', '\uD800'],
      ['set', 'smtp-password', 'x'.repeat(65_537)],
    ]);

    for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  });
});

describe('a keyring that cannot be used', () => {
  const calls: readonly Call[] = [
    ['get', 'agent-token'],
    ['set', 'agent-token', 'value'],
    ['delete', 'agent-token'],
  ];

  it('is said to be locked, never to be without the secret', async () => {
    await onKeyring('unlocked', [['set', 'agent-token', 'kept']]);

    const answers = await onKeyring('locked', calls);

    for (const answer of answers) {
      expect(answer).toMatchObject({
        ok: false,
        error: { kind: expect.stringMatching(/^(locked|timeout)$/), text: expect.stringContaining('lock') },
      });
    }
    expect(await onKeyring('unlocked', [['get', 'agent-token']])).toEqual([value('kept')]);
  });

  it('is said to be unavailable where it was never made', async () => {
    for (const answer of await onKeyring('locked', calls)) {
      expect(answer).toMatchObject({
        ok: false,
        error: { kind: expect.stringMatching(/^(unavailable|locked|timeout)$/) },
      });
    }
  });

  it('is said to be unavailable without a session bus, and the process ends by itself', async () => {
    for (const answer of await onKeyring('none', calls)) {
      expect(answer).toMatchObject({
        ok: false,
        error: { kind: 'unavailable', text: expect.stringContaining('keychain') },
      });
    }
  });
});
