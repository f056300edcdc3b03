import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { err, ok, type Result } from '../../../shared/result.ts';
import { withoutUnseenMarks } from '../../../shared/unseen-marks.ts';
import { needsSmtpUtf8, parseAddress } from '../../../shared/wire/address.ts';
import type { Payload } from '../../../shared/wire/payload.ts';
import type { ReadyMail } from '../../core/ready-mail.ts';
import type { ComposedMessage, ComposeFailure, Composer } from '../../engine/ports.ts';
import type { AttachmentSource } from './attachments.ts';

type Mailbox = { readonly name: string; readonly address: string; readonly needsSmtpUtf8: boolean };
type Attachment = NonNullable<Payload['attachments']>[number];
type Prepared = { readonly key: string; readonly value: string };

/** Longest header line without its CRLF is 998; room is left for the name before the value. Source: RFC 5322 2.1.1. */
const UNFOLDABLE_MAX_CHARS = 900;
/** Longest piece of a subject that is left as it is: what still folds within 78 columns. */
const WORD_MAX_CHARS = 60;

/** Builds messages from checked payloads, field by field: no object of the payload reaches the library. */
export function createComposer(parts: { readonly attachments: AttachmentSource }): Composer {
  return {
    compose: async (mail, signal) => {
      if (signal.aborted) return err(stopped());
      const head = composeHead(mail);
      if (!head.ok) return head;
      const fetched = await fetchAll(mail.payload.attachments ?? [], parts.attachments, signal);
      if (!fetched.ok) return fetched;
      return ok(await build(mail.payload, head.value, fetched.value));
    },
  };
}

type Head = {
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: Mailbox | null;
  readonly messageId: string;
  readonly date: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly prepared: readonly Prepared[];
};

function composeHead(mail: ReadyMail): Result<Head, ComposeFailure> {
  const { payload } = mail;
  const from = mailboxOf(payload.from, 'sender');
  if (!from.ok) return from;
  const to = mailboxOf(payload.to, 'recipient');
  if (!to.ok) return to;
  const replyTo = payload.reply_to ? mailboxOf(payload.reply_to, 'reply address') : ok(null);
  if (!replyTo.ok) return replyTo;
  const messageId = asciiMessageId(mail.messageId);
  if (messageId === null) return err(unusable('The Message-ID cannot be written in ASCII.'));
  const unsubscribe = unsubscribeHeaders(payload.list_unsubscribe ?? null);
  if (!unsubscribe.ok) return unsubscribe;
  const subject = payload.subject === '' ? [] : [{ key: 'Subject', value: subjectValue(payload.subject) }];
  return ok({
    from: from.value,
    to: to.value,
    replyTo: replyTo.value,
    messageId,
    date: dateHeader(mail.dateMs),
    // An id that no header line can carry costs the thread, not the mail.
    inReplyTo: [payload.in_reply_to ?? ''].find(isWritableId) ?? null,
    references: (payload.references ?? []).filter(isWritableId),
    prepared: [...subject, ...unsubscribe.value],
  });
}

