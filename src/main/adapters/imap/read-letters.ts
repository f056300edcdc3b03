import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { ParsedMail } from 'mailparser';
import { type Letter, type LetterBody, mayBeBounce } from '../../core/letter.ts';
import type { InboxCursor } from '../../engine/ports.ts';

/** Letters looked at in one visit; the rest waits for the next. */
const LETTERS_MAX = 200;
/** Bodies read in one visit, and how much of each. */
const BODIES_MAX = 40;
const BODY_MAX_BYTES = 256 * 1024;
const ANSWERS_MAX = 30;
const HEADERS = [
  'message-id',
  'from',
  'subject',
  'in-reply-to',
  'references',
  'content-type',
  'auto-submitted',
  'precedence',
  'list-id',
  'x-autoreply',
  'x-auto-response-suppress',
  'return-path',
  'x-failed-recipients',
];

/**
 * Reads the heads of what came into the open folder since the cursor, and the bodies of those that may be bounces. A
 * folder that was made anew, or one never read, is read from `sinceMs`.
 */
export async function readLetters(
  client: ImapFlow,
  cursor: InboxCursor | null,
  sinceMs: number,
): Promise<{ readonly cursor: InboxCursor; readonly letters: readonly Letter[]; readonly isRest: boolean }> {
  const { mailbox } = client;
  if (mailbox === false) throw new Error('no folder is open');
  const uidValidity = String(mailbox.uidValidity);
  const from = cursor !== null && cursor.uidValidity === uidValidity ? cursor.uidNext : null;
  const query = from === null ? { since: new Date(sinceMs) } : { uid: `${from}:*` };
  const found = mailbox.exists === 0 ? [] : (await client.search(query, { uid: true })) || [];
  // A range that ends in * always names the last mail, however old.
  const uids = found.filter((uid) => uid >= (from ?? 1)).sort((a, b) => a - b);
  const taken = uids.slice(0, LETTERS_MAX);
  const rows =
    taken.length === 0
      ? []
      : await client.fetchAll(taken.join(','), { uid: true, internalDate: true, headers: HEADERS }, { uid: true });
  const letters: Letter[] = [];
  let bodies = 0;
  for (const row of [...rows].sort((a, b) => a.uid - b.uid)) {
    const head = await headOf(row, uidValidity);
    const isWanted = mayBeBounce(head);
    // The next visit begins with this one: a bounce that is passed over would never be read.
    if (isWanted && bodies === BODIES_MAX) return { cursor: { uidValidity, uidNext: row.uid }, letters, isRest: true };
    if (isWanted) bodies += 1;
    letters.push({ ...head, body: isWanted ? await bodyOf(client, row.uid) : null });
  }
  const last = taken.at(-1);
  const isRest = uids.length > taken.length;
  const uidNext = last === undefined ? (from ?? mailbox.uidNext) : last + 1;
  return { cursor: { uidValidity, uidNext }, letters, isRest };
}

async function headOf(row: FetchMessageObject, uidValidity: string): Promise<Omit<Letter, 'body'>> {
  const mail = await parsed(row.headers ?? Buffer.alloc(0));
  const value = (name: string): string => String(mail?.headers.get(name) ?? '');
  const contentType: unknown = mail?.headers.get('content-type');
  const automatic = value('auto-submitted').toLowerCase();
  const isAutomatic =
    (automatic !== '' && automatic !== 'no') ||
    /^(bulk|junk|list|auto_reply)$/i.test(value('precedence')) ||
    ['list-id', 'list', 'x-autoreply', 'x-failed-recipients'].some((name) => mail?.headers.has(name) === true) ||
    /^(auto(matic)?[ -]?(reply|response)|out of office|自动回复|自動回覆|外出)/i.test(mail?.subject ?? '') ||
    returnsNowhere(mail);
  const references = typeof mail?.references === 'string' ? [mail.references] : (mail?.references ?? []);
  return {
    key: mail?.messageId ?? `${uidValidity}/${row.uid}`,
    arrivedAtMs: row.internalDate === undefined ? 0 : new Date(row.internalDate).getTime(),
    from: (mail?.from?.value[0]?.address ?? '').toLowerCase(),
    subject: mail?.subject ?? '',
    answers: [...idsIn(mail?.inReplyTo ?? ''), ...references.flatMap(idsIn).reverse()].slice(0, ANSWERS_MAX),
    isAutomatic,
    isReport: isDeliveryReport(contentType),
  };
}

const idsIn = (text: string): string[] => text.match(/<[^<>\s]{1,996}>/g) ?? [];

/** An empty return path: nobody is to answer it. Source: RFC 3834 3.3. */
const returnsNowhere = (mail: ParsedMail | null): boolean =>
  /^\s*<\s*>\s*$/.test(mail?.headerLines.find(({ key }) => key === 'return-path')?.line.replace(/^[^:]*:/, '') ?? '');

function isDeliveryReport(contentType: unknown): boolean {
  if (typeof contentType !== 'object' || contentType === null) return false;
  const params: unknown = Reflect.get(contentType, 'params');
  if (Reflect.get(contentType, 'value') !== 'multipart/report') return false;
  const kind = typeof params === 'object' && params !== null ? Reflect.get(params, 'report-type') : null;
  return typeof kind !== 'string' || kind.toLowerCase() === 'delivery-status';
}

async function bodyOf(client: ImapFlow, uid: number): Promise<LetterBody | null> {
  const row = await client.fetchOne(String(uid), { source: { maxLength: BODY_MAX_BYTES } }, { uid: true });
  const mail = row === false || row.source === undefined ? null : await parsed(row.source);
  if (mail === null) return null;
  const enclosed = mail.attachments
    .filter(({ contentType }) => /^(message\/|text\/rfc822-headers)/.test(contentType))
    .map(({ content }) => content.toString('utf8').slice(0, BODY_MAX_BYTES));
  return { text: (mail.text ?? '').slice(0, BODY_MAX_BYTES), enclosed };
}

/** Null for what cannot be read as a mail: then nothing is learned from it. */
async function parsed(source: Buffer): Promise<ParsedMail | null> {
  // Large, and of no use to an account whose folders are not read.
  const { simpleParser } = await import('mailparser');
  try {
    return await simpleParser(source, {
      skipTextLinks: true,
      skipImageLinks: true,
      skipTextToHtml: true,
      maxHtmlLengthToParse: BODY_MAX_BYTES,
    });
  } catch {
    return null;
  }
}
