import { err, ok, type Result } from '../../../shared/result.ts';
import type { SecretFailure } from '../../engine/ports.ts';
import { KeychainAnswer, type KeychainRequest } from './keychain-messages.ts';
import type { StartChild } from './start-child.ts';

/**
 * One request in a child process of its own, killed once it answered or `deadlineMs` passed: a keychain call that
 * hangs can neither be cancelled nor survived by the process it runs in. Answers the entry, null for none.
 */
export function askKeychain(
  startChild: StartChild,
  request: KeychainRequest,
  deadlineMs: number,
): Promise<Result<string | null, SecretFailure>> {
  return new Promise((resolve) => {
    const child = startChild();
    const end = (result: Result<string | null, SecretFailure>) => {
      clearTimeout(deadline);
      child.kill();
      resolve(result);
    };
    const deadline = setTimeout(() => end(err(tooSlow(deadlineMs))), deadlineMs);
    child.onAnswer((message) => end(readAnswer(message)));
    child.onEnd((why) => end(err(unavailable(`its process gave no answer: ${why}`))));
    child.ask(request);
  });
}

function readAnswer(message: unknown): Result<string | null, SecretFailure> {
  const answer = KeychainAnswer.safeParse(message);
  if (!answer.success) return err(unavailable('its process answered something unknown'));
  switch (answer.data.kind) {
    case 'done':
      return ok(answer.data.value);
    case 'locked':
      return err({
        kind: 'locked',
        text: `The keychain of this computer is locked. Unlock it, or log in to the desktop again. (${answer.data.text})`,
      });
    case 'unavailable':
      return err(unavailable(answer.data.text));
  }
}

const unavailable = (why: string): SecretFailure => ({
  kind: 'unavailable',
  text: `The keychain of this computer cannot be used: ${why}`,
});

const tooSlow = (deadlineMs: number): SecretFailure => ({
  kind: 'timeout',
  text: `The keychain of this computer did not answer within ${deadlineMs / 1000} s. It may be locked or wait for a prompt.`,
});
