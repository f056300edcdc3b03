const TEXT_MAX_CHARS = 300;
/** Controls, format and separator characters: they hide or fake what a person reads. */
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]+/gu;
const REDACTED = '[redacted]';

/** A foreign text fit for a window or a log: one line, at most 300 characters. */
export function readable(text: string): string {
  return text
    .slice(0, 4 * TEXT_MAX_CHARS)
    .replace(UNREADABLE, ' ')
    .trim()
    .slice(0, TEXT_MAX_CHARS)
    .toWellFormed();
}

/** The text without a secret that the other side repeated in it. */
export function withoutSecret(text: string, secret: string | null): string {
  return secret === null || secret === '' ? text : text.replaceAll(secret, REDACTED);
}

/** Message of a caught error and of the one that caused it, with the code Node gave. */
export function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return readable(String(cause));
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : '';
  // A name with several addresses fails with an empty message and one error for each address.
  const message =
    cause instanceof AggregateError && cause.message === '' ? String(cause.errors[0] ?? '') : cause.message;
  return readable(message.startsWith(code) ? message : `${code}${message}`);
}
