import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { type AddressObject, type Headers, simpleParser } from 'mailparser';
import PostalMime, { type Address } from 'postal-mime';
import { z } from 'zod';

const MailboxReading = z.object({ name: z.string(), address: z.string() });

/** What a parser finds in a message; bodies as it gives them, null where there is none. */
const MailReading = z.object({
  subject: z.string(),
  from: z.array(MailboxReading),
  to: z.array(MailboxReading),
  replyTo: z.array(MailboxReading),
  dateMs: z.number(),
  messageId: z.string(),
  inReplyTo: z.string(),
  references: z.array(z.string()),
  unsubscribe: z.string(),
  unsubscribePost: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  attachments: z.array(
    z.object({
      name: z.string().nullable(),
      type: z.string(),
      disposition: z.string().nullable(),
      cid: z.string().nullable(),
      sha256: z.string(),
    }),
  ),
  /** What the parser itself finds fault with; none of the others tells. */
  defects: z.array(z.string()).default([]),
});
export type MailReading = z.infer<typeof MailReading>;

/** Three programs that share no code, and how each reads a list of messages. */
export const PARSERS: Readonly<Record<string, (messages: readonly Buffer[]) => Promise<readonly MailReading[]>>> = {
  mailparser: (messages) => Promise.all(messages.map(byMailparser)),
  'postal-mime': (messages) => Promise.all(messages.map(byPostalMime)),
  'email of Python': byPython,
};

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const bare = (cid: string | undefined): string | null => cid?.replace(/^<|>$/g, '') ?? null;
const words = (ids: string | string[] | undefined): string[] => [ids ?? []].flat().flatMap((text) => text.split(/\s+/));

async function byMailparser(message: Buffer): Promise<MailReading> {
  const mail = await simpleParser(message, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true });
  const boxes = (found: AddressObject | AddressObject[] | undefined) =>
    [found ?? []].flat().flatMap(({ value }) => value.map(({ name, address = '' }) => ({ name, address })));
  const [list] = mail.headerLines.filter(({ key }) => key === 'list-unsubscribe');
  return {
    subject: mail.subject ?? '',
    from: boxes(mail.from),
    to: boxes(mail.to),
    replyTo: boxes(mail.replyTo),
    dateMs: mail.date?.getTime() ?? 0,
    messageId: mail.messageId ?? '',
    inReplyTo: mail.inReplyTo ?? '',
    references: words(mail.references),
    unsubscribe: unfolded(list?.line.slice(list.line.indexOf(':') + 1) ?? ''),
    unsubscribePost: postOf(mail.headers),
    text: mail.text ?? null,
    html: mail.html || null,
    attachments: mail.attachments.map((part) => ({
      name: part.filename ?? null,
      type: part.contentType,
      disposition: part.contentDisposition ?? null,
      cid: part.cid ?? null,
      sha256: sha256(part.content),
    })),
    defects: [],
  };
}

/** The parser puts the headers of lists into one object. */
function postOf(headers: Headers): string {
  const list = z.object({ 'unsubscribe-post': z.object({ name: z.string() }) }).safeParse(headers.get('list'));
  return list.success ? list.data['unsubscribe-post'].name : '';
}

const unfolded = (value: string): string => value.replace(/\r?\n[ \t]+/g, ' ').trim();

async function byPostalMime(message: Buffer): Promise<MailReading> {
  const mail = await PostalMime.parse(message, { attachmentEncoding: 'arraybuffer' });
  const boxes = (found: readonly Address[] | undefined) =>
    (found ?? []).map(({ name, address = '' }) => ({ name, address }));
  const header = (key: string): string => mail.headers.find((one) => one.key === key)?.value ?? '';
  return {
    subject: mail.subject ?? '',
    from: boxes(mail.from === undefined ? [] : [mail.from]),
    to: boxes(mail.to),
    replyTo: boxes(mail.replyTo),
    dateMs: Date.parse(mail.date ?? ''),
    messageId: mail.messageId ?? '',
    inReplyTo: mail.inReplyTo ?? '',
    references: words(mail.references),
    unsubscribe: unfolded(header('list-unsubscribe')),
    unsubscribePost: header('list-unsubscribe-post'),
    text: mail.text ?? null,
    html: mail.html ?? null,
    attachments: mail.attachments.map((part) => ({
      name: part.filename,
      type: part.mimeType,
      disposition: part.disposition ?? null,
      cid: bare(part.contentId),
      sha256: sha256(new Uint8Array(part.content instanceof ArrayBuffer ? part.content : Buffer.from(part.content))),
    })),
    defects: [],
  };
}

async function byPython(messages: readonly Buffer[]): Promise<readonly MailReading[]> {
  const script = path.join(import.meta.dirname, 'parse-mails.py');
  const input = JSON.stringify(messages.map((message) => message.toString('base64')));
  const done = spawnSync('python3', [script], { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (done.status !== 0) throw new Error(`python3 could not read the mails: ${done.error?.message ?? done.stderr}`);
  return z.array(MailReading).parse(JSON.parse(done.stdout));
}
