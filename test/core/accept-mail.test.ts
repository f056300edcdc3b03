import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AcceptContext, acceptMail, checkInstants } from '../../src/main/core/accept-mail.ts';
import { ERROR_MESSAGE_MAX_CHARS } from '../../src/shared/wire/messages.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';

const CONTEXT: AcceptContext = {
  userId: 'anna',
  fromAddresses: ['anna@firma.example', 'sales@münchen.example'],
  cloudOrigin: 'http://127.0.0.1:8080',
  language: 'en',
};

const PAYLOAD = {
  from: { name: 'Anna', address: 'anna@firma.example' },
  to: { address: 'wang@example.cn' },
  subject: 'Angebot 报价',
  text: 'Guten Tag',
};

const ATTACHMENT = {
  name: 'offer.pdf',
  type: 'application/pdf',
  size: 10,
  sha256: 'a'.repeat(64),
  url: 'https://files.example/offer',
};

const head = (
  payload: unknown,
  { user_id = 'anna', payload_hash }: { user_id?: string; payload_hash?: string } = {},
) => ({
  user_id,
  payload_hash: payload_hash ?? payloadHash(payload),
  payload,
});

function rejected(payload: unknown, more: { user_id?: string; payload_hash?: string } = {}): string {
  const result = acceptMail(head(payload, more), CONTEXT);
  if (result.ok) throw new Error('the mail was accepted');
  expect(result.error).toMatchObject({ stage: 'prepare', class: 'payload', reply: null });
  return result.error.message;
}

describe('acceptMail', () => {
  it('answers the payload of a mail that is as it was approved', () => {
    expect(acceptMail(head(PAYLOAD), CONTEXT)).toEqual({ ok: true, value: { payload: PAYLOAD } });
  });

  it('counts unknown fields in the hash and leaves them out of the mail', () => {
    const newer = { ...PAYLOAD, priority: 'high' };

    expect(acceptMail(head(newer), CONTEXT)).toEqual({ ok: true, value: { payload: PAYLOAD } });
    expect(rejected(newer, { payload_hash: payloadHash(PAYLOAD) })).toContain('changed after it was approved');
  });

  it('refuses the mail of another user', () => {
    expect(rejected(PAYLOAD, { user_id: 'bernd' })).toContain('belongs to another person');
  });

  it('refuses a payload that does not match its hash and names both digests', () => {
    const approved = payloadHash({ ...PAYLOAD, text: 'Hello' });

    const message = rejected(PAYLOAD, { payload_hash: approved });

    expect(message).toContain(approved);
    expect(message).toContain(payloadHash(PAYLOAD));
  });

  it('takes no other algorithm and no other spelling of the digest', () => {
    const right = payloadHash(PAYLOAD);
    for (const hash of [right.toUpperCase(), right.slice(0, -1), right.replace('sha256:', 'sha512:'), right.slice(7)]) {
      expect(acceptMail(head(PAYLOAD, { payload_hash: hash }), CONTEXT).ok).toBe(false);
    }
  });

  it('refuses a payload without a canonical form and names the place', () => {
    const broken = { ...PAYLOAD, subject: '\ud800' };

    expect(rejected(broken, { payload_hash: `sha256:${'0'.repeat(64)}` })).toContain('/subject');
  });

  it.each([
    ['to.address', { ...PAYLOAD, to: { address: 'a@x.example,evil@y.example' } }],
    ['subject', { ...PAYLOAD, subject: 'a\r\nBcc: evil@y.example' }],
    ['text', { ...PAYLOAD, text: ' ' }],
    ['subject', { ...PAYLOAD, subject: null }],
    ['payload', 'a text'],
    ['attachments.0.size', { ...PAYLOAD, attachments: [{ ...ATTACHMENT, size: -1 }] }],
  ])('names the field %s that cannot be used', (path, payload) => {
    expect(rejected(payload)).toMatch(new RegExp(`\\(${path}: .{5,}\\)`));
  });

  it.each(['anna@FIRMA.example', 'sales@xn--mnchen-3ya.example'])(
    'knows %s as an address of the account',
    (address) => {
      expect(acceptMail(head({ ...PAYLOAD, from: { address } }), CONTEXT).ok).toBe(true);
    },
  );

  it.each(['boss@firma.example', 'Anna@firma.example', 'anna@firma.example.evil'])(
    'refuses the sender %s',
    (address) => {
      expect(rejected({ ...PAYLOAD, from: { address } })).toContain(address);
    },
  );

  it.each(['https://files.example/a', 'http://127.0.0.1:8080/files/1'])('takes an attachment from %s', (url) => {
    expect(acceptMail(head({ ...PAYLOAD, attachments: [{ ...ATTACHMENT, url }] }), CONTEXT).ok).toBe(true);
  });

  it.each([
    'http://files.example/a',
    'http://127.0.0.1:8081/files/1',
    'http://localhost:8080/files/1',
    'https://user:secret@files.example/a',
    'https://user@files.example/a',
    'https://:secret@files.example/a',
    'file:///etc/passwd',
    'ftp://files.example/a',
    'data:text/plain,a',
  ])('refuses an attachment from %s', (url) => {
    expect(acceptMail(head({ ...PAYLOAD, attachments: [{ ...ATTACHMENT, url }] }), CONTEXT).ok).toBe(false);
  });

  it('knows the account by its other addresses where one of them is none', () => {
    const fromAddresses = ['nobody', 'anna@firma.example'];

    expect(acceptMail(head(PAYLOAD), { ...CONTEXT, fromAddresses }).ok).toBe(true);
    expect(acceptMail(head(PAYLOAD), { ...CONTEXT, fromAddresses: ['nobody'] }).ok).toBe(false);
  });

  it('cuts a message to what the contract carries', () => {
    const broken = { ['k'.repeat(2 * ERROR_MESSAGE_MAX_CHARS)]: '\ud800' };

    expect(rejected(broken, { payload_hash: 'none' })).toHaveLength(ERROR_MESSAGE_MAX_CHARS);
  });

  it('never throws on JSON, and never says more than the contract carries', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const result = acceptMail(head(payload, { payload_hash: `sha256:${'0'.repeat(64)}` }), CONTEXT);
        expect(result.ok).toBe(false);
        if (!result.ok) expect(result.error.message.length).toBeLessThanOrEqual(ERROR_MESSAGE_MAX_CHARS);
      }),
    );
  });
});

describe('checkInstants', () => {
  const NOW_MS = Date.UTC(2026, 10, 29);
  const check = (notBeforeMs: number | null, notAfterMs: number | null) =>
    checkInstants({ notBeforeMs, notAfterMs }, NOW_MS, 'zh-CN');

  it.each([
    ['now', null, null],
    ['at its last instant', NOW_MS - 1, NOW_MS],
    ['at its only instant', NOW_MS + 5, NOW_MS + 5],
    ['in 400 days', NOW_MS + 400 * 86_400_000, null],
  ])('lets a mail pass that may go %s', (_, notBeforeMs, notAfterMs) => {
    expect(check(notBeforeMs, notAfterMs).ok).toBe(true);
  });

  it('calls a mail expired whose end has passed', () => {
    expect(check(null, NOW_MS - 1)).toMatchObject({ ok: false, error: { stage: 'prepare', class: 'expired' } });
  });

  it('refuses a start ten years ahead and one behind the end', () => {
    for (const result of [check(NOW_MS + 10 * 365 * 86_400_000, null), check(NOW_MS + 2, NOW_MS + 1)]) {
      expect(result).toMatchObject({ ok: false, error: { class: 'payload' } });
    }
  });
});
