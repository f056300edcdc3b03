import type { Chance } from './chance.ts';

/** Values that careless code takes for something else. */
const ODD: readonly unknown[] = [
  null,
  undefined,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  ' ',
  '0',
  'true',
  'null',
  '\0',
  '\r\n',
  '\ud800',
  '__proto__',
  '..',
  '{}',
  '2026-02-30T00:00:00Z',
  'x'.repeat(300),
  'x'.repeat(1_100),
  '王'.repeat(100),
  [],
  {},
  [[]],
  [null],
  { length: 1 },
];
const NAMES = ['stranger', '__proto__', 'constructor', 'toString', 'id', 'path', 'raw', 'headers', '', 'to', 'Bcc'];
const PIECES = [
  '\r\n',
  '\n',
  '\0',
  '@',
  ',',
  ';',
  '<',
  '>',
  '"',
  '\u202e',
  '\u200b',
  '\ud800',
  '王',
  'x',
  '.',
  ' ',
  '%0a',
  'а',
];

/** Something odd: a bad value, or a text out of bad pieces. */
const oddValue = (chance: Chance): unknown => (chance.once(4) ? chance.text(PIECES, 8) : chance.pick(ODD));

function spoiledText(text: string, chance: Chance): string {
  const at = chance.int(text.length + 1);
  switch (chance.int(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text + text;
    case 2:
      return text.slice(0, at) + chance.pick(PIECES) + text.slice(at);
    default:
      return text.toUpperCase();
  }
}

function setOwn(record: Record<string, unknown>, name: string, value: unknown): void {
  // Assignment would reach the prototype.
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

function spoiled(value: unknown, chance: Chance, depth: number): unknown {
  if (chance.once(5)) return oddValue(chance);
  if (typeof value === 'string') return chance.once(2) ? spoiledText(value, chance) : oddValue(chance);
  if (typeof value === 'number') return chance.pick([value + 1, -value, value * 1e6, String(value), value + 0.5]);
  if (Array.isArray(value)) {
    const list: unknown[] = [...value];
    if (list.length === 0 || chance.once(4)) return [...list, oddValue(chance)];
    if (chance.once(6)) return [...list, ...list, ...list];
    const at = chance.int(list.length);
    return list.with(at, spoiled(list[at], chance, depth + 1));
  }
  if (typeof value !== 'object' || value === null) return oddValue(chance);
  const record: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) setOwn(record, name, item);
  const names = Object.keys(record);
  const name = names.length === 0 ? 'stranger' : chance.pick(names);
  switch (chance.int(6)) {
    case 0:
      delete record[name];
      return record;
    case 1:
      setOwn(record, chance.pick(NAMES), oddValue(chance));
      return record;
    default:
      setOwn(record, name, spoiled(record[name], chance, depth + 1));
      return record;
  }
}

/** The example with up to three things wrong in it, none of them sometimes. The example itself stays as it is. */
export function mutated(example: unknown, chance: Chance): unknown {
  let value = example;
  for (let left = chance.int(4); left > 0; left -= 1) value = spoiled(value, chance, 0);
  return value;
}

/** Whether every value inside `part` stands in `whole` at the same place: nothing was converted, nothing came up. */
export function isPartOf(part: unknown, whole: unknown): boolean {
  if (Object.is(part, whole)) return true;
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.length === whole.length && part.every((item, at) => isPartOf(item, whole[at]));
  }
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([name, item]) => isPartOf(item, Reflect.get(whole, name)));
}
