import { err, ok, type Result } from '../../../shared/result.ts';

const DEPTH_MAX = 20;
/** Objects, arrays and list positions together; fifty full mails have some ten thousand. */
const VALUES_MAX = 200_000;
/** In one object. Building one with very many names takes seconds. */
const NAMES_MAX = 1_000;
/** Names that reach an object's prototype where a careless copy is made of it. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export type JsonProblem = 'not-json' | 'too-deep' | 'too-many-values' | 'duplicate-name' | 'forbidden-name';

/**
 * The value of a JSON text, or why it is refused. Stricter than JSON.parse: nested at most 20 deep, at most 200,000
 * values and 1,000 names in one object, no name twice in one object, no name of the prototype machinery. Linear in the
 * text's length; depth and counts are checked before a value is built. Never throws. Source: RFC 8259, RFC 7493 2.3.
 */
export function parseStrictJson(text: string): Result<unknown, JsonProblem> {
  const members = countMembers(text);
  if (!members.ok) return members;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err('not-json');
  }
  const names = typeof value === 'object' && value !== null ? countNames(value) : ok(0);
  if (!names.ok) return names;
  // JSON.parse keeps one of two equal names: fewer names in the value than members in the text means a duplicate.
  return names.value === members.value ? ok(value) : err('duplicate-name');
}

/** Members of all objects in the text. Grammar is left to JSON.parse: only its brackets, commas and colons count here. */
function countMembers(text: string): Result<number, JsonProblem> {
  const namesAtDepth = new Uint32Array(DEPTH_MAX + 1);
  let depth = 0;
  let values = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Spaces and digits: a body may be nothing else.
    if (unit < QUOTE || (unit > COMMA && unit < COLON)) continue;
    switch (unit) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > DEPTH_MAX) return err('too-deep');
        namesAtDepth[depth] = 0;
        values += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
      case COLON: {
        members += 1;
        const names = (namesAtDepth[depth] ?? 0) + 1;
        if (names > NAMES_MAX) return err('too-many-values');
        namesAtDepth[depth] = names;
        break;
      }
    }
    if (values > VALUES_MAX) return err('too-many-values');
  }
  return ok(members);
}

/** Where the string that starts at `start` has its closing quote; the text's length where it has none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    at += unit === BACKSLASH ? 2 : 1;
  }
  return at;
}

function countNames(value: object): Result<number, JsonProblem> {
  let count = 0;
  const isList = Array.isArray(value);
  if (!isList) {
    for (const name of Object.keys(value)) {
      if (FORBIDDEN_NAMES.has(name)) return err('forbidden-name');
      count += 1;
    }
  }
  for (const item of isList ? value : Object.values(value)) {
    if (typeof item !== 'object' || item === null) continue;
    const inner = countNames(item);
    if (!inner.ok) return inner;
    count += inner.value;
  }
  return ok(count);
}
