// Started by keychain-child.ts as a utility process: answers one request and is killed by its parent then.
import { answerKeychain } from '../adapters/keychain/keychain-answer.ts';

process.parentPort.once('message', async ({ data }) => {
  process.parentPort.postMessage(await answerKeychain(data));
});
