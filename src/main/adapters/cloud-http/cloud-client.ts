import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { deferred } from '../../../shared/deferred.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import {
  BeginReply,
  ClaimReplyEnvelope,
  FactReply,
  HeartbeatReply,
  NotSentReply,
  NotSentRequest,
  ResultReply,
  SyncReplyEnvelope,
} from '../../../shared/wire/messages.ts';
import type { Cloud, CloudFailure, OutboxRow, SecretFailure } from '../../engine/ports.ts';
import { openDirect } from '../tunnel/open-tunnel.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import { BODY_BYTES_MAX, type Call, type CallSettings, call, DEADLINES, type Deadlines } from './call.ts';
import { openConnections } from './connection.ts';
import { cacheToken } from './token-cache.ts';

/** A long poll, a begin and a report at once, and one to spare. */
const CONNECTIONS = 4;

export type CloudClientOptions = {
  /** Origin only: https, or http to this very machine. */
  readonly cloudUrl: string;
  readonly token: () => Promise<Result<string, SecretFailure>>;
  /** The agent's own version, for the User-Agent header. */
  readonly version: string;
  /** PEM of the only authority trusted for this cloud; the machine's where it is missing. */
  readonly ca?: string | undefined;
  /** The way to the cloud; straight where it is missing. */
  readonly tunnel?: OpenTunnel;
  readonly deadlines?: Partial<Deadlines>;
  /** Largest answer that is read, before and after decoding. */
  readonly limits?: { readonly bodyBytes?: number };
  readonly nowMs?: () => number;
};

/**
 * The agent's side of the contract over HTTP. Throws RangeError for an address that is not allowed; no call ever
 * rejects. The heartbeat has a connection of its own: nothing else can hold it up.
 */
export function createCloudClient(options: CloudClientOptions): Cloud {
  const { cloudUrl, ca } = options;
  const tunnel = options.tunnel ?? openDirect;
  const work = openConnections({ origin: cloudUrl, ca, tunnel, connections: CONNECTIONS });
  const pulse = openConnections({ origin: cloudUrl, ca, tunnel, connections: 1 });
  const tokens = cacheToken(options.token);
  const settings: CallSettings = {
    version: options.version,
    deadlines: { ...DEADLINES, ...options.deadlines },
    bodyBytes: options.limits?.bodyBytes ?? BODY_BYTES_MAX,
    nowMs: options.nowMs ?? Date.now,
  };

  const ask = async <T>(over: Dispatcher, wanted: Call<T>, signal: AbortSignal): Promise<Result<T, CloudFailure>> => {
    const known = tokens.known();
    const token = known === null ? await orStopped(tokens.get(), signal) : ok(known);
    if (!token.ok) return token;
    const first = await call(over, settings, token.value, wanted, signal);
    if (first.ok || first.error.kind !== 'problem' || first.error.code !== 'unauthorized') return first;
    // Perhaps the agent was paired anew meanwhile. The same token is not tried twice.
    const renewed = await orStopped(tokens.renew(token.value), signal);
    if (!renewed.ok) return renewed;
    return renewed.value === token.value ? first : call(over, settings, renewed.value, wanted, signal);
  };

  return {
    async claim(request, signal) {
      const body = JSON.stringify({ claim_id: request.claimId, limit: request.limit, wait: request.waitSeconds });
      const before = keepItems(request.limit);
      const { waitSeconds } = request;
      const reply = await ask(work, { route: 'claim', body, schema: ClaimReplyEnvelope, before, waitSeconds }, signal);
      if (reply.ok && reply.value.claim_id !== request.claimId) return otherThan('claim');
      return reply;
    },

    async begin(mailId, request, signal) {
      const body = JSON.stringify(request);
      const reply = await ask(work, { route: 'begin', mailId, body, schema: BeginReply }, signal);
      if (!reply.ok) return reply;
      if (reply.value.id !== mailId) return otherThan('mail');
      return reply.value.nonce === request.nonce ? ok(undefined) : otherThan('nonce');
    },

    async report(row, signal) {
      const { mailId, route, body } = row;
      const reply = await ask(work, { route, mailId, body, schema: REPORT_REPLIES[route] }, signal);
      if (!reply.ok) return reply;
      if (reply.value.id !== mailId) return otherThan('mail');
      const { nonce } = reply.value;
      return nonce === undefined || nonce === nonceOf(body) ? ok(undefined) : otherThan('nonce');
    },

    heartbeat: (request, signal) =>
      ask(pulse, { route: 'heartbeat', body: JSON.stringify(request), schema: HeartbeatReply }, signal),

    sync(request, signal) {
      const before = keepItems(request.limit);
      const body = JSON.stringify(request);
      return ask(work, { route: 'sync', body, schema: SyncReplyEnvelope, before }, signal);
    },

    async close() {
      await Promise.all([work.destroy(), pulse.destroy()]);
    },
  };
}

type ReportReply = { readonly id: string; readonly nonce?: string };
const REPORT_REPLIES: Record<OutboxRow['route'], z.ZodType<ReportReply>> = {
  result: ResultReply,
  notSent: NotSentReply,
  fact: FactReply,
};
const NonceOfBody = NotSentRequest.pick({ nonce: true }).loose();

function nonceOf(body: string): string | null {
  try {
    const parsed = NonceOfBody.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data.nonce : null;
  } catch {
    return null;
  }
}

/** An answer that belongs to another call, of which nothing is used. */
function otherThan(what: 'claim' | 'mail' | 'nonce'): { readonly ok: false; readonly error: CloudFailure } {
  return err({
    kind: 'nonsense',
    text: `the answer is for another ${what} than the one asked about`,
    retryAfterMs: null,
  });
}

const WithItems = z.looseObject({ items: z.array(z.unknown()) });

/** Drops the items beyond the number asked for: the cloud still holds them, and the next sync lists them. */
const keepItems = (limit: number) => (value: unknown) => {
  const parsed = WithItems.safeParse(value);
  if (!parsed.success || parsed.data.items.length <= limit) return value;
  return { ...parsed.data, items: parsed.data.items.slice(0, limit) };
};

async function orStopped<T>(
  work: Promise<Result<T, CloudFailure>>,
  signal: AbortSignal,
): Promise<Result<T, CloudFailure>> {
  const stopped = deferred<Result<T, CloudFailure>>();
  const onAbort = () => stopped.resolve(err({ kind: 'unreachable', text: 'the call was stopped' }));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
