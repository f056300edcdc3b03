import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const CHANNEL = 'mail_agent_queued';
const RECONNECT_MIN_MS = 200;
const RECONNECT_MAX_MS = 5_000;
const CONNECT_LIMIT_MS = 5_000;

/** Wakes claims that wait when mails of their user are queued. A wake-up is a hint; only a claim takes mails. */
export type Wakeups = {
  /** Counts from now on: what is queued between this call and `next` is not missed. End it with `close`. */
  watch(userId: string): Watch;
  close(): Promise<void>;
};

export type Watch = {
  /** Resolves when mails of the user may have been queued since the last call, after `ms`, or on abort. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
};

/**
 * One listening connection for the whole process, made again when it is lost. After each (re)connection everybody is
 * woken, because what was told meanwhile was told to nobody. `onLost` hears of every loss.
 */
export function startWakeups(databaseUrl: string, onLost: (error: unknown) => void): Wakeups {
  const bells = new Map<string, Set<() => void>>();
  const stopping = new AbortController();
  const ring = (userId: string) => {
    for (const bell of bells.get(userId) ?? []) bell();
  };
  const ringAll = () => {
    for (const userId of bells.keys()) ring(userId);
  };
  const listening = keepListening(databaseUrl, stopping.signal, { ring, ringAll, onLost });
  return {
    watch(userId) {
      let rung = false;
      let wake: (() => void) | null = null;
      const bell = () => {
        rung = true;
        wake?.();
      };
      const bellsOfUser = bells.get(userId) ?? new Set();
      bells.set(userId, bellsOfUser.add(bell));
      return {
        async next(ms, signal) {
          if (!rung && !signal.aborted) {
            const woken = new AbortController();
            wake = () => woken.abort();
            await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(onlyAborts);
            wake = null;
          }
          rung = false;
        },
        close() {
          bellsOfUser.delete(bell);
          if (bellsOfUser.size === 0 && bells.get(userId) === bellsOfUser) bells.delete(userId);
        },
      };
    },
    async close() {
      stopping.abort();
      await listening;
    },
  };
}

async function keepListening(
  databaseUrl: string,
  signal: AbortSignal,
  hear: {
    readonly ring: (userId: string) => void;
    readonly ringAll: () => void;
    readonly onLost: (error: unknown) => void;
  },
): Promise<void> {
  for (let pauseMs = RECONNECT_MIN_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, RECONNECT_MAX_MS)) {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'mail-agent-cloud-wakeup',
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      keepAlive: true,
    });
    const lost = Promise.withResolvers<unknown>();
    const stop = () => lost.resolve(null);
    client.on('error', lost.resolve);
    client.once('end', () => lost.resolve(new Error('the listening connection ended')));
    signal.addEventListener('abort', stop);
    try {
      client.on('notification', (message) => hear.ring(message.payload ?? ''));
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      pauseMs = RECONNECT_MIN_MS;
      hear.ringAll();
      const why = await lost.promise;
      if (why !== null) hear.onLost(why);
    } catch (error) {
      hear.onLost(error);
    }
    signal.removeEventListener('abort', stop);
    await client.end().catch(hear.onLost);
    if (!signal.aborted) await sleep(pauseMs, undefined, { signal }).catch(onlyAborts);
  }
}

function onlyAborts(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}
