import { readFileSync } from 'node:fs';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Payload } from '../../src/shared/wire/payload.ts';
import { benchPayload } from './bench-mail.ts';
import { serveParent } from './child.ts';
import { BenchServer, Round, stopwatch } from './round.ts';

/**
 * The other side of each pair: nodemailer alone with its own defaults, one mail after another over one connection, and
 * nothing written down.
 */
const Request = Round.extend({ server: BenchServer });

serveParent(
  async (request) => {
    const { server, ...round } = Request.parse(request);
    const watch = stopwatch(round);
    const connection = await logIn(server);
    for (let number = 0; number < round.warmUp + round.mails; number += 1) {
      await send(connection, benchPayload(round.size, number));
      watch.mailEnded();
    }
    connection.quit();
    return watch.done;
  },
  async () => undefined,
);

function logIn({ smtp, user, password }: BenchServer): Promise<SMTPConnection> {
  const { host, port, security, caFile } = smtp;
  const connection = new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    ignoreTLS: security === 'none',
    tls: caFile === null ? {} : { ca: readFileSync(caFile, 'utf8') },
  });
  return new Promise((resolve, reject) => {
    connection.on('error', reject);
    connection.connect(() => {
      connection.login({ credentials: { user, pass: password } }, (error) =>
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
