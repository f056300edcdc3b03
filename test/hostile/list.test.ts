import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptMail } from '../../src/main/core/accept-mail.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { HOSTILE_ROWS } from './hostile-list.ts';
import { ownTests } from './own-tests.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const SOURCES = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file));

describe('the list of hostile inputs', () => {
  it('has the rows HI-001 to HI-101 in their order, each once', () => {
    const ids = Array.from({ length: 101 }, (_, index) => `HI-${String(index + 1).padStart(3, '0')}`);

    expect(HOSTILE_ROWS.map(({ id }) => id)).toEqual(ids);
  });

  it('leaves no row without a test of its own, a test elsewhere, or the part it waits for', () => {
    const own = ownTests();
    const bare = HOSTILE_ROWS.filter((row) => !own.has(row.id) && !row.coveredBy && !row.awaits);

    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});

describe('a row that is asserted elsewhere', () => {
  for (const { id, input, answer, coveredBy } of HOSTILE_ROWS.filter((row) => row.coveredBy !== undefined)) {
    it(`${id} ${input}: ${answer} (the named tests stand where the list says)`, () => {
      for (const { file, title } of coveredBy ?? []) {
        const text = read(file);
        expect(text.includes(title), `${file} has no test "${title}"`).toBe(true);
        expect(text, `${file} leaves tests out`).not.toMatch(/\b(it|test|describe)\.(skip|todo|only|runIf|skipIf)\b/);
      }
    });
  }
});

describe('a row that waits for a part', () => {
  for (const { id, input, answer, awaits } of HOSTILE_ROWS) {
    if (awaits === undefined) continue;
    it(`${id} ${input}: ${answer} (open until there is ${awaits.module})`, () => {
      const next = `${id} can be tested now: write its test, and take "awaits" out of the list`;
      expect(existsSync(path.join(ROOT, awaits.module)), next).toBe(false);
      const found = SOURCES.filter((file) =>
        awaits.signs.some((sign) => file.includes(sign) || read(file).includes(sign)),
      );
      expect(found, next).toEqual([]);
    });
  }

  it('HI-048 is open: a leftover of a template is sent like any other text', () => {
    const payload = {
      from: { address: 'anna@example.com' },
      to: { address: 'bert@example.net' },
      subject: 'Hello {{first_name}}',
      text: 'Dear %%NAME%%',
    };
    const head = { user_id: 'anna', payload, payload_hash: payloadHash(payload) };
    const context = {
      userId: 'anna',
      fromAddresses: ['anna@example.com'],
      cloudOrigin: 'https://c.example',
      language: 'en',
    } as const;

    expect(acceptMail(head, context).ok).toBe(true);
  });
});
