import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { z } from 'zod';
import type { Payload } from '../../src/shared/wire/payload.ts';
import { benchPayload } from './bench-mail.ts';
import { serveParent } from './child.ts';
import { Round, stopwatch } from './round.ts';

/**
 * The other side of each pair: nodemailer alone with its own defaults, one mail after another over one connection, and
 * nothing written down.
 */
const Request = Round.extend({ smtpPort: z.int() });

serveParent(
  async (request) => {
    const { smtpPort, ...round } = Request.parse(request);
    const watch = stopwatch(round);
    const connection = await logIn(smtpPort);
    for (let number = 0; number < round.warmUp + round.mails; number += 1) {
      await send(connection, benchPayload(round.size, number));
      watch.mailEnded();
    }
    connection.quit();
    return watch.done;
  },
  async () => undefined,
);

function logIn(port: number): Promise<SMTPConnection> {
  const connection = new SMTPConnection({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
  return new Promise((resolve, reject) => {
    connection.on('error', reject);
    connection.connect(() => {
      connection.login({ credentials: { user: 'wang', pass: 'secret' } }, (error) =>
        error === null ? resolve(connection) : reject(error),
      );
    });
  });
}

async function send(connection: SMTPConnection, payload: Payload): Promise<void> {
  const message = await compose(payload);
  const envelope = { from: payload.from.address, to: [payload.to.address], size: message.length };
  await new Promise<void>((resolve, reject) => {
    connection.send(envelope, message, (error) => (error === null ? resolve() : reject(error)));
  });
}

function compose({ from, to, subject, text, html }: Payload): Promise<Buffer> {
  return new MailComposer({
    from: { name: from.name ?? '', address: from.address },
    to: { name: to.name ?? '', address: to.address },
    subject,
    text: text ?? '',
    html: html ?? '',
  })
    .compile()
    .build();
}
