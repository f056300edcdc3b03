// Loaded into the agent's process before the agent (`node --import`): writes one line of JSON for every sample into the
// file that SOAK_SAMPLES names. The agent itself knows nothing of it.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const EVERY_MS = 2_000;
const file = process.env['SOAK_SAMPLES'] ?? '';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
setInterval(() => {
  const { rss, heapUsed, external } = process.memoryUsage();
  const toMs = (ns: number) => ns / 1e6;
  const sample = {
    atMs: Date.now(),
    rssBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
    // Timers, sockets and requests that keep the process alive.
    handles: process.getActiveResourcesInfo().length,
    delayP50Ms: toMs(delay.percentile(50)),
    delayP99Ms: toMs(delay.percentile(99)),
  };
  delay.reset();
  appendFileSync(file, `${JSON.stringify(sample)}\n`);
}, EVERY_MS).unref();