async function build(
  payload: Payload,
  head: Head,
  attachments: readonly { readonly declared: Attachment; readonly content: Buffer }[],
): Promise<ComposedMessage> {
  const bytes = await new MailComposer({
    from: { name: head.from.name, address: head.from.address },
    to: { name: head.to.name, address: head.to.address },
    replyTo: head.replyTo === null ? undefined : { name: head.replyTo.name, address: head.replyTo.address },
    messageId: head.messageId,
    date: head.date,
    inReplyTo: head.inReplyTo ?? undefined,
    references: [...head.references],
    headers: head.prepared.map(({ key, value }) => ({ key, value: { prepared: true, foldLines: true, value } })),
    text: bodyPart(payload.text),
    html: bodyPart(payload.html),
    attachments: attachments.map(({ declared, content }) => ({
      filename: fileName(declared.name),
      contentType: partType(declared.type),
      contentDisposition: 'attachment',
      contentTransferEncoding: 'base64',
      content,
    })),
    textEncoding: 'base64',
    boundaryPrefix: '=_part',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  const mailboxes = [head.from, head.to, ...(head.replyTo === null ? [] : [head.replyTo])];
  return {
    messageId: head.messageId,
    envelope: {
      from: head.from.address,
      to: head.to.address,
      needsSmtpUtf8: mailboxes.some((mailbox) => mailbox.needsSmtpUtf8),
    },
    bytes,
  };
}

/** The domain in ASCII (UTS 46, non-transitional), checked again: mapping can make an address literal of a name. */
function mailboxOf(
  given: { readonly name?: string | null | undefined; readonly address: string },
  role: string,
): Result<Mailbox, ComposeFailure> {
  const parsed = parseAddress(given.address);
  const domain = parsed.ok ? domainToASCII(parsed.value.domain) : '';
  const address = parsed.ok ? `${parsed.value.localPart}@${domain}` : '';
  if (!parsed.ok || !parseAddress(address).ok) return err(unusable(`The ${role}'s address is not a usable address.`));
  const name = onOneLine(given.name ?? '');
  // Mail programs decode such a name even inside quotes: the reader would see another one than the approver did.
  if (name.includes('=?')) return err(unusable(`The ${role}'s name holds "=?", which mail programs read as a code.`));
  return ok({ name, address, needsSmtpUtf8: needsSmtpUtf8(parsed.value) });
}

/** A name as a header can carry it: runs of spaces do not survive folding. */
const onOneLine = (name: string): string => withoutUnseenMarks(name).replace(/ +/g, ' ').trim();

/**
 * The subject as a header value. What is not short ASCII words with single spaces, or would be read as an encoded
 * word, is encoded whole. Source: RFC 2047.
 */
function subjectValue(subject: string): string {
  const words = subject.split(' ');
  const plain = words.every((word) => /^[\x21-\x7E]+$/.test(word) && word.length <= WORD_MAX_CHARS);
  return plain && !subject.includes('=?') ? subject : encodeWord(subject, 'B', 52);
}

function asciiMessageId(messageId: string): string | null {
  const match = /^<([\x21-\x7E]+)@([^\s<>@]+)>$/.exec(messageId);
  const domain = domainToASCII(match?.[2] ?? '');
  const ascii = `<${match?.[1]}@${domain}>`;
  return match !== null && domain !== '' && isWritableId(ascii) ? ascii : null;
}

const isWritableId = (id: string): boolean => /^<[\x21-\x7E]+>$/.test(id) && id.length <= UNFOLDABLE_MAX_CHARS;

/** Source: RFC 2369 3.2, RFC 8058 3.1 (one click needs an https link). */
function unsubscribeHeaders(given: Payload['list_unsubscribe'] | null): Result<readonly Prepared[], ComposeFailure> {
  const targets: string[] = [];
  if (given?.url) targets.push(new URL(given.url).href);
  if (given?.mailto) {
    const mailbox = mailboxOf({ address: given.mailto }, 'unsubscribe mailbox');
    if (!mailbox.ok) return mailbox;
    const [localPart = '', domain = ''] = mailbox.value.address.split('@');
    targets.push(`mailto:${encodeURIComponent(localPart)}@${domain}`);
  }
  if (targets.length === 0) return ok([]);
  if (!targets.every((target) => /^[\x21-\x7E]+$/.test(target) && !/[<>]/.test(target)))
    return err(unusable('The unsubscribe link cannot be written in a header.'));
  // A link cannot be folded, and a mail without the one it was approved with would be another mail.
  if (targets.some((target) => target.length > UNFOLDABLE_MAX_CHARS))
    return err(unusable(`The unsubscribe link is longer than ${UNFOLDABLE_MAX_CHARS} characters.`));
  const headers = [{ key: 'List-Unsubscribe', value: targets.map((target) => `<${target}>`).join(', ') }];
  if (given?.url && given.one_click) {
    headers.push({ key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' });
  }
  return ok(headers);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant (epoch milliseconds) with this machine's offset, as a person's mail program writes it. RFC 5322 3.3. */
export function dateHeader(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const eastMinutes = -date.getTimezoneOffset();
  const hours = Math.floor(Math.abs(eastMinutes) / 60);
  const offset = `${eastMinutes < 0 ? '-' : '+'}${two(hours)}${two(Math.abs(eastMinutes) % 60)}`;
  const day = `${WEEKDAYS[date.getDay()]}, ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${offset}`;
}

/**
 * A body, or nothing where it is blank: an empty text beside an html body would be all that some readers see.
 * Base64 throughout: no line is long, starts with a dot or "From ", or ends in a space, so no server on the way has
 * anything to rewrite. Line breaks are made CRLF before that, or a bare one would survive inside (RFC 2046 4.1.1).
 */
function bodyPart(
  body: string | null | undefined,
): { readonly content: Buffer; readonly contentTransferEncoding: 'base64' } | undefined {
  if (!body || body.trim() === '') return undefined;
  return { content: Buffer.from(body.replace(/\r\n?|\n/g, '\r\n'), 'utf8'), contentTransferEncoding: 'base64' };
}

/** Names under which Windows finds a device instead of a file, whatever ending they have. */
const DEVICE = /^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i;

/** The declared name, without what could lead a reader's program out of its folder. */
const fileName = (name: string): string =>
  onOneLine(name).replace(/[/\\]/g, '_').replace(/^\.+/, '_').replace(DEVICE, '_') || 'attachment';

/** A composite type may not be base64 (RFC 2046 5): its bytes would go out as they are, so they travel as plain bytes. */
const partType = (type: string): string => (/^(multipart|message)\//.test(type) ? 'application/octet-stream' : type);

/** All of them at once, the first failure stops the others: the slowest decides, not the sum. */
async function fetchAll(
  declared: readonly Attachment[],
  source: AttachmentSource,
  signal: AbortSignal,
): Promise<Result<{ readonly declared: Attachment; readonly content: Buffer }[], ComposeFailure>> {
  if (declared.length === 0) return ok([]);
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  let failure: ComposeFailure | null = null;
  const fetched = await Promise.all(
    declared.map(async (attachment) => {
      const result = await source.fetch(attachment, either);
      if (result.ok) return [{ declared: attachment, content: result.value }];
      failure ??= result.error;
      enough.abort();
      return [];
    }),
  );
  return failure === null ? ok(fetched.flat()) : err(failure);
}

const unusable = (message: string): ComposeFailure => ({
  kind: 'permanent',
  failure: { stage: 'prepare', class: 'payload', reply: null, message },
});

const stopped = (): ComposeFailure => ({
  kind: 'temporary',
  failure: { stage: 'prepare', class: 'local', reply: null, message: 'Stopped before the mail was built.' },
});
