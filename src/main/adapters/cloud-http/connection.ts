import { Pool } from 'undici';
import { isAllowedCloudUrl } from '../../../shared/settings.ts';
import { connectThrough } from '../tunnel/http-connector.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';

/** Name look-up, connection, a proxy's answer and TLS together. */
const CONNECT_MS = 15_000;
const HEADER_BYTES_MAX = 16 * 1024;

/**
 * Kept connections to one place, the cloud or a sign-in, and to nothing else. Certificates are always checked, whatever the environment says;
 * `ca` (PEM) replaces the authorities of the machine. Throws RangeError for an address that is neither https nor this
 * very machine: settings are checked before they come here.
 */
export function openConnections(options: {
  readonly origin: string;
  readonly connections: number;
  readonly ca?: string | undefined;
  readonly tunnel: OpenTunnel;
}): Pool {
  if (!isAllowedCloudUrl(options.origin)) throw new RangeError('the address must be https://, without a path');
  return new Pool(new URL(options.origin).origin, {
    connections: options.connections,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    connect: connectThrough({ tunnel: options.tunnel, deadlineMs: CONNECT_MS, ca: options.ca }),
  });
}
