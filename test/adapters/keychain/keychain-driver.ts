// Run by keychain.test.ts on a session bus of its own: does the calls named by its argument and prints what came back.
import { z } from 'zod';
import { createKeychain } from '../../../src/main/adapters/keychain/keychain.ts';

const Calls = z.object({
  folder: z.string(),
  profile: z.string(),
  deadlineMs: z.number(),
  calls: z.array(z.tuple([z.enum(['get', 'set', 'delete']), z.enum(['agent-token', 'smtp-password']), z.string()])),
});

const { calls, ...options } = Calls.parse(JSON.parse(process.argv[2] ?? ''));
const keychain = createKeychain(options);
const answers: unknown[] = [];
for (const [what, name, value] of calls) {
  answers.push(await (what === 'set' ? keychain.set(name, value) : keychain[what](name)));
}
process.stdout.write(JSON.stringify(answers));
