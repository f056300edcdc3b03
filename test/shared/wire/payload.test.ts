import { describe, expect, it } from 'vitest';
import {
  ATTACHMENT_MAX_COUNT,
  ATTACHMENTS_MAX_BYTES,
  BODY_MAX_CHARS,
  Payload,
  StrictPayload,
  SUBJECT_MAX_CHARS,
} from '../../../src/shared/wire/payload.ts';

const MAIL = {
  from: { name: 'Anna Müller', address: 'anna@firma.example' },
  to: { name: '王小明', address: 'wang@example.cn' },
  subject: 'Angebot 报价',
  text: 'Guten Tag\r\n.\r\n',
};
const ATTACHMENT = {
  name: '报价.pdf',
  type: 'application/pdf',
  size: 1024,
  sha256: '0f'.repeat(32),
  url: 'https://files.example/1',
};
const FULL = {
  ...MAIL,
  reply_to: { address: 'sales@firma.example' },
  html: '<p>Guten Tag</p>',
  attachments: [ATTACHMENT],
  in_reply_to: '<1@firma.example>',
  references: ['<0@firma.example>', '<1@firma.example>'],
  list_unsubscribe: { url: 'https://firma.example/u?x=1', mailto: 'u@firma.example', one_click: true },
};

/** The paths the schema complains about. */
const complaints = (schema: typeof Payload, value: unknown): readonly string[] =>
  schema.safeParse(value).error?.issues.map((issue) => issue.path.join('.')) ?? [];

describe('Payload', () => {
  it('takes the least mail and the fullest one', () => {
    expect(Payload.parse(MAIL)).toEqual(MAIL);
    expect(Payload.parse(FULL)).toEqual(FULL);
  });

  it('takes null for every optional part', () => {
    const nulls = { reply_to: null, html: null, attachments: null, in_reply_to: null, references: null };

    expect(Payload.safeParse({ ...MAIL, ...nulls, list_unsubscribe: null }).success).toBe(true);
  });

  it.each([
    ['from', { ...MAIL, from: undefined }],
    ['to', { ...MAIL, to: [MAIL.to, MAIL.to] }],
    ['to', { ...MAIL, to: 'wang@example.cn' }],
    ['to.address', { ...MAIL, to: { address: 'a@x.example,evil@y.example' } }],
    ['to.address', { ...MAIL, to: { address: 'a@x.example\r\nRCPT TO:<evil@y.example>' } }],
    ['to.name', { ...MAIL, to: { name: 'CEO <ceo@x.example>', address: 'a@x.example' } }],
    ['to.name', { ...MAIL, to: { name: 'a\r\nBcc: b@y.example', address: 'a@x.example' } }],
    ['to.name', { ...MAIL, to: { name: 'x'.repeat(257), address: 'a@x.example' } }],
    ['subject', { ...MAIL, subject: 'a\nBcc: b@y.example' }],
    ['subject', { ...MAIL, subject: 'a\0b' }],
    ['subject', { ...MAIL, subject: 'x'.repeat(SUBJECT_MAX_CHARS + 1) }],
    ['subject', { ...MAIL, subject: '\udc00' }],
    ['subject', { ...MAIL, subject: null }],
    ['subject', { ...MAIL, subject: 7 }],
    ['text', { ...MAIL, text: '' }],
    ['text', { ...MAIL, text: ' \n', html: '' }],
    ['text', { ...MAIL, text: 'x'.repeat(BODY_MAX_CHARS + 1) }],
    ['text', { ...MAIL, text: 'a\0' }],
    ['html', { ...MAIL, html: '\ud800' }],
    ['attachments.0.url', { ...MAIL, attachments: [{ ...ATTACHMENT, url: 'file:///etc/hostname' }] }],
    ['attachments.0.url', { ...MAIL, attachments: [{ ...ATTACHMENT, url: 'javascript:alert(1)' }] }],
    ['attachments.0.name', { ...MAIL, attachments: [{ ...ATTACHMENT, name: 'a\r\nb' }] }],
    ['attachments.0.name', { ...MAIL, attachments: [{ ...ATTACHMENT, name: '' }] }],
    ['attachments.0.name', { ...MAIL, attachments: [{ ...ATTACHMENT, name: 'offer.pdf.exe' }] }],
    ['attachments.0.type', { ...MAIL, attachments: [{ ...ATTACHMENT, type: 'text/html; charset=x' }] }],
    ['attachments.0.sha256', { ...MAIL, attachments: [{ ...ATTACHMENT, sha256: 'F'.repeat(64) }] }],
    ['attachments.0.size', { ...MAIL, attachments: [{ ...ATTACHMENT, size: ATTACHMENTS_MAX_BYTES + 1 }] }],
    ['attachments', { ...MAIL, attachments: [1, 2].map(() => ({ ...ATTACHMENT, size: ATTACHMENTS_MAX_BYTES - 1 })) }],
    ['attachments', { ...MAIL, attachments: Array(ATTACHMENT_MAX_COUNT + 1).fill({ ...ATTACHMENT, size: 1 }) }],
    ['in_reply_to', { ...MAIL, in_reply_to: 'no brackets@x' }],
    ['references.0', { ...MAIL, references: ['<a b@x>'] }],
    ['list_unsubscribe.url', { ...MAIL, list_unsubscribe: { url: 'http://firma.example/u' } }],
    ['list_unsubscribe.mailto', { ...MAIL, list_unsubscribe: { mailto: 'a@x.example?subject=y' } }],
  ])('names %s when it cannot be used', (place, value) => {
    expect(complaints(Payload, value)).toContain(place);
  });

  it('ignores what it does not know, at every depth', () => {
    const newer = {
      ...FULL,
      raw: 'x',
      from: { ...FULL.from, path: '/etc' },
      attachments: [{ ...ATTACHMENT, href: 'x' }],
    };

    expect(Payload.parse(newer)).toEqual(FULL);
  });
});

describe('StrictPayload', () => {
  it('takes what Payload takes', () => {
    expect(StrictPayload.parse(FULL)).toEqual(FULL);
  });

  it.each([
    ['at the top', { ...FULL, raw: 'x' }],
    ['in a mailbox', { ...FULL, to: { ...FULL.to, group: [] } }],
    ['in an attachment', { ...FULL, attachments: [{ ...ATTACHMENT, path: '/etc/hostname' }] }],
    ['in the unsubscribe part', { ...FULL, list_unsubscribe: { ...FULL.list_unsubscribe, x: 1 } }],
  ])('refuses an unknown field %s', (_where, value) => {
    expect(StrictPayload.safeParse(value).success).toBe(false);
  });
});
