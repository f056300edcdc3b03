import { z } from 'zod';
import { err, ok, type Result } from '../result.ts';
import { mixedScripts } from './scripts.ts';

/** Longest forward path without its brackets, in UTF-8 bytes. Source: RFC 5321 4.5.3.1.3, RFC 3696 erratum 1690. */
const ADDRESS_MAX_BYTES = 254;
const LOCAL_PART_MAX_BYTES = 64;
const LABEL_MAX_BYTES = 63;

export type AddressProblem =
  | 'empty'
  | 'too-long'
  | 'control-or-invisible-character'
  | 'not-one-mailbox'
  | 'bad-local-part'
  | 'bad-domain'
  | 'mixed-scripts';

export type Address = { readonly localPart: string; readonly domain: string };

const ASCII = /^[\x20-\x7e]*$/;
/** Controls, bidi marks, zero-width and other format characters: they hide what an address says. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const DOT_ATOM =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\u{80}-\u{10FFFF}]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\u{80}-\u{10FFFF}]+)*$/u;
const LABEL = /^[\p{L}\p{N}\p{M}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u;

/**
 * Exactly one mailbox of the plain form `local@domain.tld`, or the reason why not. Quoted local parts, comments,
 * routes, lists, groups and address literals are refused: a library that reads them could send to somebody else.
 * Source: RFC 5321 4.1.2, RFC 6531 3.3 (letters beyond ASCII).
 */
export function parseAddress(text: string): Result<Address, AddressProblem> {
  if (text === '') return err('empty');
  // Nearly every address: nothing in it is hidden, and no scripts are mixed.
  const isPlain = ASCII.test(text);
  if (!isPlain && (HIDDEN.test(text) || !text.isWellFormed())) return err('control-or-invisible-character');
  if (utf8Length(text) > ADDRESS_MAX_BYTES) return err('too-long');
  const at = text.indexOf('@');
  if (at < 0 || at !== text.lastIndexOf('@') || /[\s,;:<>()[\]\\"]/u.test(text)) return err('not-one-mailbox');
  const localPart = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (!DOT_ATOM.test(localPart) || utf8Length(localPart) > LOCAL_PART_MAX_BYTES) return err('bad-local-part');
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  const sound =
    labels.length >= 2 && labels.every((label) => LABEL.test(label) && utf8Length(label) <= LABEL_MAX_BYTES);
  // A numeric last label would be an IPv4 address in disguise.
  if (!sound || /^\d+$/.test(last)) return err('bad-domain');
  if (!isPlain && wordsOf(localPart, domain).some((word) => mixedScripts(word) !== null)) return err('mixed-scripts');
  return ok({ localPart, domain });
}

/** True where the local part needs a server that offers SMTPUTF8; a domain can always be written in ASCII. */
export function needsSmtpUtf8(address: Address): boolean {
  return /[^\u0020-\u007E]/u.test(address.localPart);
}

/** Each word stands for itself: a Greek name may stand beside a Latin one, not inside it. */
const wordsOf = (localPart: string, domain: string): readonly string[] => [
  ...localPart.split(/[.+_-]/),
  ...domain.split('.'),
];

function scriptsOf(address: string): readonly string[] {
  const at = address.indexOf('@');
  const words = wordsOf(address.slice(0, at), address.slice(at + 1));
  return [...new Set(words.flatMap((word) => mixedScripts(word) ?? []))];
}

function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : new TextEncoder().encode(text).length;
}

const PROBLEM_TEXT: Record<AddressProblem, string> = {
  empty: 'the address is empty',
  'too-long': `the address is longer than ${ADDRESS_MAX_BYTES} bytes`,
  'control-or-invisible-character': 'the address holds a control or invisible character',
  'not-one-mailbox': 'the address is not exactly one mailbox of the form name@example.com',
  'bad-local-part': 'the part before the @ is not a plain name',
  'bad-domain': 'the part after the @ is not a domain name',
  'mixed-scripts': 'the address mixes letters of different scripts in one word, which look alike',
};

export const AddressText = z.string().superRefine((text, context) => {
  const parsed = parseAddress(text);
  if (parsed.ok) return;
  const scripts = parsed.error === 'mixed-scripts' ? ` (${scriptsOf(text).join(', ')})` : '';
  context.addIssue({ code: 'custom', message: `${PROBLEM_TEXT[parsed.error]}${scripts}` });
});
