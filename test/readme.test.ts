import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/main/headless/exit-codes.ts';

const ENGLISH = await readFile('README.md', 'utf8');
const CHINESE = await readFile('README.zh-CN.md', 'utf8');

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '').toSorted();
/** Commands in the order of the page; what is said about them is in its language. */
const commands = (text: string): string[] => all(text, /^((?:npm|openssl) [^\n#]*)/gm).map((line) => line.trim());
const pages = (text: string): string[] => all(text, /\]\(((?!README)[^)]+)\)/g);
const named = (text: string): string[] => [...new Set(all(text, /`([^`\n]+)`/g))].toSorted();

describe('the README', () => {
  it('names the same commands, options, files and pages in both languages', () => {
    expect(commands(CHINESE)).toEqual(commands(ENGLISH));
    expect(pages(CHINESE)).toEqual(pages(ENGLISH));
    expect(named(CHINESE)).toEqual(named(ENGLISH));
  });

  it.each([
    ['English', ENGLISH],
    ['Chinese', CHINESE],
  ])('names every exit code in %s', (_language, text) => {
    const listed = all(text, /^\| (\d+) +\|/gm).map(Number);

    expect(listed.toSorted((a, b) => a - b)).toEqual(Object.values(EXIT).toSorted((a, b) => a - b));
  });
});
