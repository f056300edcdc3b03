import { createHash, randomBytes } from 'node:crypto';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AttachmentSource } from '../../src/main/adapters/message/attachments.ts';
import { createSmtpMailer } from '../../src/main/adapters/smtp/mailer.ts';
import type { ReadyMail } from '../../src/main/core/ready-mail.ts';
import type { ComposedMessage, Mailer } from '../../src/main/engine/ports.ts';
import { ok } from '../../src/shared/result.ts';
import { SmtpServer } from '../../src/shared/settings.ts';
import type { Stage } from '../../src/shared/wire/messages.ts';
import { Payload } from '../../src/shared/wire/payload.ts';
import { composeWith, filesFrom } from '../support/compose.ts';
import { type MailServers, startMailServers } from '../support/mail-servers.ts';

const NEVER = new AbortController().signal;
const DATE_MS = Date.UTC(2026, 4, 5, 2, 3, 4);
const RECIPIENT = 'li@mail.test';
const TEXT = '李先生，您好：\n\n.\n附件是我们的报价单。\n.. two dots\nFrom the sales team';
const HTML = '<p>李先生，<b>您好</b>：</p>\n.\n<p>附件是我们的报价单。</p>';

let servers: MailServers;
const zone = process.env['TZ'];

beforeAll(async () => {
  process.env['TZ'] = 'Asia/Shanghai';
  servers = await startMailServers({ exim: true });
});
afterAll(async () => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
  await servers?.stop();
});

type Door = { readonly program: 'postfix' | 'exim' | 'dovecot'; readonly security: 'starttls' | 'tls' };
const DOORS: readonly Door[] = [
  { program: 'postfix', security: 'starttls' },
  { program: 'postfix', security: 'tls' },
  { program: 'exim', security: 'starttls' },
  { program: 'exim', security: 'tls' },
  { program: 'dovecot', security: 'starttls' },
  { program: 'dovecot', security: 'tls' },
];

function mailerAt(
  door: Door,
  changes: { readonly host?: string; readonly caFile?: string | null; readonly password?: string } = {},
): Mailer {
  const server = SmtpServer.parse({
    host: changes.host ?? servers.host,
    port: servers.ports[door.program]?.[door.security],
    security: door.security,
    caFile: changes.caFile === undefined ? servers.caFile : changes.caFile,
  });
  const mailer = createSmtpMailer({
    account: () => ({ server, userName: servers.user }),
    secret: async () => ok({ kind: 'password', value: changes.password ?? servers.password }),
  });
  onTestFinished(() => mailer.close());
  return mailer;
}

let made = 0;
/** A mail with one attachment of these bytes. */
function mailWith(content: Buffer): { readonly mail: ReadyMail; readonly attachments: AttachmentSource } {
  made += 1;
  const payload = Payload.parse({
    from: { name: '王小明', address: servers.user },
    to: { name: '李四', address: RECIPIENT },
    reply_to: { name: '销售部', address: 'sales@mail.test' },
    subject: `关于春季展会的合作（第 ${made} 封），敬请李先生百忙之中抽空审阅并回复`,
    text: TEXT,
    html: HTML,
    attachments: [
      {
        name: '报价单（2026年春季）.pdf',
        type: 'application/pdf',
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        url: 'https://files.example.com/1',
      },
    ],
    list_unsubscribe: { url: 'https://example.com/u/1', one_click: true },
  });
  const messageId = `<email-recipient-${made}.${randomBytes(8).toString('hex')}@mail.test>`;
  return {
    mail: { id: String(made), messageId, payload, dateMs: DATE_MS },
    attachments: filesFrom(() => content),
  };
}

async function composed(content = Buffer.from('%PDF-1.7')): Promise<{ mail: ReadyMail; message: ComposedMessage }> {
  const { mail, attachments } = mailWith(content);
  const result = await composeWith(attachments, mail);
  if (!result.ok) throw new Error(result.error.failure.message);
  return { mail, message: result.value };
}

async function submit(mailer: Mailer, message: ComposedMessage) {
  const stages: Stage[] = [];
  const watch = { onStage: (stage: Stage) => void stages.push(stage), gate: async () => 'open' as const };
  return { submission: await mailer.submit(message, watch, NEVER), stages };
}

/** The one copy that arrived, its fields as a reader's program sees them. */
async function arrived(mail: ReadyMail) {
  const copies = await servers.fetchByImap(mail.messageId, RECIPIENT);
  expect(copies).toHaveLength(1);
  const source = copies[0] ?? Buffer.alloc(0);
  const parsed = await simpleParser(source, { skipTextLinks: true });
  return { parsed, dateLine: /^Date: (.*)\r$/m.exec(source.toString('latin1'))?.[1] };
}

