import { domainToASCII } from 'node:url';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Payload } from '../../../shared/wire/payload.ts';
import type { ComposeFailure } from '../../engine/ports.ts';
import { mailboxOf } from './mailbox-field.ts';
import { unusable } from './unusable.ts';

export type Prepared = { readonly key: string; readonly value: string };

/** Longest header line without its CRLF is 998; room is left for the name before the value. Source: RFC 5322 2.1.1. */
const UNFOLDABLE_MAX_CHARS = 900;
/** Longest piece of a subject that is left as it is: what still folds within 78 columns. */
const WORD_MAX_CHARS = 60;

/**
 * The subject as a header value. What is not short ASCII words with single spaces, or would be read as an encoded
 * word, is encoded whole. Source: RFC 2047.
 */
export function subjectValue(subject: string): string {
  const words = subject.split(' ');
  const plain = words.every((word) => /^[\x21-\x7E]+$/.test(word) && word.length <= WORD_MAX_CHARS);
  return plain && !subject.includes('=?') ? subject : encodeWord(subject, 'B', 52);
}

export function asciiMessageId(messageId: string): string | null {
  const match = /^<([\x21-\x7E]+)@([^\s<>@]+)>$/.exec(messageId);
  const domain = domainToASCII(match?.[2] ?? '');
  const ascii = `<${match?.[1]}@${domain}>`;
  return match !== null && domain !== '' && isWritableId(ascii) ? ascii : null;
}

export const isWritableId = (id: string): boolean => /^<[\x21-\x7E]+>$/.test(id) && id.length <= UNFOLDABLE_MAX_CHARS;

/** Source: RFC 2369 3.2, RFC 8058 3.1 (one click needs an https link). */
export function unsubscribeHeaders(
  given: Payload['list_unsubscribe'] | null,
): Result<readonly Prepared[], ComposeFailure> {
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
