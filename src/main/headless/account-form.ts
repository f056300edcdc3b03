import { confirm, input, select } from '@inquirer/prompts';
import type { Result } from '../../shared/result.ts';
import { SMTP_SECURITIES } from '../../shared/settings.ts';
import type { SignInClients } from '../../shared/sign-in.ts';
import type { MailLogin, SignInProvider } from '../../shared/sign-in-providers.ts';
import { DISCOVERY_TEXTS } from '../../shared/texts/discovery-texts.ts';
import { SET_UP_TEXTS } from '../../shared/texts/window-texts/set-up-texts.ts';
import type { Tunnels } from '../adapters/tunnel/open-tunnel.ts';
import { type FoundServer, type Mailbox, mailboxOf } from '../core/discovery/found-server.ts';
import { type DiscoveryOptions, discoverAccount } from '../discover-account.ts';
import type { NotFound } from '../engine/discovery/discover-server.ts';
import { accountServers, adviceLines, browserOnlyWords, sourceWords } from '../found-account.ts';
import { chooseLogin } from './account-login.ts';
import { ask } from './ask.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export type AccountOptions = {
  readonly address?: string;
  readonly name?: string;
  readonly userName?: string;
  readonly host?: string;
  readonly port?: string;
  readonly security?: string;
  readonly caFile?: string;
  readonly alias?: readonly string[];
  readonly imapHost?: string;
  readonly imapPort?: string;
  readonly dnsServer?: readonly string[];
  readonly takeFound?: true;
  readonly testMail?: true;
  readonly signIn?: SignInProvider;
  readonly passwordStdin?: true;
};

/** What the command works with: the ways out, and whose sign-in with the browser is set up here. */
export type Surroundings = { readonly tunnels: Tunnels; readonly clients: SignInClients };

/** The account as the options, what is found from its address, and the person say; still to be checked. */
export async function fillInAccount(
  terminal: Terminal,
  options: AccountOptions,
  around: Surroundings,
): Promise<unknown> {
  const address = options.address ?? (await ask(() => input({ message: terminal.texts.ask.address })));
  const servers = options.host === undefined ? await findServers(terminal, address, options, around) : null;
  const { userName, smtp, imap, login } = servers ?? (await askForServer(terminal, address, options));
  return {
    address,
    name: options.name ?? null,
    userName: options.userName ?? userName,
    smtp,
    login: options.signIn ?? login,
    imap: imapOf(options) ?? imap,
    aliases: options.alias ?? [],
  };
}

type Servers = {
  readonly userName: string;
  readonly smtp: unknown;
  readonly imap: unknown;
  readonly login: MailLogin;
};

/** The servers behind the address; null where nobody knows them or the person says no. */
async function findServers(
  terminal: Terminal,
  address: string,
  options: AccountOptions,
  { tunnels, clients }: Surroundings,
): Promise<Servers | null> {
  const { language, say } = terminal;
  const texts = DISCOVERY_TEXTS[language];
  const mailbox = mailboxOf(address);
  if (mailbox === null) return null;
  say(texts.looking(mailbox.domain));
  const caFile = options.caFile ?? null;
  const discovery = { dnsServers: options.dnsServer ?? [], caFile, tunnels };
  const discovered = await discover(mailbox, discovery);
  if (!discovered.ok) {
    const words = texts[discovered.error](mailbox.domain);
    if (discovered.error === 'offline') throw new CommandError(EXIT.account, words);
    say(words);
    return null;
  }
  const found = discovered.value;
  const { host, port, security } = found.smtp;
  say(`${texts.found(host, port, SECURITY_NAMES[security])} (${sourceWords(found, language)})`);
  if (found.trust === 'ask' && options.takeFound !== true) {
    const question = texts.confirm(host, mailbox.domain);
    if (!process.stdin.isTTY) throw new CommandError(EXIT.usage, `${question}\n--take-found | --host ${host}`);
    if (!(await ask(() => confirm({ message: question, default: false })))) return null;
  }
  const login = options.signIn ?? (await chooseLogin(terminal, found, clients));
  if (login === 'password') for (const line of adviceLines(found, language)) say(line);
  const page = found.provider?.page ?? null;
  if (login === 'password' && page !== null) say(texts.page(page));
  if (login === null) {
    const { text, next } = browserOnlyWords(found, language);
    throw new CommandError(EXIT.account, `${text}\n${next}`);
  }
  return { ...accountServers(found, caFile), login };
}

async function discover(mailbox: Mailbox, options: DiscoveryOptions): Promise<Result<FoundServer, NotFound>> {
  try {
    return await discoverAccount(mailbox, options, new AbortController().signal);
  } catch (cause) {
    // The resolver's only way to refuse an address of a DNS server.
    throw new CommandError(EXIT.usage, `--dns-server: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** The form for a server that the person names. */
async function askForServer({ language, texts }: Terminal, address: string, options: AccountOptions): Promise<Servers> {
  const kinds = SET_UP_TEXTS[language].account.securityKinds;
  const userName =
    options.userName ??
    (options.address === undefined
      ? await ask(() => input({ message: texts.ask.userName, default: address }))
      : address);
  const host = options.host ?? (await ask(() => input({ message: texts.ask.host })));
  const security =
    options.security ??
    (await ask(() =>
      select({
        message: texts.ask.security,
        choices: SMTP_SECURITIES.map((value) => ({ value, name: kinds[value] })),
      }),
    ));
  const usual = security === 'tls' ? '465' : '587';
  const port = options.port ?? (await ask(() => input({ message: texts.ask.port, default: usual })));
  const caFile = options.caFile ?? null;
  // A script that named the mail server has said all it knows.
  const imapHost = options.host === undefined ? await ask(() => input({ message: texts.ask.imapHost })) : '';
  return {
    userName,
    smtp: { host, port: Number(port), security, caFile },
    imap: imapAt(imapHost, '993', caFile),
    login: 'password',
  };
}

/** The server for the account's folders, where the person names one. */
const imapOf = ({ imapHost = '', imapPort = '993', caFile }: AccountOptions): unknown =>
  imapAt(imapHost, imapPort, caFile ?? null);

const imapAt = (host: string, port: string, caFile: string | null): unknown =>
  host === '' ? null : { host, port: Number(port), security: port === '143' ? 'starttls' : 'tls', caFile };

const SECURITY_NAMES = { tls: 'TLS', starttls: 'STARTTLS', none: '127.0.0.1' } as const;
