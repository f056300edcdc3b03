import { password as askPassword, input, select } from '@inquirer/prompts';
import { MailAccount, SMTP_SECURITIES } from '../../shared/settings.ts';
import { checkAccount } from '../check-account.ts';
import { checkAs } from '../set-up.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets } from './open.ts';
import { signInAndStore } from './sign-in-command.ts';
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
  readonly passwordStdin?: true;
  readonly oauth?: string;
  readonly imapHost?: string;
  readonly imapPort?: string;
  readonly savesSentCopy?: string;
};

/** `account`: asks for what the options leave out, tries the login, and only then stores anything. */
export async function accountCommand(terminal: Terminal, options: AccountOptions): Promise<void> {
  const ledger = openForWriting(terminal);
  try {
    const account = parseAccount(await complete(terminal, options));
    if (account.login !== 'password') {
      await signInAndStore(terminal, ledger, account);
      return;
    }
    const password = options.passwordStdin
      ? await passwordFromStdin()
      : await ask(() => askPassword({ message: terminal.texts.ask.password }));
    await tryLogin(terminal, account, password);
    const stored = await openSecrets(terminal).set('smtp-password', password);
    if (!stored.ok) throw new CommandError(EXIT.secrets, stored.error.text);
    const written = ledger.commit([
      { kind: 'setting', key: 'account', value: account },
      // A new password answers what the old one was refused for.
      { kind: 'hold-lifted', holdKind: 'account' },
      { kind: 'hold-lifted', holdKind: 'keychain' },
    ]);
    if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
    terminal.result(
      { account: account.address, host: account.smtp.host },
      terminal.texts.accountStored(account.address),
    );
  } finally {
    ledger.close();
  }
}

async function complete({ texts }: Terminal, options: AccountOptions): Promise<unknown> {
  const address = options.address ?? (await ask(() => input({ message: texts.ask.address })));
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
  const smtp = { host, port: Number(port), security, caFile: options.caFile ?? null };
  const { imapHost, imapPort = '993', savesSentCopy = 'unknown' } = options;
  const imapSecurity = security === 'none' ? 'none' : imapPort === '993' || security === 'tls' ? 'tls' : 'starttls';
  const imap =
    imapHost === undefined
      ? null
      : { host: imapHost, port: Number(imapPort), security: imapSecurity, caFile: options.caFile ?? null };
  const login = options.oauth ?? 'password';
  return {
    address,
    name: options.name ?? null,
    userName,
    smtp,
    aliases: options.alias ?? [],
    login,
    imap,
    savesSentCopy,
  };
}

const SECURITY_NAMES = { tls: 'TLS (465)', starttls: 'STARTTLS (587)', none: '127.0.0.1' } as const;

function parseAccount(value: unknown): MailAccount {
  const checked = checkAs('account', MailAccount, value);
  if (!checked.ok) throw new CommandError(EXIT.usage, checked.error);
  return checked.value;
}

async function tryLogin({ language, texts, say }: Terminal, account: MailAccount, password: string): Promise<void> {
  const checked = await checkAccount(account, password, language);
  if (checked.ok) return say(texts.loginChecked(account.smtp.host));
  throw new CommandError(EXIT.account, `${checked.error.text}\n> ${checked.error.quote}`);
}

/** A question that is broken off (Ctrl-C, no terminal) ends the command without storing anything. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  if (!process.stdin.isTTY) {
    throw new CommandError(
      EXIT.usage,
      'There is no terminal to ask on: give --address, --host, --port, --security and --password-stdin.',
    );
  }
  try {
    return await question();
  } catch (cause) {
    throw new CommandError(EXIT.usage, cause instanceof Error ? cause.message : String(cause));
  }
}

const PASSWORD_MAX_BYTES = 64 * 1024;

async function passwordFromStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > PASSWORD_MAX_BYTES)
      throw new CommandError(EXIT.usage, 'The password on standard input is too long.');
  }
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new CommandError(EXIT.usage, 'There was no password on standard input.');
  return password;
}
