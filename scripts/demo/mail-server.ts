import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { MailDev } from 'maildev';
import { z } from 'zod';
import type { CertificateFiles } from './certificates.ts';
import type { Accepted } from './tally.ts';

export type MailServer = {
  readonly smtpPort: number;
  readonly inboxUrl: string;
  /** What it took over in earlier runs on this folder, and since its start. */
  readonly earlier: readonly Accepted[];
  readonly accepted: readonly Accepted[];
  stop(): Promise<void>;
};

const STOP_LIMIT_MS = 5_000;

const Row = z.object({ id: z.string(), messageId: z.string(), recipients: z.array(z.string()) });
/** Of a mail as maildev hands it out, what is counted here. */
const Taken = z.object({
  id: z.string(),
  headers: z.record(z.string(), z.unknown()),
  envelope: z.object({ to: z.array(z.object({ address: z.string() })) }),
});

/**
 * Starts a mail server with a web inbox on loopback: SMTP over TLS, login needed. Every message it takes over is
 * written down at that moment, before its 250 leaves, so that a reply that gets lost is counted as what it was.
 */
export async function startMailServer(options: {
  readonly folder: string;
  readonly certificates: CertificateFiles;
  readonly userName: string;
  readonly password: string;
}): Promise<MailServer> {
  const { folder, certificates } = options;
  const inbox = path.join(folder, 'inbox');
  const list = path.join(folder, 'accepted.jsonl');
  await mkdir(inbox, { recursive: true, mode: 0o700 });
  const rows = await readRows(list);
  await removeUnfinished(inbox, new Set(rows.map(({ id }) => id)));

  const server = new MailDev({
    smtp: 0,
    ip: '127.0.0.1',
    incomingSecure: true,
    incomingCert: certificates.cert,
    incomingKey: certificates.key,
    incomingUser: options.userName,
    incomingPass: options.password,
    web: 0,
    webIp: '127.0.0.1',
    mailDirectory: inbox,
    silent: true,
  });
  const { smtp, api } = await withoutChatter(() => server.start());
  const accepted: Accepted[] = [];
  smtp.on('new', (mail: unknown) => {
    const { id, headers, envelope } = Taken.parse(mail);
    const row = { id, messageId: String(headers['message-id'] ?? ''), recipients: envelope.to.map((to) => to.address) };
    appendFileSync(list, `${JSON.stringify(row)}\n`, { mode: 0o600 });
    accepted.push(row);
  });
  return {
    smtpPort: smtp.getPort(),
    inboxUrl: `http://127.0.0.1:${api?.getAddress()?.port ?? 0}`,
    earlier: rows,
    accepted,
    async stop() {
      // A browser that looks at the inbox holds a connection open; it must not hold up the end.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, STOP_LIMIT_MS);
      await Promise.race([server.stop(), late]);
      clearTimeout(limit);
    },
  };
}

/** The last line may be half written where the demo was killed. */
async function readRows(list: string): Promise<z.infer<typeof Row>[]> {
  const text = await readFile(list, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => Row.parse(JSON.parse(line)));
}

/** A message that broke off leaves its file behind, which the next start would take for a mail. */
async function removeUnfinished(inbox: string, accepted: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(inbox)) {
    if (!accepted.has(name.split('.', 1)[0] ?? name))
      await rm(path.join(inbox, name), { recursive: true, force: true });
  }
}

/** maildev announces its address on standard output, which is ours. */
async function withoutChatter<T>(start: () => Promise<T>): Promise<T> {
  const { info } = console;
  console.info = () => undefined;
  try {
    return await start();
  } finally {
    console.info = info;
  }
}
