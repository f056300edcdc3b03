import { describe, expect, it } from 'vitest';
import { redactFields, redactText } from '../../../src/main/adapters/log/redact.ts';

describe('redaction of texts', () => {
  it.each([
    ['550 5.1.1 <zhang.san@example.com> user unknown', 'zhang.san'],
    ['550 "zhang san"@example.com unknown', 'zhang san'],
    ['rejected 张三@例子.公司 today', '张三'],
    ['rejected zhang＠example.com', 'zhang'],
    ['see https://x.example/?rcpt=zhang%40example.com&x=1', 'zhang'],
    ['to=zhang+tag@sub.example.co.uk, relay', 'zhang'],
    ['mailto:zhang@example.com', 'zhang@'],
    ['{"to":{"address":"zhang@example.com"}}', 'zhang'],
    ['Authorization: Bearer abc.def-ghi', 'abc.def'],
    ['authorization: "Basic dXNlcjpwYXNz"', 'dXNlcjpwYXNz'],
    ['AUTH PLAIN AHVzZXIAaHVudGVyMg==', 'AHVzZXIA'],
    ['password=hunter2 was refused', 'hunter2'],
    ['{"smtp_password": "hunter2 and more"}', 'hunter2'],
    ['{"smtp_password": "hunter2 and more"}', 'and more'],
    ["the password is 'hunter2'", 'hunter2'],
    ['agent-token: s3cr3t', 's3cr3t'],
    ['unknown token mat_Zk3v9QpLr8XwYb2NnT5uJc7HdGfEaSs1', 'Zk3v9QpLr8'],
  ])('takes the private part out of %s', (text, secret) => {
    expect(redactText(text)).not.toContain(secret);
  });

  it.each([
    'email-recipient-0b2f1c9e-5a7d-4a31-9f2b-1c2d3e4f5a6b',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '0b2f1c9e-5a7d-4a31-9f2b-1c2d3e4f5a6b',
    '421 4.7.0 try again later',
    'smtp.qq.com:465',
  ])('leaves what support needs: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('cuts at 300 characters, and never lets the cut halve an address', () => {
    const addresses = Array.from({ length: 400 }, (_, n) => `person${n}@example.com`).join(' ');

    const text = redactText(addresses);

    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).not.toContain('person');
    expect(redactText(`${'word '.repeat(799)}verylongname@example.com`)).not.toContain('verylong');
  });

  it('keeps no half of a character at the cut', () => {
    expect(redactText(`${'x'.repeat(298)}😀😀`).isWellFormed()).toBe(true);
  });

  it('spells controls and invisible characters out', () => {
    expect(redactText('a\r\nb\u202Ec\u0007\uD800')).toBe('a\\u{d}\\u{a}b\\u{202e}c\\u{7}\\u{d800}');
  });
});

describe('redaction of fields', () => {
  it('hides a value by the name of its field, however it is written', () => {
    const names = [
      'password',
      'smtpPassword',
      'AGENT_TOKEN',
      'authorization',
      'Body',
      'subject',
      'to',
      'from',
      'reply_to',
      'nonce',
    ];

    const redacted = redactFields(Object.fromEntries(names.map((name) => [name, 'harmless'])));

    expect(Object.values(redacted)).toEqual(names.map(() => '[redacted]'));
  });

  it('keeps numbers, booleans and nulls', () => {
    expect(redactFields({ count: 3, idle: true, why: null })).toEqual({ count: 3, idle: true, why: null });
  });

  it('hides an address used as a name, and keeps at most 40 fields', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, n]));

    expect(Object.keys(redactFields({ 'zhang@example.com': 1 }))).toEqual(['[redacted]']);
    expect(Object.keys(redactFields(many))).toHaveLength(40);
  });
});
