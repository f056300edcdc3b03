import type { LogFields } from '../../engine/ports.ts';

const TEXT_MAX_CHARS = 300;
/** Longer texts are cut before any pattern runs over them. */
const READ_MAX_CHARS = 4_000;
const FIELDS_MAX = 40;
const REDACTED = '[redacted]';

/** Names, in lower-case letters only, whose value is never written, whatever it is. */
const SECRET_NAMES = new Set(
  'to from cc bcc replyto sender subject body html payload envelope address addresses email username login nonce'.split(
    ' ',
  ),
);
const SECRET_PARTS = /passw|passphrase|passcode|secret|token|authoriz|credential|cookie|apikey|privatekey|pairingcode/;

/** Anything around an @, in plain, quoted, full-width or percent-encoded form; names beyond ASCII included. */
const ADDRESS =
  /"[^"\n]{0,128}"(?:@|＠)[^\s<>()[\]{},;:"'`]*|[^\s<>()[\]{},;:"'`=]*(?:@|＠|%40)[^\s<>()[\]{},;:"'`]*/giu;
const AUTH_SCHEME = /\b(bearer|basic|digest)\s+[^\s"',;]+/giu;
const AUTH_COMMAND = /\b(auth\s+[a-z0-9-]+)\s+\S+/giu;
const NAMED_SECRET =
  /\b([\w-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|authorization|api[-_]?key)["']?\s*(?:[:=]|\bis\b)\s*)("[^"]*"|'[^']*'|[^\s,;]+)/giu;
/** A long run of mixed letters and digits: a token or key. Ids, UUIDs and digests have one letter case only. */
const LONG_RUN = /[A-Za-z0-9_+=-]{32,}/gu;
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The fields as they may be written: no address, no secret, short texts, at most 40 of them. */
export function redactFields(fields: LogFields): LogFields {
  const kept = Object.entries(fields).slice(0, FIELDS_MAX);
  return Object.fromEntries(kept.map(([name, value]) => [redactText(name), redactValue(name, value)]));
}

function redactValue(name: string, value: LogFields[string]): LogFields[string] {
  if (value === null || typeof value === 'boolean') return value;
  if (isSecretName(name)) return REDACTED;
  return typeof value === 'string' ? redactText(value) : value;
}

function isSecretName(name: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '');
  return SECRET_NAMES.has(letters) || SECRET_PARTS.test(letters);
}

/**
 * A foreign text, such as a server's reply, as it may be written: addresses and what looks like a secret taken out,
 * controls and invisible characters spelled as `\u{…}`, at most 300 characters.
 */
export function redactText(text: string): string {
  const clean = withoutCutWord(text)
    .replace(AUTH_SCHEME, `$1 ${REDACTED}`)
    .replace(AUTH_COMMAND, `$1 ${REDACTED}`)
    .replace(NAMED_SECRET, `$1${REDACTED}`)
    .replace(ADDRESS, REDACTED)
    .replace(LONG_RUN, (run) => (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? REDACTED : run))
    .replace(UNREADABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return clean.length <= TEXT_MAX_CHARS
    ? clean
    : `${clean.slice(0, TEXT_MAX_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Cuts a long text at a space: half an address is no address to any pattern. */
function withoutCutWord(text: string): string {
  return text.length <= READ_MAX_CHARS ? text : text.slice(0, READ_MAX_CHARS).replace(/\S+$/u, '');
}
