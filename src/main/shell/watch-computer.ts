import { net, powerMonitor } from 'electron';
import { type Clocks, clockJumpMs } from '../window-host/clock-jump.ts';

/** How often network and clock are looked at; Electron tells a page of the one, and nobody of the other. */
const LOOK_MS = 5_000;

/**
 * Calls back when the computer sleeps, wakes, is unlocked or shuts down, when it has a network again, and when its clock
 * was set. Returns its own undo.
 */
export function watchComputer(hear: {
  readonly sleep: () => void;
  readonly wake: () => void;
  readonly unlock: () => void;
  readonly online: () => void;
  readonly clockSet: (byMs: number) => void;
  readonly shutdown: () => void;
}): () => void {
  let wasOnline = net.isOnline();
  let clocks = clocksNow();
  const look = setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline && !wasOnline) hear.online();
    wasOnline = isOnline;
    const now = clocksNow();
    const byMs = clockJumpMs(clocks, now);
    clocks = now;
    if (byMs !== null) hear.clockSet(byMs);
  }, LOOK_MS);
  powerMonitor.on('suspend', hear.sleep);
  powerMonitor.on('resume', hear.wake);
  // Told on Windows and macOS. That it is locked changes nothing: mails go on while nobody sits there.
  powerMonitor.on('unlock-screen', hear.unlock);
  powerMonitor.on('shutdown', hear.shutdown);
  return () => {
    clearInterval(look);
    powerMonitor.off('suspend', hear.sleep);
    powerMonitor.off('resume', hear.wake);
    powerMonitor.off('unlock-screen', hear.unlock);
    powerMonitor.off('shutdown', hear.shutdown);
  };
}

const clocksNow = (): Clocks => ({ wallMs: Date.now(), monotonicMs: performance.now() });
