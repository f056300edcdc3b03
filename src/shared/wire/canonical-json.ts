/**
 * JSON Canonicalization Scheme: one text for one value, whatever the order or spelling it arrived in.
 * Objects are sorted by UTF-16 code units; numbers and strings are written as ECMAScript writes them.
 * Throws `NotCanonical` for what I-JSON cannot carry: a lone surrogate, NaN, an infinity, a non-JSON value.
 * Source: RFC 8785.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '');
}

/** Names the place (`/a/0/b`) of the value that has no canonical form. */
export class NotCanonical extends Error {
  readonly path: string;
  constructor(path: string, what: string) {
    super(`${what} at ${path === '' ? 'the top' : path} has no canonical form`);
    this.name = 'NotCanonical';
    this.path = path;
  }
}

function write(value: unknown, path: string): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeString(value, path);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotCanonical(path, String(value));
    // ECMAScript's shortest form is what RFC 8785 3.2.2.3 prescribes; JSON.stringify turns -0 into 0.
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item, index) => write(item, `${path}/${index}`)).join(',')}]`;
  if (typeof value === 'object' && isPlain(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    // Array.prototype.sort compares strings by UTF-16 code units, as RFC 8785 3.2.3 asks.
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, item]) => `${writeString(key, path)}:${write(item, `${path}/${key}`)}`).join(',')}}`;
  }
  throw new NotCanonical(path, `a ${typeof value}`);
}

function writeString(text: string, path: string): string {
  if (!text.isWellFormed()) throw new NotCanonical(path, 'a lone surrogate');
  return JSON.stringify(text);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
