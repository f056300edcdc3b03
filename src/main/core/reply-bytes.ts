/**
 * The text of a reply that came one character a byte: as UTF-8, or else as the GB18030 that Chinese servers of an older
 * make send. A text that holds other characters already is left as it is. Never throws.
 */
export function decodeReply(text: string): string {
  if (!/[\u0080-\u00FF]/.test(text) || /[^\0-\u00FF]/.test(text)) return text;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  try {
    // As a stream, so that a character cut off at the end is no fault.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    // Not UTF-8: the fatal decoder's only way to say so.
    return new TextDecoder('gb18030').decode(bytes);
  }
}
