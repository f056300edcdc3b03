/** Scripts whose letters are told apart; a letter of any other counts as its own. Source: UAX 24. */
const NAMES = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Thai',
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
] as const;
const SCRIPTS = NAMES.map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }));
const NEUTRAL = /\p{Script=Common}|\p{Script=Inherited}/u;
const OTHER = 'another script';

/** What one word may mix, beside a single script of any kind. Source: UTS 39 5.2, "highly restrictive". */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
];

/**
 * The scripts of a word whose letters no writing system mixes, such as a Cyrillic а in a Latin word: it reads as
 * another word than it is. Null for an ordinary word; digits, hyphens and accents belong to every script.
 */
export function mixedScripts(word: string): readonly string[] | null {
  // Nearly every word.
  if (/^[\x20-\x7e]*$/.test(word)) return null;
  const found = new Set<string>();
  for (const character of word) {
    if (NEUTRAL.test(character)) continue;
    found.add(SCRIPTS.find(({ letter }) => letter.test(character))?.name ?? OTHER);
  }
  const names = [...found];
  if (names.length <= 1 || TOGETHER.some((allowed) => names.every((name) => allowed.has(name)))) return null;
  return names;
}
