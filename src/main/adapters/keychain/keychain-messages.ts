import { z } from 'zod';

/** What the keychain's child process is asked; one request for each child. */
export const KeychainRequest = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('get'), account: z.string().min(1).max(200) }),
  z.strictObject({ do: z.literal('set'), account: z.string().min(1).max(200), value: z.string().min(1).max(4096) }),
  z.strictObject({ do: z.literal('delete'), account: z.string().min(1).max(200) }),
]);
export type KeychainRequest = z.infer<typeof KeychainRequest>;

/** `value` is null where there is no such entry, and after `set` and `delete`. */
export const KeychainAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done'), value: z.string().max(65_536).nullable() }),
  z.strictObject({ kind: z.enum(['locked', 'unavailable']), text: z.string().max(500) }),
]);
export type KeychainAnswer = z.infer<typeof KeychainAnswer>;
