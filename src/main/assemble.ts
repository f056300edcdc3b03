import path from 'node:path';
import type { MailAccount, Pairing } from '../shared/settings.ts';
import { systemClock } from './adapters/clock.ts';
import { createCloudClient } from './adapters/cloud-http/cloud-client.ts';
import { createImapMailbox } from './adapters/imap/mailbox.ts';
import { createHttpAttachments } from './adapters/message/attachments.ts';
import { createComposer } from './adapters/message/compose.ts';
import { openScratchFolder } from './adapters/message/scratch-folder.ts';
import type { AskMailSecret } from './adapters/oauth/mail-secret.ts';
import { systemRandom } from './adapters/random.ts';
import { createSmtpMailer } from './adapters/smtp/mailer.ts';
import type { Tunnels } from './adapters/tunnel/open-tunnel.ts';
import type { OpenTunnel } from './adapters/tunnel/tunnel.ts';
import type { Ledger, Log, Mailbox, Ports, Secrets } from './engine/ports.ts';
import type { MailSecrets } from './mail-secrets.ts';

/** The account's folders over IMAP with what logs in to send; null where the account names no server for it. */
function openMailbox(account: MailAccount, secret: AskMailSecret, version: string, tunnel: OpenTunnel): Mailbox | null {
  const { imap: server, userName } = account;
  if (server === null) return null;
  return createImapMailbox({ server, userName, version, secret, tunnel });
}

/** Puts the real parts behind the engine's ports; the terminal and the desktop app both start from here. */
export function assemblePorts(parts: {
  readonly ledger: Ledger;
  readonly log: Log;
  readonly secrets: Pick<Secrets, 'get'>;
  readonly mailSecrets: MailSecrets;
  readonly pairing: Pairing;
  readonly account: MailAccount;
  readonly version: string;
  readonly tunnels: Tunnels;
  /** The data folder. */
  readonly folder: string;
}): { readonly ports: Ports; close(): Promise<void> } {
  const { ledger, log, secrets, pairing, account, version, tunnels, folder } = parts;
  const secret = parts.mailSecrets.of(account.login);
  const attachments = createHttpAttachments({
    cloudOrigin: () => new URL(pairing.cloudUrl).origin,
    tunnel: tunnels.web,
  });
  const ports: Ports = {
    clock: systemClock,
    random: systemRandom,
    ledger,
    log,
    cloud: createCloudClient({
      cloudUrl: pairing.cloudUrl,
      token: () => secrets.get('agent-token'),
      version,
      tunnel: tunnels.web,
    }),
    composer: createComposer({
      attachments: { source: attachments, scratch: openScratchFolder(path.join(folder, 'attachments')) },
    }),
    mailer: createSmtpMailer({
      account: () => ({ server: account.smtp, userName: account.userName }),
      secret,
      tunnel: tunnels.mail,
    }),
    mailbox: openMailbox(account, secret, version, tunnels.mail),
  };
  return { ports, close: () => attachments.close() };
}
