import { describe, expect, it } from 'vitest';
import { isNameOf, mailIdIn, messageIdOf, otherNameIn } from '../../src/main/core/message-id.ts';

const MAIL = { idempotencyKey: 'email-recipient-7', payloadHash: `sha256:0123456789abcdef${'0'.repeat(48)}` };

describe("a mail's own name", () => {
  it.each([
    ['firm.example', 'firm.example'],
    ['Firm.Example', 'firm.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['[192.0.2.1', '[192.0.2.1'],
  ])('stands at the domain %s as %s', (fromDomain, domain) => {
    expect(messageIdOf({ ...MAIL, fromDomain })).toBe(`<email-recipient-7.0123456789abcdef@${domain}>`);
  });

  it.each([
    ['<email-recipient-7.0123456789abcdef@firm.example>', true],
    ['<email-recipient-7.0123456789abcdef@other.example>', true],
    ['<email-recipient-7.0123456789abcdee@firm.example>', false],
    ['<email-recipient-71.0123456789abcdef@firm.example>', false],
    ['<email-recipient-7.0123456789abcdef', false],
    ['a<email-recipient-7.0123456789abcdef@firm.example>', false],
  ])('%s: %s', (id, is) => {
    expect(isNameOf(id, MAIL)).toBe(is);
  });

  it.each([
    ['<email-recipient-7.0123456789abcdef@firm.example>', '7'],
    ['<email-recipient-a-B-9.0123456789abcdef@firm.example>', 'a-B-9'],
    [`<email-recipient-${'a'.repeat(65)}.0123456789abcdef@firm.example>`, null],
    ['<email-recipient-.0123456789abcdef@firm.example>', null],
    ['<email-recipient-7.0123456789abcde@firm.example>', null],
    ['<email-recipient-7.0123456789abcdeg@firm.example>', null],
    ['a <email-recipient-7.0123456789abcdef@firm.example>', null],
    ['<somebody@firm.example>', null],
  ])('%s names the mail %s', (id, mailId) => {
    expect(mailIdIn(id)).toBe(mailId);
  });
});

describe("the server's name for it", () => {
  it.each([
    ['2.0.0 OK <PH0PR01@namprd.prod.outlook.com> [Hostname=X.outlook.com]', '<PH0PR01@namprd.prod.outlook.com>'],
    ['OK <a@b>', '<a@b>'],
    ['OK queued as <a@b>', null],
    ['BOOK <a@b>', null],
    ['OK <no at>', null],
    ['OK <a@b c>', null],
    ['OK <a@<b>', null],
    ['OK <a b@c>', null],
    ['OK <a@b', null],
    ['OK', null],
  ])('in "%s" is %s', (reply, name) => {
    expect(otherNameIn(reply)).toBe(name);
  });
});
