import { z } from 'zod';

/** What the probe writes down of the agent's process; see probe.ts. */
const Sample = z.object({
  atMs: z.number(),
  rssBytes: z.number(),
  heapBytes: z.number(),
  externalBytes: z.number(),
  handles: z.number(),
  delayP50Ms: z.number(),
  delayP99Ms: z.number(),
});
export type Sample = z.infer<typeof Sample>;

/** One sample a line. */
export const readSamples = (text: string): readonly Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Sample.parse(JSON.parse(line)));
