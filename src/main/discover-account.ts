import { readFile } from 'node:fs/promises';
import { systemClock } from './adapters/clock.ts';
import { createConfigSource } from './adapters/discovery/fetch-config.ts';
import { leadsInside } from './adapters/discovery/leads-inside.ts';
import { createNameLookups } from './adapters/discovery/name-lookups.ts';
import { createProbe } from './adapters/discovery/probe-server.ts';
import type { Tunnels } from './adapters/tunnel/open-tunnel.ts';
import type { FoundServer, Mailbox } from './core/discovery/found-server.ts';
import { discoverServer } from './engine/discovery/discover-server.ts';

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
): Promise<FoundServer | null> {
  const names = createNameLookups(options.dnsServers);
  const isNamed = options.dnsServers.length > 0;
  const configs = createConfigSource({
    lookup: isNamed ? names.lookup : null,
    addresses: isNamed ? 'any' : 'public',
    authority: await readAuthority(options.caFile),
    tunnel: options.tunnels.web,
  });
  try {
    const ports = { clock: systemClock, names, configs, probe: createProbe(options.caFile, options.tunnels.mail) };
    const found = await discoverServer(ports, mailbox, signal);
    // What this program knows by itself (a mail bridge on this computer) is no guess.
    const isOwnWord = isNamed || found === null || found.source.startsWith('preset');
    return isOwnWord || !(await anyLeadsInside(found)) ? found : null;
  } finally {
    await configs.close();
  }
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
