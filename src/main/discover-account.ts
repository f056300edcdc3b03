import { readFile } from 'node:fs/promises';
import { err, type Result } from '../shared/result.ts';
import { systemClock } from './adapters/clock.ts';
import { createConfigSource } from './adapters/discovery/fetch-config.ts';
import { leadsInside } from './adapters/discovery/leads-inside.ts';
import { createNameLookups } from './adapters/discovery/name-lookups.ts';
import { createProbe } from './adapters/discovery/probe-server.ts';
import type { Tunnels } from './adapters/tunnel/open-tunnel.ts';
import type { OpenTunnel, Target } from './adapters/tunnel/tunnel.ts';
import type { FoundServer, Mailbox } from './core/discovery/found-server.ts';
import { discoverServer, ISPDB_HOST, type NotFound } from './engine/discovery/discover-server.ts';

const ONLINE_MS = 2_000;

export type DiscoveryOptions = {
  /**
   * DNS servers to ask in place of the system's, each as address or address:port. Who names one vouches for it: its
   * answers may lead into the computer's own network.
   */
  readonly dnsServers: readonly string[];
  /** PEM file of an authority that is trusted beside the usual ones; null for none. */
  readonly caFile: string | null;
  readonly tunnels: Tunnels;
};

/** Finds the server behind an address with the real parts, within 8 s. */
export async function discoverAccount(
  mailbox: Mailbox,
  options: DiscoveryOptions,
  signal: AbortSignal,
): Promise<Result<FoundServer, NotFound>> {
  const names = createNameLookups(options.dnsServers);
  const isNamed = options.dnsServers.length > 0;
  const configs = createConfigSource({
    lookup: isNamed ? names.lookup : null,
    addresses: isNamed ? 'any' : 'public',
    authority: await readAuthority(options.caFile),
    tunnel: options.tunnels.web,
  });
  try {
    const list: Target = { host: ISPDB_HOST, port: 443, ...(isNamed ? { lookup: names.lookup } : {}) };
    const ports = {
      clock: systemClock,
      names,
      configs,
      probe: createProbe(options.caFile, options.tunnels.mail),
      // Behind a proxy a computer may be online without a DNS of its own.
      isOnline: async (stop: AbortSignal) => names.hasAnswer() || (await answers(options.tunnels.web, list, stop)),
    };
    const found = await discoverServer(ports, mailbox, signal);
    // What this program knows by itself (a mail bridge on this computer) is no guess.
    const isOwnWord = isNamed || !found.ok || found.value.source.startsWith('preset');
    return isOwnWord || !(await anyLeadsInside(found.value)) ? found : err('unknown');
  } finally {
    await configs.close();
  }
}

/** True where somebody is there, be it a proxy that lets nothing through. */
async function answers(open: OpenTunnel, target: Target, signal: AbortSignal): Promise<boolean> {
  const opened = await open(target, { deadlineMs: ONLINE_MS, signal });
  if (!opened.ok) return opened.error.cause === 'proxy-refused' || opened.error.cause === 'proxy-login';
  opened.value.destroy();
  return true;
}

const anyLeadsInside = async ({ smtp, imap }: FoundServer): Promise<boolean> =>
  (await leadsInside(smtp.host)) || (imap !== null && (await leadsInside(imap.host)));

/** A file that cannot be read trusts nobody more; the live check then names it. */
async function readAuthority(file: string | null): Promise<string | null> {
  if (file === null) return null;
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}
