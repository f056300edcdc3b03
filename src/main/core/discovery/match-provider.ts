import type { DiscoverySource } from '../../../shared/account-discovery.ts';
import { isLoopbackHost } from '../../../shared/loopback.ts';
import type { Endpoint, Provider, Site } from '../../../shared/providers/provider.ts';
import type { FoundServer, Mailbox, ServerAddress } from './found-server.ts';

type Match = { readonly provider: Provider; readonly site: Site };

/**
 * Filters for spam and viruses that receive the mail of companies whose mailboxes are elsewhere: their names say
 * nothing about where to log in.
 */
const GATEWAYS = [
  /\.pphosted\.com$/,
  /\.mimecast\.(com|org|cn)$/,
  /\.barracudanetworks\.com$/,
  /\.messagelabs\.com$/,
  /\.iphmx\.com$/,
  /\.trendmicro\.(com|eu)$/,
  /\.antispamcloud\.com$/,
  /\.ppe-hosted\.com$/,
];

export function matchDomain(domain: string, providers: readonly Provider[]): Match | null {
  for (const provider of providers) {
    const site = provider.sites.find(({ domains }) => domains.includes(domain));
    if (site !== undefined) return { provider, site };
  }
  return null;
}

/** Names in lower case and without the last dot, the most preferred first. */
export function matchReceivers(receivers: readonly string[], providers: readonly Provider[]): Match | null {
  for (const receiver of receivers) {
    for (const provider of providers) {
      const site = provider.sites.find((one) => one.receivers.some((pattern) => new RegExp(pattern).test(receiver)));
      if (site !== undefined) return { provider, site };
    }
  }
  return null;
}

export const isGateway = (receiver: string): boolean => GATEWAYS.some((pattern) => pattern.test(receiver));

/**
 * The provider whose SPF name the domain includes. Only where exactly one is named: a company that also lets another
 * service send for it names several, and which of them holds the mailboxes nobody can tell. Source: RFC 7208 5.2, 6.1.
 */
export function matchSpf(texts: readonly string[], providers: readonly Provider[]): Match | null {
  const record = texts.find((text) => /^v=spf1(\s|$)/i.test(text));
  if (record === undefined) return null;
  const named = record
    .toLowerCase()
    .split(/\s+/)
    .map((term) => /^[+?~]?(?:include:|redirect=)(.+)$/.exec(term)?.[1]?.replace(/\.$/, ''))
    .filter((name) => name !== undefined);
  const found = providers.filter(({ spf }) => spf.some((name) => named.includes(name)));
  const [provider] = found;
  if (provider === undefined || found.length > 1) return null;
  // Of several data centres the first without domains of its own serves companies.
  const site = provider.sites.find(({ domains }) => domains.length === 0) ?? provider.sites[0];
  return site === undefined ? null : { provider, site };
}

/** The preset as an answer for this mailbox. */
export function presetServer(match: Match, mailbox: Mailbox, source: DiscoverySource): FoundServer {
  const { provider, site } = match;
  const [smtp] = site.smtp;
  if (smtp === undefined) throw new Error(`the preset ${provider.id} has no server`);
  return {
    source,
    from: provider.id,
    provider,
    smtp: addressOf(smtp),
    imap: site.imap === null ? null : addressOf(site.imap),
    userName: mailbox.address,
    imapUserName: provider.imapUserName === 'local-part' ? mailbox.localPart : mailbox.address,
    login: provider.secrets.length === 0 ? 'oauth' : 'password',
    trust: 'take',
  };
}

/**
 * The preset that uses this very server, so that what is known of the provider is known here too; of several the one
 * that names it first.
 */
export function providerOfServer(
  { host, port }: Pick<ServerAddress, 'host' | 'port'>,
  providers: readonly Provider[],
): Provider | null {
  // On this very computer any program may answer: there only host and port together are somebody's.
  const isIt = (one: Endpoint) => one.host === host.toLowerCase() && (one.port === port || !isLoopbackHost(one.host));
  const namesIt = ({ sites }: Provider) => sites.some(({ smtp }) => smtp.slice(0, 1).some(isIt));
  const usesIt = ({ sites }: Provider) => sites.some(({ smtp }) => smtp.some(isIt));
  return providers.find(namesIt) ?? providers.find(usesIt) ?? null;
}

const addressOf = ({ host, port, security }: Endpoint): ServerAddress => ({ host, port, security });
