import { z } from 'zod';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { serveParent } from './child.ts';

const Start = z.object({ targetPort: z.int(), oneWayMs: z.int() });

/** The delay between a side and its peer, in a process of its own: its work is not on either side's account. */
serveParent(
  async (request) => {
    const { targetPort, oneWayMs } = Start.parse(request);
    const proxy = await startFaultyProxy({
      target: { host: '127.0.0.1', port: targetPort },
      decide: () => ({ kind: 'delay', oneWayMs }),
    });
    return { port: proxy.port };
  },
  async () => undefined,
);
