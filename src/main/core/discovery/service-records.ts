import { domainInAscii, type FoundServer, isUnder, type Mailbox, type ServerAddress } from './found-server.ts';

/** One SRV record. Source: RFC 2782. */
export type ServiceRecord = {
  readonly name: string;
  readonly port: number;
  readonly priority: number;
  readonly weight: number;
};

export type ServiceRecords = {
  /** `_submissions._tcp`: TLS from the start. Source: RFC 8314 5.1. */
  readonly submissions: readonly ServiceRecord[];
  /** `_submission._tcp`: STARTTLS. Source: RFC 6186 3.1. */
  readonly submission: readonly ServiceRecord[];
  /** `_imaps._tcp`. Source: RFC 6186 3.2. */
  readonly imaps: readonly ServiceRecord[];
};

/** What the domain's records name; null where they name no submission server. */
export function serverOfRecords(records: ServiceRecords, mailbox: Mailbox): FoundServer | null {
  const submissions = first(records.submissions, 'tls');
  const submission = first(records.submission, 'starttls');
  const smtp = submissions ?? submission;
  if (smtp === null) return null;
  const imap = first(records.imaps, 'tls');
  const hosts = [smtp.host, ...(imap === null ? [] : [imap.host])];
  return {
    source: 'srv',
    from: `${submissions === null ? '_submission' : '_submissions'}._tcp.${mailbox.domain}`,
    provider: null,
    smtp,
    imap,
    userName: mailbox.address,
    imapUserName: mailbox.address,
    login: 'password',
    trust: hosts.every((host) => isUnder(host, mailbox.domain)) ? 'take' : 'ask',
  };
}

/** The target "." says that the service is not offered. Lowest priority first, then the heaviest. */
function first(records: readonly ServiceRecord[], security: ServerAddress['security']): ServerAddress | null {
  const sorted = records.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight);
  for (const { name, port } of sorted) {
    const target = name.replace(/\.$/, '').toLowerCase();
    const host = target === 'localhost' ? target : domainInAscii(target);
    if (host === null || port < 1 || port > 65_535 || (port === 465 && security === 'starttls')) continue;
    return { host, port, security };
  }
  return null;
}
