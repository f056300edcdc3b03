import type { SmtpReply } from '../../../shared/wire/messages.ts';
import { REPLY_TEXT_MAX_CHARS } from '../../../shared/wire/messages.ts';
import { decodeReply } from '../../core/reply-bytes.ts';
import type { RawReply } from './reply-reader.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Controls, bidi marks and other invisible characters; a reply is shown to people. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\uFFFD]+/gu;
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)\s*/;
/** A reply may be a megabyte; what can never be shown is not worth cleaning. */
const READ_MAX_CHARS = 16 * REPLY_TEXT_MAX_CHARS;

/**
 * The reply as it is kept and shown: lines joined, repeated enhanced codes taken out, UTF-8 or else GB18030, printable
 * characters only, at most 512 of them, secrets replaced. `code` must be in 200..599. Source: RFC 5321 4.2, RFC 3463.
 */
export function smtpReply(raw: RawReply, redact: Redact): SmtpReply {
  let enhanced: string | null = null;
  const texts: string[] = [];
  for (const line of raw.lines) {
    const code = ENHANCED.exec(line);
    enhanced ??= code?.[1] ?? null;
    texts.push(code === null ? line : line.slice(code[0].length));
  }
  const decoded = redact(decodeReply(texts.join(' ').slice(0, READ_MAX_CHARS)));
  // Once more after cleaning: a character that cleaning removes could have split the secret.
  const clean = redact(decoded.replaceAll('\t', ' ').replace(UNPRINTABLE, ''));
  const text = clean.replace(/\s+/g, ' ').trim().slice(0, REPLY_TEXT_MAX_CHARS);
  return { code: raw.code, enhanced, text: text.replace(/[\uD800-\uDBFF]$/, '') };
}

/** Hides a login's secret, password or token, in each form in which it goes over the wire. */
export function redactLogin(userName: string, secret: string): Redact {
  const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
  const forms = [
    base64(`\0${userName}\0${secret}`),
    base64(`user=${userName}\x01auth=Bearer ${secret}\x01\x01`),
    base64(secret),
    secret,
  ].filter((form) => form !== '');
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, '***'), text);
}
