import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Limits, Target, TunnelFailure } from './tunnel.ts';

/** Opens a TCP connection straight to the target. */
export async function openTcp(target: Target, limits: Limits): Promise<Result<Socket, TunnelFailure>> {
  const where = `${target.host}:${target.port}`;
  const { refuse } = target;
  const literal = isIP(target.host) === 0 ? null : (refuse?.(target.host) ?? null);
  if (literal !== null) return err(forbidden(literal));
  const lookup = target.lookup ?? systemLookup;
  const socket = connect({
    host: target.host,
    port: target.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    lookup: refuse === undefined ? lookup : refusing(lookup, refuse),
  });
  socket.once('lookup', (error: Error | null, address: string) => {
    if (error === null) target.onAddress?.(address);
  });
  const fault = await connected(socket, 'connect', limits, (error) => connectFailure(error, where));
  if (fault === 'late') return err({ cause: 'timeout', text: `No connection to ${where} in time.` });
  if (fault === 'closed') return err({ cause: 'dropped', text: `${where} dropped the connection.` });
  if (fault !== null) return err(fault);
  const inside = refuse?.(socket.remoteAddress ?? '') ?? null;
  if (inside === null) return ok(socket);
  socket.destroy();
  return err(forbidden(inside));
}

const KEEP_ALIVE_MS = 60_000;

const forbidden = (text: string): TunnelFailure => ({ cause: 'forbidden', text });

/**
 * Waits for one event of a new socket; whatever else happens destroys it. Null where the event came. Errors that come
 * later are swallowed: one that nobody hears would end the process.
 */
export function connected<T>(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limits: Limits,
  failed: (error: Error) => T,
): Promise<T | 'late' | 'closed' | (TunnelFailure & { readonly cause: 'stopped' }) | null> {
  return new Promise((resolve) => {
    let ended = false;
    const end = (fault: T | 'late' | 'closed' | (TunnelFailure & { readonly cause: 'stopped' }) | null): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', stop);
      if (fault !== null) socket.destroy();
      resolve(fault);
    };
    const stop = (): void => end({ cause: 'stopped', text: 'Stopped while the connection was made.' });
    const timer = setTimeout(() => end('late'), limits.deadlineMs);
    socket.once(event, () => end(null));
    socket.on('error', (error) => end(failed(error)));
    socket.once('close', () => end('closed'));
    if (limits.signal.aborted) stop();
    else limits.signal.addEventListener('abort', stop, { once: true });
  });
}

/** Reads the error of a socket that never connected. Source: getaddrinfo(3), connect(2). */
function connectFailure(error: Error, where: string): TunnelFailure {
  const refusal = refusalIn(error);
  if (refusal !== null) return forbidden(refusal);
  const code = errorCode(error);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
      return { cause: 'dns', text: `The name ${where} cannot be looked up (${code}).` };
    case 'ETIMEDOUT':
      return { cause: 'timeout', text: `No connection to ${where} in time.` };
    case 'ECONNRESET':
    case 'EPIPE':
      return { cause: 'dropped', text: `${where} dropped the connection.` };
    default:
      return { cause: 'refused', text: `No connection to ${where} (${code}).` };
  }
}

export const errorCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;

/** The refusal of an address, thrown through the connector: a lookup can fail, it cannot answer "no". */
class RefusedAddress extends Error {}

/** A lookup whose answer is what gets connected to: a name that changes its address meanwhile gains nothing. */
export function refusing(lookup: LookupFunction, refuse: NonNullable<Target['refuse']>): LookupFunction {
  return (hostname: string, options: LookupOptions, done) => {
    lookup(hostname, options, (error, answer: string | LookupAddress[], family) => {
      const addresses = typeof answer === 'string' ? [answer] : (answer ?? []).map(({ address }) => address);
      const refusal = error === null ? addresses.map(refuse).find((text) => text !== null) : undefined;
      if (typeof refusal === 'string') done(new RefusedAddress(refusal), '', 0);
      else done(error, answer, family);
    });
  };
}

/** An error of the connector may be an AggregateError, or carry its reason as a cause. */
function refusalIn(cause: unknown): string | null {
  if (cause instanceof RefusedAddress) return cause.message;
  if (cause instanceof AggregateError) return cause.errors.map(refusalIn).find((text) => text !== null) ?? null;
  return cause instanceof Error && cause.cause !== undefined ? refusalIn(cause.cause) : null;
}
