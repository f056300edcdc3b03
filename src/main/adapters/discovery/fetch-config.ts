import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { isUnder } from '../../core/discovery/found-server.ts';
import type { ConfigRequest, ConfigSource } from '../../engine/discovery/ports.ts';
import { BoundedBytes } from '../cloud-http/body.ts';
import { isInside, refuseInside } from '../message/inside-networks.ts';
import { connectThrough } from '../tunnel/http-connector.ts';
import { openDirect } from '../tunnel/open-tunnel.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import { parseXml } from './parse-xml.ts';

const REDIRECTS_MAX = 3;
const BODY_MAX_BYTES = 128 * 1024;
const HEADERS_MAX_BYTES = 8 * 1024;
const IDLE_MS = 3_000;

export type FetchConfigOptions = {
  /** For names the person chose a DNS server for; null asks the system. */
  readonly lookup: LookupFunction | null;
  /**
   * Which addresses may be connected to. `public`: none on this machine or in its network, so that no answer from
   * outside can make this program reach into it. `any`: the person named the DNS server, as in an office with names
   * of its own.
   */
  readonly addresses: 'public' | 'any';
  /** The way to the servers; straight where it is missing. */
  readonly tunnel?: OpenTunnel;
  /** PEM text of an authority that is trusted beside the usual ones. */
  readonly authority: string | null;
};

/**
 * Reads configurations over https. A redirect out of the address's own domain loses its query, and one that carries
 * the address still is not followed.
 */
export function createConfigSource(options: FetchConfigOptions): ConfigSource & { close(): Promise<void> } {
  const lookup = options.lookup ?? systemLookup;
  const dispatcher = new Agent({
    connect: connectThrough({
      tunnel: options.tunnel ?? openDirect,
      deadlineMs: IDLE_MS,
      target: { lookup, ...(options.addresses === 'any' ? {} : { refuse: refuseInside }) },
      ca: options.authority === null ? undefined : [...rootCertificates, options.authority],
    }),
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
    maxHeaderSize: HEADERS_MAX_BYTES,
    // One request to each host, and none is kept.
    pipelining: 0,
  });
  const follow = async (wanted: ConfigRequest, signal: AbortSignal): Promise<string | null> => {
    let url = new URL(wanted.url);
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      if (!mayAsk(url, options.addresses)) return null;
      const answer = await dispatcher.request({
        method: 'GET',
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: { 'accept-encoding': 'identity' },
        signal,
      });
      const { location } = answer.headers;
      if (answer.statusCode === 200) return readText(answer.body, answer.headers['content-encoding']);
      answer.body.on('error', () => undefined).destroy();
      const redirects = [301, 302, 303, 307, 308].includes(answer.statusCode);
      if (!redirects || typeof location !== 'string' || !URL.canParse(location, url.href)) return null;
      const next = withoutAddress(new URL(location, url), wanted);
      if (next === null) return null;
      url = next;
    }
    return null;
  };
  const source: ConfigSource = async (wanted, signal) => {
    try {
      const text = await follow(wanted, signal);
      const parsed = text === null ? null : parseXml(text);
      return parsed?.ok ? parsed.value : null;
    } catch {
      // No such host, no answer, an address inside, a bad certificate: all the same to somebody who only looks.
      return null;
    }
  };
  return Object.assign(source, { close: () => dispatcher.destroy() });
}

function mayAsk(url: URL, addresses: FetchConfigOptions['addresses']): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  return addresses === 'any' || isIP(host) === 0 || !isInside(host);
}

/** Null where the address itself stands in it and would reach somebody else. */
function withoutAddress(url: URL, { ownDomain, mailbox }: ConfigRequest): URL | null {
  if (ownDomain !== null && isUnder(url.hostname, ownDomain)) return url;
  const bare = new URL(url);
  bare.search = '';
  bare.hash = '';
  let text = bare.href;
  try {
    text = decodeURIComponent(text);
  } catch {
    // Not well-formed; then it is compared as it stands.
  }
  const names = text.toLowerCase().includes(mailbox.address.toLowerCase());
  return names ? null : bare;
}

async function readText(
  body: Dispatcher.ResponseData['body'],
  encoding: string | string[] | undefined,
): Promise<string | null> {
  const bytes = new BoundedBytes(BODY_MAX_BYTES);
  // An encoding was not asked for.
  let fits = encoding === undefined || encoding === 'identity';
  if (fits) {
    for await (const piece of body) {
      fits = bytes.add(piece);
      if (!fits) break;
    }
  }
  // An error that nobody hears would end the process.
  if (!fits) body.on('error', () => undefined).destroy();
  return fits ? bytes.bytes().toString('utf8') : null;
}
