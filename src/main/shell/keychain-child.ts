import { type UtilityProcess, utilityProcess } from 'electron';
import type { KeychainChild, StartChild } from '../adapters/keychain/start-child.ts';

/** Starts `file` (the built keychain-process.ts) in a process of its own, which can hang and be killed alone. */
export function keychainChildIn(file: string): StartChild {
  return () => childOf(utilityProcess.fork(file, [], { serviceName: 'Mail Agent keychain', stdio: 'ignore' }));
}

function childOf(child: UtilityProcess): KeychainChild {
  return {
    pid: child.pid,
    // Kept by Electron until the process is up.
    ask: (request) => child.postMessage(request),
    onAnswer: (listener) => {
      child.on('message', listener);
    },
    onEnd: (listener) => {
      child.once('exit', (code) => listener(`it ended (${code})`));
    },
    kill: () => {
      child.kill();
      // An ordinary end may wait for a keychain call that never returns.
      if (child.pid !== undefined) killHard(child.pid);
    },
  };
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
