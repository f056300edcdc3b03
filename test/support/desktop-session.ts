import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { until } from '../e2e/agent-and-cloud/until.ts';

/** Which keyring a person's desktop has. */
export type Keyring = 'unlocked' | 'locked' | 'empty' | 'none';

/** A display, a session bus and a keyring of its own, with an empty home: one person's desktop. */
export type DesktopSession = {
  readonly home: string;
  readonly busAddress: string;
  /** What a program started on this desktop gets. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The keyring ends, and comes back as this one: `locked` or `unlocked` with what is in it, `empty` as if the person had
   * thrown it away.
   */
  changeKeyring(to: Keyring): Promise<void>;
  close(): Promise<void>;
};

const START_MS = 20_000;

export async function startDesktopSession(options: { readonly keyring?: Keyring } = {}): Promise<DesktopSession> {
  const home = await mkdtemp(path.join(tmpdir(), 'mail-agent-desktop-'));
  const started: ChildProcess[] = [];
  const close = async () => {
    for (const child of started.reverse()) await end(child);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const bare = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', XDG_RUNTIME_DIR: home, TMPDIR: home };
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      env: bare,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    started.push(screen);
    const display = `:${await firstLine(screen.stdio[3] as Readable, 'Xvfb')}`;
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address', `--address=unix:path=${home}/bus`], {
      env: bare,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.push(bus);
    const busAddress = await firstLine(bus.stdout as Readable, 'dbus-daemon');
    const env = { ...bare, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: busAddress };
    const startKeyring = async (words: readonly string[], password: string): Promise<ChildProcess> => {
      const all = ['--foreground', '--components=secrets', ...words];
      const daemon = spawn('gnome-keyring-daemon', all, { env, stdio: ['pipe', 'ignore', 'ignore'] });
      started.push(daemon);
      daemon.stdin?.end(password);
      await until(() => hasOwner('org.freedesktop.secrets', env));
      return daemon;
    };
    const keyrings = path.join(home, '.local/share/keyrings');
    const unlocked = () => startKeyring(['--unlock'], 'a login password');
    let daemon: ChildProcess | null = null;
    const changeKeyring: DesktopSession['changeKeyring'] = async (to) => {
      if (to === 'locked') await until(() => existsSync(path.join(keyrings, 'login.keyring')));
      if (daemon !== null) await end(daemon);
      daemon = null;
      if (to === 'empty') await rm(keyrings, { recursive: true, force: true });
      // What is in it stays behind; the next one is not told its password.
      if (to === 'locked') daemon = await startKeyring(['--start'], '');
      if (to === 'empty' || to === 'unlocked') daemon = await unlocked();
    };
    const keyring = options.keyring ?? 'unlocked';
    if (keyring !== 'none') daemon = await unlocked();
    if (keyring === 'locked') await changeKeyring('locked');
    return { home, busAddress, env, changeKeyring, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether somebody serves this name on the bus. */
function hasOwner(name: string, env: NodeJS.ProcessEnv): boolean {
  const call = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner'];
  const asked = spawnSync('dbus-send', [...call, `string:${name}`], { env, encoding: 'utf8' });
  return asked.status === 0 && asked.stdout.includes('boolean true');
}

async function firstLine(stream: Readable, who: string): Promise<string> {
  let text = '';
  const signal = AbortSignal.timeout(START_MS);
  while (!text.includes('\n')) {
    const [chunk] = await once(stream, 'data', { signal }).catch(() => {
      throw new Error(`${who} said nothing; installed by: node scripts/debian-packages.mjs`);
    });
    text += String(chunk);
  }
  stream.resume();
  return text.split('\n')[0]?.trim() ?? '';
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
