import type { MailAccount, Pairing } from '../shared/settings.ts';
import { systemClock } from './adapters/clock.ts';
import { createCloudClient } from './adapters/cloud-http/cloud-client.ts';
import { systemRandom } from './adapters/random.ts';
import { createHttpAttachments } from './adapters/smtp/attachments.ts';
import { createComposer } from './adapters/smtp/compose.ts';
import { createSmtpMailer } from './adapters/smtp/mailer.ts';
import type { Tunnels } from './adapters/tunnel/open-tunnel.ts';
import type { Ledger, Log, Ports, Secrets } from './engine/ports.ts';

/** Puts the real parts behind the engine's ports; the terminal and the desktop app both start from here. */
export function assemblePorts(parts: {
  readonly ledger: Ledger;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly pairing: Pairing;
  readonly account: MailAccount;
  readonly version: string;
  readonly tunnels: Tunnels;
}): { readonly ports: Ports; close(): Promise<void> } {
  const { ledger, log, secrets, pairing, account, version, tunnels } = parts;
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
    composer: createComposer({ attachments }),
    mailer: createSmtpMailer({
      account: () => ({ server: account.smtp, userName: account.userName }),
      password: () => secrets.get('smtp-password'),
      tunnel: tunnels.mail,
    }),
  };
  return { ports, close: () => attachments.close() };
}
