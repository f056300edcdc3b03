import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { FoundServer, Mailbox, ServerAddress } from './found-server.ts';

/** One or several of the same element come in different shapes; here always as a list. */
const many = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]), z.array(item).max(50));

/** An element's text; with attributes a parser gives an object. */
const Text = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && '#text' in value ? value['#text'] : value),
  z.string().trim().max(253),
);

const Server = z.object({
  '@type': z.string().max(20),
  hostname: Text.refine((host) => /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)),
  port: z.coerce.number().int().min(1).max(65_535),
  socketType: Text,
  username: Text.optional(),
  authentication: many(Text),
});
type Server = z.infer<typeof Server>;

/** Elements that cannot be read are passed over; another one of the list may do. */
const Servers = many(z.unknown()).transform((items) =>
  items.flatMap((item) => {
    const read = Server.safeParse(item);
    return read.success ? [read.data] : [];
  }),
);

const Document = z.object({
  clientConfig: z.object({
    emailProvider: z.object({ incomingServer: Servers, outgoingServer: Servers }),
  }),
});

type Answer = Pick<FoundServer, 'smtp' | 'imap' | 'userName' | 'imapUserName' | 'login'>;

/**
 * Reads a client configuration, parsed from XML into objects with attributes under `@`. Servers without TLS are passed
 * over. Source: Thunderbird's autoconfig file format, version 1.1.
 */
export function readAutoconfig(parsed: unknown, mailbox: Mailbox): Result<Answer, 'unreadable' | 'no-server'> {
  const document = Document.safeParse(parsed);
  if (!document.success) return err('unreadable');
  const { incomingServer, outgoingServer } = document.data.clientConfig.emailProvider;
  const smtp = best(outgoingServer.filter((server) => server['@type'] === 'smtp'));
  if (smtp === null) return err('no-server');
  const imap = best(incomingServer.filter((server) => server['@type'] === 'imap'));
  return ok({
    smtp: smtp.address,
    imap: imap?.address ?? null,
    userName: userNameOf(smtp.server, mailbox),
    imapUserName: imap === null ? mailbox.address : userNameOf(imap.server, mailbox),
    login: wantsBrowser(smtp.server) ? 'oauth' : 'password',
  });
}

type Choice = { readonly server: Server; readonly address: ServerAddress };

/** TLS from the start before STARTTLS, a password before a login by browser; otherwise the order of the file. */
function best(servers: readonly Server[]): Choice | null {
  const choices = servers.flatMap((server): Choice[] => {
    const security = securityOf(server.socketType);
    if (security === null || (server.port === 465 && security === 'starttls')) return [];
    if (!takesPassword(server) && !wantsBrowser(server)) return [];
    return [{ server, address: { host: server.hostname.toLowerCase(), port: server.port, security } }];
  });
  const byRank = choices.toSorted((a, b) => rank(a) - rank(b));
  return byRank[0] ?? null;
}

const rank = ({ server, address }: Choice): number =>
  (takesPassword(server) ? 0 : 2) + (address.security === 'tls' ? 0 : 1);

function securityOf(socketType: string): ServerAddress['security'] | null {
  switch (socketType.toUpperCase()) {
    case 'SSL':
    case 'TLS':
      return 'tls';
    case 'STARTTLS':
      return 'starttls';
    default:
      return null;
  }
}

const PASSWORDS = ['password-cleartext', 'password-encrypted', 'plain', 'secure'];
/** A file that names no way to log in means the password. */
const takesPassword = ({ authentication }: Server): boolean =>
  authentication.length === 0 || authentication.some((one) => PASSWORDS.includes(one.toLowerCase()));
const wantsBrowser = (server: Server): boolean =>
  !takesPassword(server) && server.authentication.some((one) => one.toLowerCase() === 'oauth2');

const USER_NAME_MAX_CHARS = 256;

function userNameOf({ username }: Server, mailbox: Mailbox): string {
  const pattern = username === undefined || username === '' ? '%EMAILADDRESS%' : username;
  const name = pattern
    .replaceAll('%EMAILADDRESS%', () => mailbox.address)
    .replaceAll('%EMAILLOCALPART%', () => mailbox.localPart)
    .replaceAll('%EMAILDOMAIN%', () => mailbox.domain);
  // Another placeholder asks for something that nobody typed.
  const isUsable = !/%[A-Z]+%|\p{Cc}/u.test(name) && name.length <= USER_NAME_MAX_CHARS;
  return isUsable ? name : mailbox.address;
}
