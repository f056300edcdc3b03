import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import type { DemoAgent } from './agent-process.ts';
import { type ChaosEvent, type ChaosPlan, isCall } from './chaos.ts';

const LOOK_MS = 5;
/** An event does not wait for ever for its mails, nor a cut for a connection. */
const STALL_MS = 5_000;
/** Held-up sending is taken up again this soon, so that a run lasts seconds where an agent would wait for minutes. */
const NUDGE_MS = 500;

export type ChaosCounts = { kills: number; cuts: number; repliesLost: number };

type Parts = {
  readonly plan: ChaosPlan;
  readonly agent: DemoAgent;
  readonly smtpProxy: FaultyProxy;
  readonly httpProxy: FaultyProxy;
  /** How many mails the mail server has taken over. */
  readonly acceptedCount: () => number;
};

/** Lets everything happen that was planned, one after another, until it is over or `signal` aborts. */
export async function runChaos(parts: Parts, kills: { count: number }, signal: AbortSignal): Promise<void> {
  for (const event of parts.plan.events) {
    await waitUntil(() => parts.acceptedCount() >= event.afterAccepted, signal);
    await pause(event.delayMs, signal);
    if (signal.aborted) return;
    await happen(parts, event, kills, signal);
  }
}

async function happen(parts: Parts, event: ChaosEvent, kills: { count: number }, signal: AbortSignal): Promise<void> {
  switch (event.kind) {
    case 'kill':
      if (await parts.agent.killAndRestart()) kills.count += 1;
      return;
    case 'cut-smtp':
      return waitUntil(() => parts.smtpProxy.cutAll() > 0, signal);
    case 'cut-http':
      return waitUntil(() => parts.httpProxy.cutAll(isCall) > 0, signal);
  }
}

/** Resumes the agent as a person would who watches it, again and again until `signal` aborts. */
export async function nudge(agent: DemoAgent, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(NUDGE_MS, signal);
    // No answer means that it is just starting.
    if (!signal.aborted) await agent.resume();
  }
}

export function chaosCounts(kills: number, proxies: readonly FaultyProxy[]): ChaosCounts {
  const total = { kills, cuts: 0, repliesLost: 0 };
  for (const proxy of proxies) {
    const { cut, refused, repliesLost } = proxy.counts();
    total.cuts += cut + refused;
    total.repliesLost += repliesLost;
  }
  return total;
}

async function waitUntil(isSo: () => boolean, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; waitedMs < STALL_MS && !signal.aborted && !isSo(); waitedMs += LOOK_MS) {
    await pause(LOOK_MS, signal);
  }
}

/** Ends early, and without complaint, where the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
