/** One way in which a secret may lie in bytes. */
export type Form = { readonly name: string; readonly bytes: Buffer };

/** Bytes in Base64 whatever stands before and behind them: only characters that depend on no neighbour are kept. */
function base64Forms(bytes: Buffer, name: string): Form[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    const inner = text.slice(first, last);
    return [
      { name: `${name}, shifted by ${shift}`, bytes: Buffer.from(inner) },
      {
        name: `${name} for URLs, shifted by ${shift}`,
        bytes: Buffer.from(inner.replaceAll('+', '-').replaceAll('/', '_')),
      },
    ];
  });
}

/** A text in UTF-16 with the high byte first. */
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const percent = (bytes: Buffer): string => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Escapes of JSON and JavaScript: every unit as \uXXXX. */
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * Every form in which a secret is looked for: UTF-8, UTF-16 both ways, JSON escapes, hex, URL forms, and Base64 of
 * UTF-8 and UTF-16 at each of its three alignments. Texts are also taken in UTF-16, as a heap or a Windows file has them.
 */
export function formsOf(secret: string): readonly Form[] {
  const utf8 = Buffer.from(secret, 'utf8');
  const utf16 = Buffer.from(secret, 'utf16le');
  const texts: [string, string][] = [
    ['JSON string', JSON.stringify(secret).slice(1, -1)],
    ['JSON escapes', escaped(secret)],
    ['hex', utf8.toString('hex')],
    ['hex in capitals', utf8.toString('hex').toUpperCase()],
    ['hex of UTF-16', utf16.toString('hex')],
    ['URL', encodeURIComponent(secret)],
    ['form', new URLSearchParams([['', secret]]).toString().slice(1)],
    ['percent', percent(utf8)],
    ['percent in capitals', percent(utf8).toUpperCase()],
  ];
  const plain: Form[] = [
    { name: 'UTF-8', bytes: utf8 },
    { name: 'UTF-16LE', bytes: utf16 },
    { name: 'UTF-16BE', bytes: utf16be(secret) },
    ...texts.map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    ...base64Forms(utf8, 'Base64'),
    ...base64Forms(utf16, 'Base64 of UTF-16'),
  ];
  const wide = [...texts, ...base64Forms(utf8, 'Base64').map(({ name, bytes }) => [name, bytes.toString()] as const)];
  return unique([
    ...plain,
    ...wide.map(([name, text]) => ({ name: `${name}, in UTF-16LE`, bytes: Buffer.from(text, 'utf16le') })),
  ]);
}

function unique(forms: readonly Form[]): readonly Form[] {
  const seen = new Map(forms.toReversed().map((form) => [form.bytes.toString('latin1'), form]));
  return [...seen.values()].reverse();
}
