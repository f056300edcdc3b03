import type { Endpoint, Provider } from '../../../shared/providers/provider.ts';

/** Where an answer came from, the most trusted first. */
export const SOURCES = [
  'preset-domain',
  'preset-mx',
  'preset-spf',
  'autoconfig',
  'ispdb',
  'mx-ispdb',
  'mx-autoconfig',
  'srv',
  'guess',
] as const;
export type Source = (typeof SOURCES)[number];

export type ServerAddress = Pick<Endpoint, 'host' | 'port' | 'security'>;

/** What was found for an address. */
export type FoundServer = {
  readonly source: Source;
  /** What answered: a provider's id, a host, or the names looked up. */
  readonly from: string;
  readonly provider: Provider | null;
  readonly smtp: ServerAddress;
  readonly imap: ServerAddress | null;
  readonly userName: string;
  readonly imapUserName: string;
  /** `oauth`: this server takes a login with the browser only. */
  readonly login: 'password' | 'oauth';
  /**
   * `ask`: names came over unprotected DNS and lead out of the address's own domain, where somebody on the way could
   * have put them. A person says yes first. Source: RFC 6186 section 6.
   */
  readonly trust: 'take' | 'ask';
};

/** A mail address in its two halves, the domain in lower case and in ASCII. */
export type Mailbox = { readonly address: string; readonly localPart: string; readonly domain: string };

/** Null where the text is no address with a domain of two labels or more. */
export function mailboxOf(text: string): Mailbox | null {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  if (at < 1 || address.length > 320) return null;
  const domain = domainInAscii(address.slice(at + 1));
  return domain === null ? null : { address, localPart: address.slice(0, at), domain };
}

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** The form in which names are looked up; null where it is no domain name. Source: RFC 5890, WHATWG URL. */
export function domainInAscii(text: string): string | null {
  if (/[/?#@:\\\s%[\]]/.test(text) || !URL.canParse(`http://${text}`)) return null;
  const host = new URL(`http://${text}`).hostname.replace(/\.$/, '');
  const labels = host.split('.');
  // The URL parser reads "1.2" and "0x7f.1" as addresses; those have no mail domain to look up.
  if (labels.length < 2 || host.length > 253 || /^[\d.]+$/.test(host)) return null;
  return labels.every((label) => LABEL.test(label)) ? host : null;
}

/** True for the domain itself and every name under it. */
export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
