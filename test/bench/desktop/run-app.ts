import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DesktopSession } from '../../support/desktop-session.ts';
import type { TrayHost } from '../../support/tray-host.ts';

/** One start of a program with an icon in the tray. */
export type RunningApp = {
  readonly pid: number;
  /** From the start of the process to its icon. */
  readonly toTrayMs: number;
  /** The port of Chromium's own debugger, which can list and close windows. */
  readonly debugPort: number;
  stop(): Promise<void>;
};

const START_LIMIT_MS = 60_000;
const STEP_MS = 5;

export async function runApp(
  executable: string,
  words: readonly string[],
  desktop: { readonly session: DesktopSession; readonly tray: TrayHost },
): Promise<RunningApp> {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const before = desktop.tray.registeredAtMs.length;
  const startedMs = performance.now();
  const child = spawn(executable, [...root, '--remote-debugging-port=0', ...words], {
    env: desktop.session.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-8_000);
  });
  const stop = () => end(child);
  const debugPort = () => Number(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1] ?? 0);
  while (desktop.tray.registeredAtMs.length === before || debugPort() === 0) {
    if (child.exitCode !== null || performance.now() - startedMs > START_LIMIT_MS) {
      await stop();
      throw new Error(`${executable} showed no tray icon: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  const toTrayMs = (desktop.tray.registeredAtMs[before] ?? 0) - startedMs;
  if (child.pid === undefined) throw new Error(`${executable} did not start`);
  return { pid: child.pid, toTrayMs, debugPort: debugPort(), stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
