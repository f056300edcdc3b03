import { net, powerMonitor } from 'electron';

/** How often it is looked whether the network is back; Electron tells a page of it, and there may be none. */
const LOOK_MS = 5_000;

/** Calls back when the computer sleeps, wakes, shuts down, and when it has a network again. Returns its own undo. */
export function watchComputer(hear: {
  readonly sleep: () => void;
  readonly wake: () => void;
  readonly online: () => void;
  readonly shutdown: () => void;
}): () => void {
  let wasOnline = net.isOnline();
  const look = setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline && !wasOnline) hear.online();
    wasOnline = isOnline;
  }, LOOK_MS);
  powerMonitor.on('suspend', hear.sleep);
  powerMonitor.on('resume', hear.wake);
  powerMonitor.on('shutdown', hear.shutdown);
  return () => {
    clearInterval(look);
    powerMonitor.off('suspend', hear.sleep);
    powerMonitor.off('resume', hear.wake);
    powerMonitor.off('shutdown', hear.shutdown);
  };
}
