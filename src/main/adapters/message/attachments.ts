import { createHash } from 'node:crypto';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Payload } from '../../../shared/wire/payload.ts';
import type { ComposeFailure } from '../../engine/ports.ts';
import { connectThrough, NoConnection } from '../tunnel/http-connector.ts';
import { openDirect } from '../tunnel/open-tunnel.ts';
import type { OpenTunnel, Target } from '../tunnel/tunnel.ts';
import { isProgram } from './program-bytes.ts';

type Attachment = NonNullable<Payload['attachments']>[number];

/** Where the bytes of an attachment come from. What it answers has the declared size and digest, or is a failure. */
export type AttachmentSource = {
  fetch(attachment: Attachment, signal: AbortSignal): Promise<Result<Buffer, ComposeFailure>>;
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

  async function follow(attachment: Attachment, signal: AbortSignal): Promise<Result<Buffer, ComposeFailure>> {
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
      if (answer.statusCode === 200) return read(attachment, answer, signal);
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
    fetch: async (attachment, signal) => {
      const either = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
      try {
        return await follow(attachment, either);
      } catch (cause) {
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

/** Reads at most one byte more than declared. */
async function read(
  attachment: Attachment,
  answer: Dispatcher.ResponseData,
  signal: AbortSignal,
): Promise<Result<Buffer, ComposeFailure>> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (encoding !== 'identity') {
    answer.body.on('error', () => undefined).destroy();
    return err(
      temporary(attachment, `its server sends it encoded (${String(encoding).slice(0, 20)}) though asked not to`),
    );
  }
  for await (const chunk of answer.body) {
    signal.throwIfAborted();
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > attachment.size)
      return err(permanent(attachment, `it is larger than the declared ${attachment.size} bytes`));
  }
  if (bytes < attachment.size)
    return err(permanent(attachment, `it has ${bytes} bytes instead of the declared ${attachment.size}`));
  const content = Buffer.concat(chunks);
  const found = createHash('sha256').update(content).digest('hex');
  if (found !== attachment.sha256)
    return err(permanent(attachment, `its content was changed: sha256 ${found} instead of ${attachment.sha256}`));
  // Whatever its name and type say: its reader's system goes by the bytes.
  return isProgram(content) ? err(permanent(attachment, 'it is a program, whatever its name says')) : ok(content);
}

function refusalOf(url: URL): string | null {
  if (url.protocol !== 'https:') return 'its address is not https';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isInside(host) ? INSIDE : null;
}

const INSIDE = 'its address lies on this machine or in its own network';

/** Loopback, private, link-local and multicast, their IPv4-mapped forms included. Source: RFC 6890. */
const INSIDE_NETWORKS = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  INSIDE_NETWORKS.addSubnet(network, prefix, 'ipv4');
}
// 198.18.0.0/15 stays allowed: local proxies answer every name with an address of it.
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  INSIDE_NETWORKS.addSubnet(network, prefix, 'ipv6');
}

export const isInside = (address: string): boolean =>
  INSIDE_NETWORKS.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Why an address of this machine or its network is not connected to. */
export const refuseInside = (address: string): string | null => (isInside(address) ? INSIDE : null);

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

const text = (attachment: Attachment, reason: string): string =>
  `The attachment "${attachment.name}" could not be used: ${reason}.`;

const permanent = (attachment: Attachment, reason: string): ComposeFailure => ({
  kind: 'permanent',
  failure: { stage: 'prepare', class: 'payload', reply: null, message: text(attachment, reason) },
});

const temporary = (
  attachment: Attachment,
  reason: string,
  about: 'connection' | 'local' = 'connection',
): ComposeFailure => ({
  kind: 'temporary',
  failure: { stage: 'prepare', class: about, reply: null, message: text(attachment, reason) },
});
