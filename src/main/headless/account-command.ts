import { password as askPassword, confirm } from '@inquirer/prompts';
import { PROVIDERS } from '../../shared/providers/providers.ts';
import { MailAccount } from '../../shared/settings.ts';
import { CHECK_TEXTS } from '../../shared/texts/check-texts.ts';
import { DISCOVERY_TEXTS } from '../../shared/texts/discovery-texts.ts';
import type { OpenTunnel } from '../adapters/tunnel/tunnel.ts';
import { type AccountFindings, checkAccount } from '../check-account.ts';
import { providerOfServer } from '../core/discovery/match-provider.ts';
import { accountSince } from '../engine/pace-memory.ts';
import { checkAs } from '../set-up.ts';
import { type AccountOptions, fillInAccount } from './account-form.ts';
import { ask, passwordFromStdin } from './ask.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets, openTunnels, setUpOf } from './open.ts';
import type { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

/** `account`: finds the server from the address, asks for the rest, checks the account live, and only then stores it. */
export async function accountCommand(terminal: Terminal, options: AccountOptions): Promise<void> {
  const ledger = openForWriting(terminal);
  try {
    const setUp = setUpOf(ledger);
    const tunnels = openTunnels(terminal, setUp);
    const account = parseAccount(await fillInAccount(terminal, options, tunnels));
    const { password, findings } = await untilItWorks(terminal, account, options, tunnels.mail);
    const stored = await openSecrets(terminal).set('smtp-password', password);
    if (!stored.ok) throw new CommandError(EXIT.secrets, stored.error.text);
    const written = ledger.commit([
      { kind: 'setting', key: 'account', value: { ...account, ...findings } },
      ...accountSince(setUp.account, account.address, Date.now()),
      // A new password answers what the old one was refused for.
      { kind: 'hold-lifted', holdKind: 'account' },
      { kind: 'hold-lifted', holdKind: 'keychain' },
    ]);
    if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
    const { smtp, ...learned } = findings;
    terminal.result(
      { account: account.address, host: smtp.host, port: smtp.port, ...learned },
      terminal.texts.accountStored(account.address),
    );
  } finally {
    ledger.close();
  }
}

function parseAccount(value: unknown): MailAccount {
  const checked = checkAs('account', MailAccount, value);
  if (!checked.ok) throw new CommandError(EXIT.usage, checked.error);
  return checked.value;
}

async function askForSecret({ language, texts }: Terminal, { smtp }: MailAccount): Promise<string> {
  const [kind] = providerOfServer(smtp, PROVIDERS)?.secrets ?? [];
  const message = kind === undefined ? texts.ask.password : DISCOVERY_TEXTS[language].secret[kind];
  return ask(() => askPassword({ message }));
}

/** A mail is sent only where the person says so. */
async function wantsTestMail({ texts }: Terminal, options: AccountOptions): Promise<'send' | 'none'> {
  if (options.testMail === true) return 'send';
  if (options.passwordStdin || !process.stdin.isTTY) return 'none';
  return (await ask(() => confirm({ message: texts.ask.testMail, default: true }))) ? 'send' : 'none';
}

/** Checks the account; a person at a terminal may type the password again, as often as they say so. */
async function untilItWorks(
  terminal: Terminal,
  account: MailAccount,
  options: AccountOptions,
  tunnel: OpenTunnel,
): Promise<{ readonly password: string; readonly findings: AccountFindings }> {
  const { passwordStdin } = options;
  let testMail: 'send' | 'none' | null = null;
  for (;;) {
    const password = passwordStdin ? await passwordFromStdin() : await askForSecret(terminal, account);
    testMail ??= await wantsTestMail(terminal, options);
    const findings = await tryAccount(terminal, account, { password, testMail, tunnel });
    if (typeof findings !== 'string') return { password, findings };
    if (passwordStdin || !process.stdin.isTTY) throw new CommandError(EXIT.account, findings);
    terminal.say(findings);
    const again = await ask(() => confirm({ message: terminal.texts.ask.again, default: true }));
    if (!again) throw new CommandError(EXIT.account, terminal.texts.nothingStored);
  }
}

/** What was learned, or why the account does not work, in lines for a person. */
async function tryAccount(
  { language, say }: Terminal,
  account: MailAccount,
  given: { readonly password: string; readonly testMail: 'send' | 'none'; readonly tunnel: OpenTunnel },
): Promise<AccountFindings | string> {
  const { steps } = CHECK_TEXTS[language];
  const checked = await checkAccount({
    account,
    language,
    version: VERSION,
    ...given,
    onProgress: ({ step, state, text }) => {
      // What failed is told once, in full, below.
      if (state !== 'running') say(`${MARKS[state]} ${steps[step]}${state === 'failed' ? '' : `: ${text}`}`);
    },
  });
  if (checked.ok) return checked.value;
  const { text, next, quote } = checked.error;
  return [text, next, ...(quote === null ? [] : [`> ${quote}`])].join('\n');
}

const MARKS = { done: '✓', failed: '✗', unclear: '?' } as const;