describe.each(DOORS)('$program with $security', (door) => {
  it('takes a mail that arrives with every field as it was approved', async () => {
    const content = randomBytes(50_000);
    const { mail, message } = await composed(content);

    const { submission, stages } = await submit(mailerAt(door), message);

    expect(submission).toMatchObject({ kind: 'accepted', reply: { code: 250 } });
    expect(stages).toEqual(['connect', 'tls', 'auth', 'envelope', 'body', 'handed-over']);
    const { parsed, dateLine } = await arrived(mail);
    expect(parsed.from?.value).toEqual([{ name: '王小明', address: servers.user }]);
    expect([parsed.to ?? []].flat().flatMap(({ value }) => value)).toEqual([{ name: '李四', address: RECIPIENT }]);
    expect(parsed.replyTo?.value).toEqual([{ name: '销售部', address: 'sales@mail.test' }]);
    expect(parsed.subject).toBe(mail.payload.subject);
    expect(parsed.text?.trimEnd()).toBe(TEXT);
    expect(String(parsed.html)).toContain(`<body>\n${HTML}\n</body>`);
    expect(parsed.messageId).toBe(mail.messageId);
    expect(dateLine).toBe('Tue, 5 May 2026 10:03:04 +0800');
    expect(parsed.headers.get('list')).toMatchObject({ unsubscribe: { url: 'https://example.com/u/1' } });
    expect(parsed.attachments).toHaveLength(1);
    expect(parsed.attachments[0]).toMatchObject({
      filename: '报价单（2026年春季）.pdf',
      contentType: 'application/pdf',
      size: content.length,
    });
    expect(parsed.attachments[0]?.content.equals(content)).toBe(true);
  });

  it('takes several mails over one connection', async () => {
    const mailer = mailerAt(door);
    const mails: ReadyMail[] = [];
    const stages: Stage[][] = [];

    for (let count = 0; count < 4; count += 1) {
      const { mail, message } = await composed();
      const sent = await submit(mailer, message);
      expect(sent.submission.kind).toBe('accepted');
      mails.push(mail);
      stages.push(sent.stages);
    }

    expect(stages.map(([first]) => first)).toEqual(['connect', 'envelope', 'envelope', 'envelope']);
    for (const mail of mails) expect((await arrived(mail)).parsed.subject).toBe(mail.payload.subject);
  });

  it('refuses a wrong password at login', async () => {
    const { message } = await composed();

    const { submission } = await submit(mailerAt(door, { password: 'wrong' }), message);

    expect(submission).toMatchObject({ kind: 'replied', stage: 'auth', reply: { code: 535 } });
  });

  it('is not spoken to under a certificate that nobody vouches for', async () => {
    const { message } = await composed();

    const { submission } = await submit(mailerAt(door, { caFile: null }), message);

    expect(submission).toMatchObject({ kind: 'broken', stage: 'tls', cause: 'certificate' });
  });

  it('is not spoken to under a name that its certificate does not have', async () => {
    const { message } = await composed();

    const { submission } = await submit(mailerAt(door, { host: '127.0.0.1' }), message);

    expect(submission).toMatchObject({ kind: 'broken', stage: 'tls', cause: 'certificate' });
  });

  it('takes an attachment of 5 MB unchanged', async () => {
    const content = randomBytes(5 * 1024 * 1024);
    const { mail, message } = await composed(content);

    const { submission } = await submit(mailerAt(door), message);

    expect(submission.kind).toBe('accepted');
    const { parsed } = await arrived(mail);
    expect(parsed.attachments[0]?.content.equals(content)).toBe(true);
  });
});

describe.each(['postfix', 'exim'] as const)('%s', (program) => {
  it('refuses a recipient elsewhere, and the next mail goes over the same connection', async () => {
    const mailer = mailerAt({ program, security: 'tls' });
    const { mail, message } = await composed();
    const elsewhere = { ...message, envelope: { ...message.envelope, to: 'li@elsewhere.test' } };

    const refused = await submit(mailer, elsewhere);
    const next = await submit(mailer, message);

    expect(refused.submission).toMatchObject({ kind: 'replied', stage: 'envelope', reply: { code: 550 } });
    expect(next.submission.kind).toBe('accepted');
    expect(next.stages[0]).toBe('envelope');
    await arrived(mail);
  });
});
