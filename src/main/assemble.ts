import { err, ok } from '../shared/result.ts';
import { type MailAccount, type Pairing, SignInClients } from '../shared/settings.ts';
import { systemClock } from './adapters/clock.ts';
import { createCloudClient } from './adapters/cloud-http/cloud-client.ts';
import { createImapMailbox, type ImapMailboxOptions } from './adapters/imap/mailbox.ts';
import { signInPlace } from './adapters/oauth/providers.ts';
import { createTokenSource, type TokenSource } from './adapters/oauth/token-source.ts';
import { systemRandom } from './adapters/random.ts';
import { createHttpAttachments } from './adapters/smtp/attachments.ts';
import { createComposer } from './adapters/smtp/compose.ts';
import { createSmtpMailer } from './adapters/smtp/mailer.ts';
import type { Ledger, Log, Mailbox, Ports, Secrets } from './engine/ports.ts';

/** The account's folders over IMAP with the password that sends; null where the account names no server for it. */
export function openMailbox(
  account: MailAccount,
  secrets: Pick<Secrets, 'get'>,
  version: string,
  tokens: TokenSource | null = null,
): Mailbox | null {
  const { imap: server, userName } = account;
  if (server === null) return null;
  const secret: ImapMailboxOptions['secret'] = async () => {
    if (tokens !== null) {
      const token = await tokens.get('any');
      return token.ok
        ? ok({ kind: 'access-token', value: token.value })
        : err({ kind: 'unavailable', text: token.error.text });
    }
    const stored = await secrets.get('smtp-password');
    return stored.ok ? ok({ kind: 'password', value: stored.value }) : stored;
  };
  return createImapMailbox({ server, userName, version, secret });
}

/** Tokens of the provider's sign-in; null for an account that logs in by password. */
function tokensOf(
  { login }: MailAccount,
  ledger: Pick<Ledger, 'setting'>,
  secrets: Pick<Secrets, 'get' | 'set'>,
): TokenSource | null {
  if (login === 'password') return null;
  const clients = SignInClients.safeParse(ledger.setting('signIn') ?? {});
  const client = clients.success ? clients.data[login] : null;
  return createTokenSource({ secrets, place: client === null ? null : signInPlace(login, client) });
}

/** Puts the real parts behind the engine's ports; the terminal and the desktop app both start from here. */
export function assemblePorts(parts: {
  readonly ledger: Ledger;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly pairing: Pairing;
  readonly account: MailAccount;
  readonly version: string;
}): { readonly ports: Ports; close(): Promise<void> } {
  const { ledger, log, secrets, pairing, account, version } = parts;
  const tokens = tokensOf(account, ledger, secrets);
  const attachments = createHttpAttachments({ cloudOrigin: () => new URL(pairing.cloudUrl).origin });
  const ports: Ports = {
    clock: systemClock,
    random: systemRandom,
    ledger,
    log,
    cloud: createCloudClient({ cloudUrl: pairing.cloudUrl, token: () => secrets.get('agent-token'), version }),
    composer: createComposer({ attachments }),
    mailer: createSmtpMailer({
      account: () => ({ server: account.smtp, userName: account.userName }),
      password: () => secrets.get('smtp-password'),
      ...(tokens === null ? {} : { accessToken: tokens.get }),
    }),
    mailbox: openMailbox(account, secrets, version, tokens),
  };
  return { ports, close: () => attachments.close() };
}
