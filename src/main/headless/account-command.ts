import { confirm } from '@inquirer/prompts';
import type { CheckProgress } from '../../shared/account-check.ts';
import type { Result } from '../../shared/result.ts';
import { MailAccount } from '../../shared/settings.ts';
import { CHECK_TEXTS } from '../../shared/texts/check-texts.ts';
import { type AccountFindings, type AccountTrouble, checkAccount } from '../check-account.ts';
import { accountSince } from '../engine/pace-memory.ts';
import { signInClients } from '../engine/sign-in-clients.ts';
import { withKnownFacts } from '../known-facts.ts';
import { createMailSecrets, type NewLogin, secretFor } from '../mail-secrets.ts';
import { checkAs } from '../set-up.ts';
import { type AccountOptions, fillInAccount, type Surroundings } from './account-form.ts';
import { askForLogin } from './account-login.ts';
import { ask } from './ask.ts';
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
    const clients = signInClients(ledger);
    const mailSecrets = createMailSecrets({ secrets: openSecrets(terminal), ledger, tunnel: () => tunnels.web });
    const account = parseAccount(await fillInAccount(terminal, options, { tunnels, clients }));
    const { login, findings } = await untilItWorks(terminal, account, options, { tunnels, clients });
    const stored = await mailSecrets.keep(login);
    if (!stored.ok) throw new CommandError(EXIT.secrets, stored.error.text);
    const known = withKnownFacts(account, findings, setUp.account);
    const written = ledger.commit([
      { kind: 'setting', key: 'account', value: known },
      ...accountSince(setUp.account, account.address, Date.now()),
      // A new login answers what the old one was refused for.
      { kind: 'hold-lifted', holdKind: 'account' },
      { kind: 'hold-lifted', holdKind: 'keychain' },
    ]);
    if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
    await mailSecrets.forgetOthers(account.login);
    const { address, login: way, smtp, savesSentCopy, keepsMessageId } = known;
    terminal.result(
      { account: address, host: smtp.host, port: smtp.port, login: way, savesSentCopy, keepsMessageId },
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

/** A mail is sent only where the person says so. */
async function wantsTestMail({ texts }: Terminal, options: AccountOptions): Promise<'send' | 'none'> {
  if (options.testMail === true) return 'send';
  if (options.passwordStdin || !process.stdin.isTTY) return 'none';
  return (await ask(() => confirm({ message: texts.ask.testMail, default: true }))) ? 'send' : 'none';
}

/** Checks the account; a person at a terminal may type the password, or sign in, again as often as they say so. */
async function untilItWorks(
  terminal: Terminal,
  account: MailAccount,
  options: AccountOptions,
  around: Surroundings,
): Promise<{ readonly login: NewLogin; readonly findings: AccountFindings }> {
  const passwordStdin = options.passwordStdin === true;
  let testMail: 'send' | 'none' | null = null;
  for (;;) {
    const login = await askForLogin(terminal, account, { ...around, passwordStdin, onProgress: progressIn(terminal) });
    let trouble: AccountTrouble;
    if (login.ok) {
      testMail ??= await wantsTestMail(terminal, options);
      const findings = await tryAccount(terminal, account, { login: login.value, testMail, ...around });
      if (findings.ok) return { login: login.value, findings: findings.value };
      trouble = findings.error;
    } else trouble = login.error;
    const { text, next, quote } = trouble;
    const words = [text, next, ...(quote === null ? [] : [`> ${quote}`])].join('\n');
    if (passwordStdin || !process.stdin.isTTY) throw new CommandError(EXIT.account, words);
    terminal.say(words);
    const again = await ask(() => confirm({ message: terminal.texts.ask.again, default: true }));
    if (!again) throw new CommandError(EXIT.account, terminal.texts.nothingStored);
  }
}

function tryAccount(
  terminal: Terminal,
  account: MailAccount,
  given: Surroundings & { readonly login: NewLogin; readonly testMail: 'send' | 'none' },
): Promise<Result<AccountFindings, AccountTrouble>> {
  const { login, testMail, tunnels } = given;
  const check = { account, secret: secretFor(login), testMail, tunnel: tunnels.mail };
  return checkAccount({ ...check, language: terminal.language, version: VERSION, onProgress: progressIn(terminal) });
}

const progressIn =
  ({ language, say }: Terminal) =>
  ({ step, state, text }: CheckProgress): void => {
    const { steps } = CHECK_TEXTS[language];
    // What failed is told once, in full, afterwards.
    if (state !== 'running') say(`${MARKS[state]} ${steps[step]}${state === 'failed' ? '' : `: ${text}`}`);
  };

const MARKS = { done: '✓', failed: '✗', unclear: '?' } as const;
