import { isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { err, type Result } from '../../../shared/result.ts';
import type { ComposeFailure } from '../../engine/ports.ts';
import { connectThrough, NoConnection } from '../tunnel/http-connector.ts';
import { openDirect } from '../tunnel/open-tunnel.ts';
import type { OpenTunnel, Target } from '../tunnel/tunnel.ts';
import { type Attachment, permanent, temporary } from './attachment-failure.ts';
import { INSIDE, isInside, refuseInside } from './inside-networks.ts';
import { DiskTrouble, storeChecked } from './store-attachment.ts';

/**
 * Where the bytes of an attachment come from. It makes `file`, for this user alone; what stands there after an `ok` has
 * the declared size and digest.
 */
export type AttachmentSource = {
  fetch(attachment: Attachment, file: string, signal: AbortSignal): Promise<Result<void, ComposeFailure>>;
};

const REDIRECTS_MAX = 3;
const IDLE_MS = 30_000;
const DEADLINE_MS = 5 * 60_000;
const CONNECTIONS_PER_HOST = 4;

/**
 * Fetches over https, or from the paired cloud's own origin whatever its scheme. No other host may lie on this machine
 * or in its network: a payload must not make the agent read what only this PC can reach. Carries no token, ever.
 */
export function createHttpAttachments(options: {
  /** Origin of the paired cloud, null before pairing. */
  readonly cloudOrigin: () => string | null;
  readonly lookup?: LookupFunction;
  /** The way to the servers; straight where it is missing. */
  readonly tunnel?: OpenTunnel;
  /** Longest silence, and longest time for one attachment; milliseconds. */
  readonly idleMs?: number;
  readonly deadlineMs?: number;
}): AttachmentSource & { close(): Promise<void> } {
  const idleMs = options.idleMs ?? IDLE_MS;
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const { lookup } = options;
  const tunnel = options.tunnel ?? openDirect;
  const agent = (refusing: Pick<Target, 'refuse'>): Agent =>
    new Agent({
      connections: CONNECTIONS_PER_HOST,
      connect: connectThrough({
        tunnel,
        deadlineMs: idleMs,
        target: { ...refusing, ...(lookup === undefined ? {} : { lookup }) },
      }),
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    });
  const own = agent({});
  const foreign = agent({ refuse: refuseInside });

  async function follow(
    attachment: Attachment,
    file: string,
    signal: AbortSignal,
  ): Promise<Result<void, ComposeFailure>> {
    let url = new URL(attachment.url);
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const isOwn = url.origin === ownOrigin(options.cloudOrigin());
      const refusal = isOwn ? null : refusalOf(url);
      if (refusal !== null) return err(permanent(attachment, refusal));
      const answer = await (isOwn ? own : foreign).request({
        method: 'GET',
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: REQUEST_HEADERS,
        signal,
      });
      if (answer.statusCode === 200) return storeChecked(attachment, answer, file, signal);
      // The rest of such an answer is of no use, and waiting for it would be.
      answer.body.on('error', () => undefined).destroy();
      const location = redirectOf(answer);
      if (location === null) return err(statusFailure(attachment, answer.statusCode));
      if (!URL.canParse(location, url.href))
        return err(permanent(attachment, 'its server redirects to an unreadable address'));
      url = new URL(location, url);
    }
    return err(permanent(attachment, `its server redirects more than ${REDIRECTS_MAX} times`));
  }

  return {
    fetch: async (attachment, file, signal) => {
      const either = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
      try {
        return await follow(attachment, file, either);
      } catch (cause) {
        if (cause instanceof DiskTrouble) return err(temporary(attachment, cause.message, 'local'));
        if (signal.aborted) return err(temporary(attachment, 'the mail was stopped meanwhile', 'local'));
        if (either.aborted) return err(temporary(attachment, `it was not complete after ${deadlineMs / 1000} s`));
        const forbidden = cause instanceof NoConnection && cause.failure.cause === 'forbidden';
        return err(forbidden ? permanent(attachment, cause.message) : temporary(attachment, reasonOf(cause)));
      }
    },
    close: async () => {
      await Promise.all([own.destroy(), foreign.destroy()]);
    },
  };
}

const REQUEST_HEADERS = { accept: '*/*', 'accept-encoding': 'identity' };

const ownOrigin = (text: string | null): string | null => (text === null ? null : new URL(text).origin);

const redirectOf = (answer: Dispatcher.ResponseData): string | null => {
  const { location } = answer.headers;
  const redirects = [301, 302, 303, 307, 308].includes(answer.statusCode);
  return redirects && typeof location === 'string' ? location : null;
};

function refusalOf(url: URL): string | null {
  if (url.protocol !== 'https:') return 'its address is not https';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isInside(host) ? INSIDE : null;
}

const SILENT = 'its server does not answer';

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (cause instanceof NoConnection && cause.failure.cause === 'timeout') return SILENT;
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return 'its server fell silent';
    case 'UND_ERR_CONNECT_TIMEOUT':
      return SILENT;
    default:
      return `its server could not be read (${code || (cause instanceof Error ? cause.message : String(cause))})`;
  }
}

/** Gone is gone; anything else may be better in a while. Source: RFC 9110 15.5.5, 15.5.11. */
function statusFailure(attachment: Attachment, status: number): ComposeFailure {
  return status === 404 || status === 410
    ? permanent(attachment, `it no longer exists (HTTP ${status})`)
    : temporary(attachment, `its server answered HTTP ${status}`);
}
