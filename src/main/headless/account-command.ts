import { password as askPassword, input, select } from '@inquirer/prompts';
import { MailAccount, SMTP_SECURITIES } from '../../shared/settings.ts';
import type { OpenTunnel } from '../adapters/tunnel/tunnel.ts';
import { checkAccount } from '../check-account.ts';
import { accountSince } from '../engine/pace-memory.ts';
import { checkAs } from '../set-up.ts';
import { ask, passwordFromStdin } from './ask.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets, openTunnels, setUpOf } from './open.ts';
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
};

/** `account`: asks for what the options leave out, tries the login, and only then stores anything. */
export async function accountCommand(terminal: Terminal, options: AccountOptions): Promise<void> {
  const ledger = openForWriting(terminal);
  try {
    const account = parseAccount(await complete(terminal, options));
    const password = options.passwordStdin
      ? await passwordFromStdin()
      : await ask(() => askPassword({ message: terminal.texts.ask.password }));
    const setUp = setUpOf(ledger);
    await tryLogin(terminal, account, password, openTunnels(terminal, setUp).mail);
    const stored = await openSecrets(terminal).set('smtp-password', password);
    if (!stored.ok) throw new CommandError(EXIT.secrets, stored.error.text);
    const written = ledger.commit([
      { kind: 'setting', key: 'account', value: account },
      ...accountSince(setUp.account, account.address, Date.now()),
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
  return { address, name: options.name ?? null, userName, smtp, aliases: options.alias ?? [] };
}

const SECURITY_NAMES = { tls: 'TLS (465)', starttls: 'STARTTLS (587)', none: '127.0.0.1' } as const;

function parseAccount(value: unknown): MailAccount {
  const checked = checkAs('account', MailAccount, value);
  if (!checked.ok) throw new CommandError(EXIT.usage, checked.error);
  return checked.value;
}

async function tryLogin(
  { language, texts, say }: Terminal,
  account: MailAccount,
  password: string,
  tunnel: OpenTunnel,
): Promise<void> {
  const checked = await checkAccount(account, password, tunnel, language);
  if (checked.ok) return say(texts.loginChecked(account.smtp.host));
  throw new CommandError(EXIT.account, `${checked.error.text}\n> ${checked.error.quote}`);
}
