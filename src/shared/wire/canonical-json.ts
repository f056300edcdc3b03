/**
 * JSON Canonicalization Scheme: one text for one value, whatever the order or spelling it arrived in.
 * Objects are sorted by UTF-16 code units; numbers and strings are written as ECMAScript writes them.
 * Throws `NotCanonical` for what I-JSON cannot carry: a lone surrogate, NaN, an infinity, a non-JSON value.
 * Source: RFC 8785.
 */
export function canonicalJson(value: unknown): string {
  return write(value, []);
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

/** `path` names where `value` stands; it is put into words only for a value that is refused. */
function write(value: unknown, path: (string | number)[]): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeString(value, path);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw notCanonical(path, String(value));
    // ECMAScript's shortest form is what RFC 8785 3.2.2.3 prescribes; JSON.stringify turns -0 into 0.
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item, index) => writeInside(item, index, path)).join(',')}]`;
  if (typeof value === 'object' && isPlain(value)) {
    // Array.prototype.sort compares strings by UTF-16 code units, as RFC 8785 3.2.3 asks.
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    let text = '';
    for (const [key, item] of entries) {
      if (item === undefined) continue;
      text += `${text === '' ? '' : ','}${writeString(key, path)}:${writeInside(item, key, path)}`;
    }
    return `{${text}}`;
  }
  throw notCanonical(path, `a ${typeof value}`);
}

function writeInside(item: unknown, step: string | number, path: (string | number)[]): string {
  path.push(step);
  const text = write(item, path);
  path.pop();
  return text;
}

function writeString(text: string, path: readonly (string | number)[]): string {
  if (!text.isWellFormed()) throw notCanonical(path, 'a lone surrogate');
  return JSON.stringify(text);
}

const notCanonical = (path: readonly (string | number)[], what: string): NotCanonical =>
  new NotCanonical(path.map((step) => `/${step}`).join(''), what);

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
