import { type MailAccount, SignInClients } from '../../shared/settings.ts';
import { signInPlace } from '../adapters/oauth/providers.ts';
import { signIn } from '../adapters/oauth/sign-in.ts';
import { checkAccount } from '../check-account.ts';
import type { Ledger } from '../engine/ports.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openSecrets } from './open.ts';
import type { Terminal } from './terminal.ts';

const NEVER = new AbortController().signal;

/** Prints the address of the provider's page, waits for the sign-in, tries the login with it, and stores both. */
export async function signInAndStore(
  terminal: Terminal,
  ledger: Pick<Ledger, 'setting' | 'commit'>,
  account: MailAccount,
): Promise<void> {
  const { texts, language } = terminal;
  if (account.login === 'password') throw new Error('an account with a password signs in nowhere');
  const clients = SignInClients.safeParse(ledger.setting('signIn') ?? {});
  const client = clients.success ? clients.data[account.login] : null;
  if (client === null) throw new CommandError(EXIT.notSetUp, texts.noSignInClient(account.login));
  const signed = await signIn(
    {
      place: signInPlace(account.login, client),
      address: account.address,
      openExternal: (url) => terminal.say(texts.signInAt(url)),
      pages: { done: texts.signInDone, failed: texts.signInFailed },
    },
    NEVER,
  );
  if (!signed.ok) throw new CommandError(EXIT.account, signed.error.text);
  const checked = await checkAccount(account, signed.value.accessToken, language, 'access-token');
  if (!checked.ok) throw new CommandError(EXIT.account, `${checked.error.text}\n> ${checked.error.quote}`);
  terminal.say(texts.loginChecked(account.smtp.host));
  const stored = await openSecrets(terminal).set('mail-sign-in', JSON.stringify(signed.value));
  if (!stored.ok) throw new CommandError(EXIT.secrets, stored.error.text);
  const written = ledger.commit([
    { kind: 'setting', key: 'account', value: account },
    { kind: 'hold-lifted', holdKind: 'account' },
    { kind: 'hold-lifted', holdKind: 'keychain' },
  ]);
  if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
  terminal.result({ account: account.address, host: account.smtp.host }, texts.accountStored(account.address));
}
