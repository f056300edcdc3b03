import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/shared/texts/language.ts';
import { clockTime, timeAgo } from '../../../src/shared/texts/window-texts/time-texts.ts';
import { windowTexts } from '../../../src/shared/texts/window-texts/window-texts.ts';

/** Every text of a language, those with facts filled in by numbers and words. */
function allTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [String(value(2, 3, 4)), String(value('x', 'y', 'z'))];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allTexts) : [];
}

describe.each(LANGUAGES)('the texts of the window in %s', (language) => {
  const texts = allTexts(windowTexts(language));

  it('never call an accepted mail delivered', () => {
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter((text) => /deliver|送达|投递成功/i.test(text))).toEqual([]);
  });

  it('do not shout and leave no fact unnamed', () => {
    expect(texts.filter((text) => /[!！]|undefined|\[object/.test(text))).toEqual([]);
  });

  it('use the marks of the language', () => {
    const foreign = language === 'en' ? /[\u3000-\u9fff\uff00-\uffef]/ : /[a-z]{3},? [a-z]{3}/;
    const allowed = /中文（简体）/;

    expect(texts.filter((text) => foreign.test(text) && !allowed.test(text))).toEqual([]);
  });
});

describe('instants in words', () => {
  const now = new Date(2026, 10, 20, 14, 0).getTime();

  it.each([
    ['en', 1000, 'just now'],
    ['en', 3 * 60_000, '3 min ago'],
    ['en', 5 * 3_600_000, '5 hr ago'],
    ['zh-CN', 3 * 60_000, '3分钟前'],
    ['en', -60_000, 'just now'],
  ] as const)('says in %s how long ago %d ms are', (language, agoMs, words) => {
    expect(timeAgo(language, now - agoMs, now)).toBe(words);
  });

  it('says the date of what is older than a day', () => {
    expect(timeAgo('en', now - 3 * 86_400_000, now)).toContain('Nov 17, 2026');
  });

  it('says the day of an instant that is not today', () => {
    expect(clockTime('en', now + 32 * 60_000, now)).toBe('14:32');
    expect(clockTime('en', now + 86_400_000, now)).toBe('Saturday 14:00');
    expect(clockTime('zh-CN', now + 9 * 86_400_000, now)).toContain('11月29日');
  });
});
