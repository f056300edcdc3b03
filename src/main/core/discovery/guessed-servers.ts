import { GENERIC } from '../../../shared/providers/providers.ts';
import type { FoundServer, Mailbox, ServerAddress } from './found-server.ts';

const inDomain = ({ host, port, security }: ServerAddress, domain: string): ServerAddress => ({
  host: host.replace('{domain}', domain),
  port,
  security,
});

/** Usual names of a domain's own servers, the most usual first; each must show a valid certificate before it counts. */
export function guessedServers(domain: string): {
  readonly smtp: readonly ServerAddress[];
  readonly imap: ServerAddress | null;
} {
  const [site] = GENERIC.sites;
  const imap = site?.imap ?? null;
  return {
    smtp: (site?.smtp ?? []).map((one) => inDomain(one, domain)),
    imap: imap === null ? null : inDomain(imap, domain),
  };
}

export const guessedServer = (smtp: ServerAddress, imap: ServerAddress | null, mailbox: Mailbox): FoundServer => ({
  source: 'guess',
  from: smtp.host,
  provider: null,
  smtp,
  imap,
  userName: mailbox.address,
  imapUserName: mailbox.address,
  login: 'password',
  trust: 'take',
});
