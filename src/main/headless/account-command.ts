import { confirm, input, select } from '@inquirer/prompts';
import type { CheckProgress } from '../../shared/account-check.ts';
import { MailAccount, SMTP_SECURITIES } from '../../shared/settings.ts';
import type { MailLogin, SignInClients, SignInProvider } from '../../shared/sign-in.ts';
import { CHECK_TEXTS } from '../../shared/texts/check-texts.ts';
import { DISCOVERY_TEXTS } from '../../shared/texts/discovery-texts.ts';
import type { Tunnels } from '../adapters/tunnel/open-tunnel.ts';
import { checkAccount } from '../check-account.ts';
import { type FoundServer, type Mailbox, mailboxOf } from '../core/discovery/found-server.ts';
import { type DiscoveryOptions, discoverAccount } from '../discover-account.ts';
import { accountSince } from '../engine/pace-memory.ts';
import { accountServers, adviceLines, sourceWords } from '../found-account.ts';
import { createMailSecrets, secretFor, signInClients } from '../mail-secrets.ts';
import { checkAs } from '../set-up.ts';
import { accountError, askForLogin, chooseLogin } from './account-login.ts';
import { ask } from './ask.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets, openTunnels, setUpOf } from './open.ts';
import type { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

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

/** `account`: finds the server from the address, asks for the rest, checks the account live, and only then stores it. */
export async function accountCommand(terminal: Terminal, options: AccountOptions): Promise<void> {
  const ledger = openForWriting(terminal);
  try {
    const setUp = setUpOf(ledger);
    const tunnels = openTunnels(terminal, setUp);
    const clients = signInClients(ledger);
    const mailSecrets = createMailSecrets({ secrets: openSecrets(terminal), ledger, tunnel: () => tunnels.web });
    const account = parseAccount(await complete(terminal, options, { tunnels, clients }));
    const onProgress = progressIn(terminal);
    const passwordStdin = options.passwordStdin === true;
    const login = await askForLogin(terminal, account, { passwordStdin, clients, tunnel: tunnels.web, onProgress });
    const testMail = await wantsTestMail(terminal, options);
    const { language } = terminal;
    const check = { account, secret: secretFor(login), language, version: VERSION, testMail, tunnel: tunnels.mail };
    const findings = await checkAccount({ ...check, onProgress });
    if (!findings.ok) throw accountError(findings.error);
    const stored = await mailSecrets.keep(login);
    if (!stored.ok) throw new CommandError(EXIT.secrets, stored.error.text);
    const written = ledger.commit([
      { kind: 'setting', key: 'account', value: { ...account, ...findings.value } },
      ...accountSince(setUp.account, account.address, Date.now()),
      // A new login answers what the old one was refused for.
      { kind: 'hold-lifted', holdKind: 'account' },
      { kind: 'hold-lifted', holdKind: 'keychain' },
    ]);
    if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
    await mailSecrets.forgetOthers(account.login);
    const { host, port } = account.smtp;
    terminal.result(
      { account: account.address, host, port, login: account.login, ...findings.value },
      terminal.texts.accountStored(account.address),
    );
  } finally {
    ledger.close();
  }
}

type Surroundings = { readonly tunnels: Tunnels; readonly clients: SignInClients };

async function complete(terminal: Terminal, options: AccountOptions, around: Surroundings): Promise<unknown> {
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
  const found = await discover(mailbox, discovery);
  if (found === null) {
    say(texts.unknown(mailbox.domain));
    return null;
  }
  const { host, port, security } = found.smtp;
  say(`${texts.found(host, port, SECURITY_NAMES[security])} (${sourceWords(found, language)})`);
  if (found.trust === 'ask' && options.takeFound !== true) {
    const question = texts.confirm(host, mailbox.domain);
    if (!process.stdin.isTTY) throw new CommandError(EXIT.usage, `${question}\n--take-found | --host ${host}`);
    if (!(await ask(() => confirm({ message: question, default: false })))) return null;
  }
  const login = options.signIn === undefined ? await chooseLogin(terminal, found, clients) : 'password';
  if (login === null) {
    const name = found.provider?.name ?? { en: host, 'zh-CN': host };
    const provider = { name, secret: name, steps: name };
    const words = CHECK_TEXTS[language].trouble({ kind: 'browser-only' }, { host, port, provider });
    throw accountError({ ...words, quote: null });
  }
  if (login === 'password') for (const line of adviceLines(found, language)) say(line);
  return { ...accountServers(found, caFile), login };
}

async function discover(mailbox: Mailbox, options: DiscoveryOptions): Promise<FoundServer | null> {
  try {
    return await discoverAccount(mailbox, options, new AbortController().signal);
  } catch (cause) {
    // The resolver's only way to refuse an address of a DNS server.
    throw new CommandError(EXIT.usage, `--dns-server: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** The form for a server that the person names. */
async function askForServer({ texts }: Terminal, address: string, options: AccountOptions): Promise<Servers> {
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
        choices: SMTP_SECURITIES.map((value) => ({ value, name: SECURITY_NAMES[value] })),
      }),
    ));
  const usual = security === 'tls' ? '465' : '587';
  const port = options.port ?? (await ask(() => input({ message: texts.ask.port, default: usual })));
  return {
    userName,
    smtp: { host, port: Number(port), security, caFile: options.caFile ?? null },
    imap: null,
    login: 'password',
  };
}

/** The server for the account's folders, where the person names one. */
function imapOf(options: AccountOptions): unknown {
  if (options.imapHost === undefined) return null;
  const port = Number(options.imapPort ?? '993');
  return { host: options.imapHost, port, security: port === 143 ? 'starttls' : 'tls', caFile: options.caFile ?? null };
}

const SECURITY_NAMES = { tls: 'TLS', starttls: 'STARTTLS', none: '127.0.0.1' } as const;

function parseAccount(value: unknown): MailAccount {
  const checked = checkAs('account', MailAccount, value);
  if (!checked.ok) throw new CommandError(EXIT.usage, checked.error);
  return checked.value;
}

/** A mail is sent only where the person says so. */
async function wantsTestMail({ texts }: Terminal, options: AccountOptions): Promise<'send' | 'none'> {
  if (options.testMail === true) return 'send';
  if (options.passwordStdin || !process.stdin.isTTY) return 'none';
  return (await ask(() => confirm({ message: texts.ask.testMail, default: true }))) ? 'send' : 'none';
}

const progressIn =
  ({ language, say }: Terminal) =>
  ({ step, state, text }: CheckProgress): void => {
    if (state !== 'running') say(`${MARKS[state]} ${CHECK_TEXTS[language].steps[step]}: ${text}`);
  };

const MARKS = { done: '✓', failed: '✗', unclear: '?' } as const;
