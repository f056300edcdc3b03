import { domainToASCII } from 'node:url';
import { describe } from 'vitest';
import { parseStrictJson } from '../../src/main/adapters/cloud-http/strict-json.ts';
import { redactFields, redactText } from '../../src/main/adapters/log/redact.ts';
import { AddressText, parseAddress } from '../../src/shared/wire/address.ts';
import { canonicalJson, NotCanonical } from '../../src/shared/wire/canonical-json.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import type { Chance } from './chance.ts';
import { fuzz, must } from './fuzz.ts';
import { mutated } from './mutate.ts';

const JSON_PIECES = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"a":',
  '"b":1',
  '"\\u0061":',
  '"__proto__":',
  '"constructor":',
  '"a"',
  '"',
  '\\',
  '\\"',
  '1',
  '-0',
  '1e5',
  '1.0',
  'null',
  'true',
  ' ',
  '\n',
  '{"a":{}}',
  '[1,2]',
  '[[[[[[',
  ']]]]]]',
  '"\\ud800"',
  '\ufeff',
  '\0',
];
const SAMPLE = {
  id: '7',
  list: [1, { a: 'x', b: null }, []],
  deep: { deep: { z: 1, a: '王', '': true } },
  text: 'a\r\n',
};

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
const hasPrototypeName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(
    ([name, item]) =>
      (!Array.isArray(value) && /^(__proto__|constructor|prototype)$/.test(name)) || hasPrototypeName(item),
  );
/** The same value, its names in another order. */
function shuffled(value: unknown, chance: Chance): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, chance));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, shuffled(item, chance)] as const);
  return Object.fromEntries(chance.once(2) ? entries.reverse() : entries);
}

describe('any text', () => {
  fuzz('as strict JSON is refused, or what JSON.parse says without a name twice', (chance) => {
    const text = chance.once(3)
      ? JSON.stringify(mutated(SAMPLE, chance) ?? null).slice(0, chance.once(4) ? chance.int(90) : undefined)
      : chance.text(JSON_PIECES, 14);
    const parsed = parseStrictJson(text);
    const shown = () => JSON.stringify(text);
    if (!parsed.ok) {
      if (parsed.error === 'not-json') must(!isJson(text), shown);
      return;
    }
    must(JSON.stringify(parsed.value) === JSON.stringify(JSON.parse(text)), shown);
    must(depthOf(parsed.value) <= 20 && !hasPrototypeName(parsed.value), shown);
    // Written again it has as many members as it came with: none was lost to its twin.
    must(membersOf(parsed.value) === (text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/:/g) ?? []).length, shown);
  });

  fuzz('as canonical JSON stays itself, whatever the order of its names', (chance) => {
    const value = mutated(SAMPLE, chance);
    let canonical: string;
    try {
      canonical = canonicalJson(value);
    } catch (error) {
      must(error instanceof NotCanonical, () => String(error));
      return;
    }
    const back: unknown = JSON.parse(canonical);
    must(canonicalJson(back) === canonical, () => canonical);
    must(canonicalJson(shuffled(back, chance)) === canonical, () => canonical);
    if (chance.once(10)) must(payloadHash(shuffled(back, chance)) === payloadHash(back), () => canonical);
    const other = mutated(back, chance);
    const same = JSON.stringify(shuffledNever(other)) === JSON.stringify(shuffledNever(back));
    if (same) return;
    try {
      must(canonicalJson(other) !== canonical, () => `${canonical} for two values`);
    } catch (error) {
      must(error instanceof NotCanonical, () => String(error));
    }
  });

  const ADDRESS_PIECES = [
    'a',
    'anna',
    'bert.',
    '.',
    '@',
    '@',
    '@x.example',
    'x.example',
    'example',
    ',',
    ';',
    ':',
    '<',
    '>',
    '"',
    '(',
    ')',
    '[',
    ']',
    '\\',
    ' ',
    '\t',
    '\r\n',
    '\0',
    '\u202e',
    '\u200b',
    '\ud800',
    '王',
    'é',
    'а',
    'ß',
    '１',
    '-',
    '_',
    '+',
    '%0a',
    'xn--',
    '127.0.0.1',
    'b'.repeat(70),
  ];
  fuzz('as an address is refused, or exactly one mailbox that can stand in a command', (chance) => {
    const spoiled = chance.once(3) ? mutated('anna.mueller+tag@sub.firma.example', chance) : null;
    const text = typeof spoiled === 'string' ? spoiled : chance.text(ADDRESS_PIECES, 7);
    const parsed = parseAddress(text);
    const shown = () => JSON.stringify(text);
    must(AddressText.safeParse(text).success === parsed.ok, shown);
    if (!parsed.ok) return;
    const { localPart, domain } = parsed.value;
    must(`${localPart}@${domain}` === text && Buffer.byteLength(text) <= 254, shown);
    must(!/[\p{Cc}\p{Cf}\s,;:<>()[\]\\"]/u.test(text) && text.isWellFormed() && domain.includes('.'), shown);
    // The form in which it goes over the wire is an address again, or none that is ever said.
    const ascii = domainToASCII(domain);
    const written = parseAddress(`${localPart}@${ascii}`);
    must(!written.ok || /^[\x21-\x7e]+$/.test(written.value.domain), shown);
  });

  const SECRETS = ['anna.mueller@firma.example', '王小明@例子.中国', 'Zk3v9QpLr8XwYb2NnT5uJc7HdGfEaSs1'];
  const AROUND = [
    '',
    ' ',
    '550 5.1.1 ',
    '<',
    '>',
    '"',
    'to:',
    ', ',
    '; ',
    '(',
    ')',
    'password=',
    'Bearer ',
    '\r\n',
    'x'.repeat(150),
    '王',
    '…',
    '=',
  ];
  fuzz(
    'in the log holds no address and no token, wherever it stands and however long it is',
    (chance) => {
      const secret = chance.pick(SECRETS);
      const before = chance.text(AROUND, 4);
      const text = `${before} ${secret} ${chance.text(AROUND, 4)}`;
      const written = redactText(text);
      const shown = () => JSON.stringify([text, written]);
      must(!written.includes(secret) && !/[@＠]/.test(written), shown);
      must(written.length <= 300 && !/[\p{Cc}\p{Cf}]/u.test(written) && written.isWellFormed(), shown);
      const name = chance.pick([
        'password',
        'Authorization',
        'smtpPassword',
        'token',
        'to',
        'subject',
        'api_key',
        'reply',
        'why',
      ]);
      must(!JSON.stringify(redactFields({ [name]: text, [text]: 1 })).includes(secret), shown);
    },
    30_000,
  );
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, item) => sum + membersOf(item), own);
}
/** Names in one fixed order, so that equal values are equal texts. */
function shuffledNever(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : shuffledNever(item)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, shuffledNever(item)]));
}
