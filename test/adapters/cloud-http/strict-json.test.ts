import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../../src/main/adapters/cloud-http/strict-json.ts';

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

describe('strict JSON', () => {
  it('answers what JSON.parse answers for every ordinary value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
        const text = JSON.stringify(value);
        if (FORBIDDEN.some((name) => text.includes(`"${name}":`))) return;
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('answers a refusal and never throws for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ua01 \n') }), (text) => {
        const result = parseStrictJson(text);
        if (result.ok) expect(JSON.parse(text)).toEqual(result.value);
      }),
    );
  });

  it.each(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"x":[{"a":"}\\\\","b":0,"a":"\\""}]}]'])(
    'refuses a name that comes twice in one object: %s',
    (text) => {
      expect(parseStrictJson(text)).toEqual({ ok: false, error: 'duplicate-name' });
    },
  );

  it('takes the same name in different objects', () => {
    expect(parseStrictJson('{"a":{"a":1},"b":{"a":2}}').ok).toBe(true);
  });

  it.each(['{"__proto__":{"polluted":1}}', '{"a":[{"constructor":1}]}', '{"\\u005f_proto__":1}', '{"prototype":null}'])(
    'refuses a name of the prototype machinery: %s',
    (text) => {
      expect(parseStrictJson(text)).toEqual({ ok: false, error: 'forbidden-name' });
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  );

  it('takes such a name as a value', () => {
    expect(parseStrictJson('{"a":"__proto__: constructor"}').ok).toBe(true);
  });

  it('takes 20 levels and refuses 21, or 100,000, before it builds anything', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

    expect(parseStrictJson(nested(20)).ok).toBe(true);
    expect(parseStrictJson(nested(21))).toEqual({ ok: false, error: 'too-deep' });
    expect(parseStrictJson(nested(100_000))).toEqual({ ok: false, error: 'too-deep' });
    expect(parseStrictJson('{"a":'.repeat(100_000))).toEqual({ ok: false, error: 'too-deep' });
  });

  it('refuses a million names or values', () => {
    const names = Array.from({ length: 1_000_000 }, (_, n) => `"${n}":0`).join(',');

    expect(parseStrictJson(`{${names}}`)).toEqual({ ok: false, error: 'too-many-values' });
    expect(parseStrictJson(`[${'0,'.repeat(1_000_000)}0]`)).toEqual({ ok: false, error: 'too-many-values' });
  });

  it.each(['', ' ', '{"a":1', '{"a":"', '"\\"', '{"a":1}}', '{a:1}', '\uFEFF{}', 'NaN', '{"a":1,}', '"a\nb"'])(
    'refuses what is no complete JSON: %j',
    (text) => {
      expect(parseStrictJson(text)).toEqual({ ok: false, error: 'not-json' });
    },
  );
});
