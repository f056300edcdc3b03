import { z } from 'zod';

/** One input that somebody hostile, careless or newer may send, and what the product must answer. */
const HostileRow = z.strictObject({
  id: z.string().regex(/^HI-\d{3}$/),
  part: z.enum(['cloud', 'address', 'content', 'attachment', 'smtp', 'ipc', 'settings', 'os', 'update']),
  input: z.string().min(1),
  answer: z.string().min(1),
  /** Tests elsewhere that assert the answer: file, and a text that stands in it as the title of a test or its case. */
  coveredBy: z.array(z.strictObject({ file: z.string(), title: z.string().min(5) })).optional(),
  /** What the product does not do of it yet. */
  lacks: z.string().optional(),
  /** A part that does not exist yet: the module it will be, and words that betray it under whatever name. */
  awaits: z.strictObject({ module: z.string(), signs: z.array(z.string().min(5)).min(1) }).optional(),
});
export type HostileRow = z.infer<typeof HostileRow>;

export const HostileRows = z.array(HostileRow);
