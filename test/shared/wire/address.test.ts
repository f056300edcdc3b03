import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressText, needsSmtpUtf8, parseAddress } from '../../../src/shared/wire/address.ts';

describe('parseAddress', () => {
  it.each([
    'a@x.example',
    'anna.mueller+tag@firma.example',
    "o'neil_{x}!#$%&*/=?^`|~-@sub.domain.example",
    '王小明@例子.中国',
    'josé@münchen.example',
    'a@xn--mnchen-3ya.example',
    `${'a'.repeat(64)}@x.example`,
    `a@${'b'.repeat(63)}.example`,
  ])('takes %s', (text) => {
    const parsed = parseAddress(text);

    expect(parsed.ok && `${parsed.value.localPart}@${parsed.value.domain}`).toBe(text);
  });

  it.each([
    ['empty', ''],
    ['control-or-invisible-character', 'a@x.example\r\nRCPT TO:<evil@y.example>'],
    ['control-or-invisible-character', 'a\0@x.example'],
    ['control-or-invisible-character', 'a\u007f@x.example'],
    ['control-or-invisible-character', 'a\u202e@x.example'],
    ['control-or-invisible-character', 'a\u200b@x.example'],
    ['control-or-invisible-character', 'a@x\u2028.example'],
    ['control-or-invisible-character', 'a\ud800@x.example'],
    ['control-or-invisible-character', '\ufeffa@x.example'],
    ['too-long', `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example-example`],
    ['not-one-mailbox', 'a@x.example,evil@y.example'],
    ['not-one-mailbox', 'a@x.example; b@y.example'],
    ['not-one-mailbox', 'a@x@y.example'],
    ['not-one-mailbox', 'Anna <a@x.example>'],
    ['not-one-mailbox', '"a b"@x.example'],
    ['not-one-mailbox', 'a(comment)@x.example'],
    ['not-one-mailbox', '@relay.example:a@x.example'],
    ['not-one-mailbox', 'team: a@x.example;'],
    ['not-one-mailbox', 'a@[127.0.0.1]'],
    ['not-one-mailbox', 'a@x.example '],
    ['not-one-mailbox', 'a\\b@x.example'],
    ['not-one-mailbox', 'nobody'],
    ['bad-local-part', '@x.example'],
    ['bad-local-part', '.a@x.example'],
    ['bad-local-part', 'a.@x.example'],
    ['bad-local-part', 'a..b@x.example'],
    ['bad-local-part', `${'a'.repeat(65)}@x.example`],
    ['bad-local-part', `${'é'.repeat(33)}@x.example`],
    ['bad-domain', 'a@'],
    ['bad-domain', 'a@localhost'],
    ['bad-domain', 'a@x.example.'],
    ['bad-domain', 'a@.example'],
    ['bad-domain', 'a@-x.example'],
    ['bad-domain', 'a@x-.example'],
    ['bad-domain', 'a@x_y.example'],
    ['bad-domain', 'a@127.0.0.1'],
    ['bad-domain', `a@${'b'.repeat(64)}.example`],
    ['mixed-scripts', 'info@аpple.example'],
    ['mixed-scripts', 'аnna@x.example'],
    ['mixed-scripts', 'sales@gοοgle.example'],
  ])('says %s to %j', (problem, text) => {
    expect(parseAddress(text)).toEqual({ ok: false, error: problem });
  });

  it('never takes a text that could end a line or begin a second address', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'a.@,;:<>"()[]\\ \r\n\0\t\u202eé') });
    fc.assert(
      fc.property(hostile, (text) => {
        if (!parseAddress(text).ok) return;
        expect(text).not.toMatch(/[\s,;:<>()[\]\\"\0\u202e]/u);
        expect(text.split('@')).toHaveLength(2);
      }),
      { numRuns: 5000 },
    );
  });

  it('gives the schema the reason in words', () => {
    const parsed = AddressText.safeParse('a@x.example,b@y.example');

    expect(parsed.error?.issues[0]?.message).toContain('not exactly one mailbox');
  });
});

describe('needsSmtpUtf8', () => {
  it('looks at the local part alone, since a domain has an ASCII form', () => {
    expect(needsSmtpUtf8({ localPart: 'josé', domain: 'x.example' })).toBe(true);
    expect(needsSmtpUtf8({ localPart: 'jose', domain: 'münchen.example' })).toBe(false);
  });
});
