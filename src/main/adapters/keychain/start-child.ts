import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { deferred } from '../../../shared/deferred.ts';
import type { KeychainRequest } from './keychain-messages.ts';

/** A process that answers one request. Electron's utility process fits the same shape. */
export type KeychainChild = {
  readonly pid: number | undefined;
  ask(request: KeychainRequest): void;
  onAnswer(listener: (message: unknown) => void): void;
  /** It ended, or could not start or hear; called any number of times. */
  onEnd(listener: (why: string) => void): void;
  kill(): void;
};
export type StartChild = () => KeychainChild;

/** Starts keychain-child.ts on this Node. The child and its channel never keep this process alive. */
export const forkKeychainChild: StartChild = () => {
  const child = fork(fileURLToPath(new URL('./keychain-child.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  child.unref();
  child.channel?.unref();
  const ended = deferred<string>();
  child.once('exit', (code, signal) => ended.resolve(`it ended (${signal ?? code})`));
  child.on('error', (cause) => ended.resolve(cause.message));
  return {
    pid: child.pid,
    ask(request) {
      child.send(request, (cause) => {
        if (cause !== null) ended.resolve(cause.message);
      });
    },
    onAnswer(listener) {
      child.on('message', listener);
    },
    onEnd(listener) {
      void ended.promise.then(listener);
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
};
