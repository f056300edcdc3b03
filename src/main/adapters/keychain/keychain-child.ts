// Started by start-child.ts: answers one request over the channel and is killed by its parent then.
import { answerKeychain } from './keychain-answer.ts';

process.once('message', async (message) => {
  process.send?.(await answerKeychain(message));
});
// A keychain call that hangs would hold up an ordinary exit for ever.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
