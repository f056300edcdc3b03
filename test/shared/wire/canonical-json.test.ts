import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canonicalJson, NotCanonical } from '../../../src/shared/wire/canonical-json.ts';
import { payloadHash } from '../../../src/shared/wire/payload-hash.ts';

const { vectors } = z
  .object({
    vectors: z.array(z.object({ name: z.string(), json: z.string(), canonical: z.string(), hash: z.string() })).min(10),
  })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../../vectors/payload-hash.json'), 'utf8')));

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

describe('the shared vectors of the payload hash', () => {
  it.each(vectors)('hold for $name', ({ json, canonical, hash }) => {
    const value: unknown = JSON.parse(json);

    expect(canonicalJson(value)).toBe(canonical);
    expect(payloadHash(value)).toBe(hash);
  });
});

describe('canonicalJson', () => {
  it('is JSON for the same value, and canonical already', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('does not depend on the order in which keys were written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('leaves out what JSON leaves out of an object', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    ['/a/0/b', { a: [{ b: '\ud83d' }] }],
    ['/a', { a: Number.NaN }],
    ['/a', { a: Number.NEGATIVE_INFINITY }],
    ['/0', [undefined]],
    ['', 10n],
    ['/when', { when: new Date(0) }],
    ['/map', { map: new Map() }],
    ['/f', { f: () => 1 }],
  ])('names the place %s of a value that has no form', (place, value) => {
    const write = () => canonicalJson(value);

    expect(write).toThrow(NotCanonical);
    expect(write).toThrow(expect.objectContaining({ path: place }));
  });

  it('takes no half of a surrogate pair as a key either', () => {
    expect(() => canonicalJson({ '\udc00': 1 })).toThrow(NotCanonical);
  });
});
