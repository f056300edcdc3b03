import { domainToASCII } from 'node:url';
import { describe, expect } from 'vitest';
import { acceptMail } from '../../src/main/core/accept-mail.ts';
import { mailRow } from '../../src/main/window-host/mail-views.ts';
import { AddressText, parseAddress } from '../../src/shared/wire/address.ts';
import { Payload } from '../../src/shared/wire/payload.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { message, sendOne } from '../adapters/smtp/mailer-harness.ts';
import { composeMail } from './compose-mail.ts';
import { hostile } from './hostile-test.ts';

const MAIL = {
  from: { address: 'anna@example.com' },
  to: { address: 'bert@example.net' },
  subject: 'An offer',
  text: 'Hello',
};
const complaint = (address: string): string => AddressText.safeParse(address).error?.issues[0]?.message ?? '';
const isAccepted = (payload: unknown): boolean => {
  const head = { user_id: 'anna', payload, payload_hash: payloadHash(payload) };
  const context = {
    userId: 'anna',
    fromAddresses: ['anna@example.com'],
    cloudOrigin: 'https://c.example',
    language: 'en',
  } as const;
  return acceptMail(head, context).ok;
};
const toIs = (to: unknown): boolean => isAccepted({ ...MAIL, to });

/** The contract refuses it, and so does the mailer if it ever came that far: no connection is opened. */
async function refusedEverywhere(address: string): Promise<void> {
  expect(parseAddress(address).ok, JSON.stringify(address)).toBe(false);
  expect(toIs({ address }), JSON.stringify(address)).toBe(false);
  for (const envelope of [{ to: address }, { from: address }]) {
    const { submission, peer } = await sendOne({}, {}, { message: message(undefined, envelope) });
    expect(submission, JSON.stringify(address)).toMatchObject({ kind: 'broken', stage: 'prepare' });
    expect([peer.connectionCount, peer.recipients.length]).toEqual([0, 0]);
  }
}

describe('addresses', () => {
  hostile('HI-028', async () => {
    await refusedEverywhere('a@x.example\r\nRCPT TO:<evil@y.example>');
    await refusedEverywhere('a@x.example>\r\nRCPT TO:<evil@y.example');
    await refusedEverywhere('a@x.example\nBcc: evil@y.example');
  });

  hostile('HI-029', async () => {
    await refusedEverywhere('a@x.example,evil@y.example');
    await refusedEverywhere('a@x.example; b@y.example');
    await refusedEverywhere('a@x.example b@y.example');
  });

  hostile('HI-030', async () => {
    for (const control of ['\0', '\t', '\u0007', '\u007f', '\u0085', '\u001b']) {
      await refusedEverywhere(`a${control}b@x.example`);
    }
  });

  hostile('HI-031', () => {
    for (const address of ['a\r\nb@x.example', 'a,b@x.example', '"a,b"@x.example', 'a@x.example,b@y.example']) {
      expect(toIs({ name: 'Bert', address })).toBe(false);
      expect(isAccepted({ ...MAIL, reply_to: { address } })).toBe(false);
      expect(isAccepted({ ...MAIL, list_unsubscribe: { mailto: address } })).toBe(false);
    }
  });

  hostile('HI-032', () => {
    for (const [address, scripts] of [
      ['info@\u0430pple.example', 'Cyrillic, Latin'],
      ['\u0430nna@x.example', 'Cyrillic, Latin'],
      ['anna@g\u03bfogle.example', 'Latin, Greek'],
      ['anna@\u0585range.example', 'Armenian, Latin'],
    ] as const) {
      expect(complaint(address)).toContain(scripts);
      expect(toIs({ address })).toBe(false);
    }
    for (const address of [
      'иван@почта.рф',
      '王小明@例子.中国',
      'sales@café.example',
      '株式会社abc@例え.jp',
      'ivan.петров@x.example',
    ]) {
      expect(complaint(address), address).toBe('');
    }
  });

  hostile('HI-033', async () => {
    const { envelope } = await composeMail({ ...MAIL, to: { address: 'bert@straße.example' } });
    // Non-transitional: the letter stays itself and does not become "ss".
    expect(envelope.to).toBe('bert@xn--strae-oqa.example');
    expect(domainToASCII('straße.example')).toBe('xn--strae-oqa.example');
    for (const domain of ['xn--é.example', '１２７.０.０.１', 'a\u200d.example']) {
      const built = await composeMail({ ...MAIL, to: { address: `bert@${domain}` } }).catch(() => 'refused');
      expect(built, domain).toBe('refused');
    }
  });

  hostile('HI-035', () => {
    const long = `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}`;
    for (const address of [
      '"a b"@x.example',
      'a(note)@x.example',
      '@relay.example:a@x.example',
      'b@[127.0.0.1]',
      'b@[IPv6:::1]',
      'b@127.0.0.1',
      'b@localhost',
      'b@x.example.',
      'b@.example',
      'b..c@x.example',
      long,
    ]) {
      expect(toIs({ address }), address).toBe(false);
    }
    const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.de`;
    expect([Buffer.byteLength(longest), toIs({ address: longest })]).toEqual([254, true]);
    expect(toIs({ address: longest.replace('.de', '.net') })).toBe(false);
  });

  hostile('HI-036', async () => {
    const marks = ['\u202e', '\u2066', '\u200b', '\u200f', '\ufeff', '\u2060'];
    for (const mark of marks) {
      expect(toIs({ address: `a${mark}b@x.example` }), JSON.stringify(mark)).toBe(false);
      const payload = { ...MAIL, to: { name: `Be${mark}rt`, address: 'bert@example.net' }, subject: `An${mark} offer` };
      const { bytes } = await composeMail(payload);
      expect(bytes.toString('latin1')).toContain('To: Bert <bert@example.net>');
      const mail = { id: '1', idempotencyKey: 'email-recipient-1', payloadHash: payloadHash(payload), payload };
      const rest = {
        taskId: 't',
        taskName: `Spr${mark}ing`,
        notBeforeMs: null,
        notAfterMs: null,
        claimedAtMs: 0,
        changedAtMs: 0,
      };
      const row = mailRow({ ...mail, ...rest, state: { kind: 'sent', attempt: 1 } });
      expect([row.toName, row.subject, row.taskName]).toEqual(['Bert', 'An offer', 'Spring']);
    }
  });

  hostile('HI-037', async () => {
    const many = Array.from({ length: 300 }, (_, n) => ({ address: `b${n}@example.net` }));
    expect(toIs(many)).toBe(false);
    expect(toIs({ address: many.map(({ address }) => address).join(', ') })).toBe(false);

    const built = await composeMail({ ...MAIL, cc: many, bcc: many });
    const { peer } = await sendOne({}, {}, { message: built });
    expect(peer.recipients).toEqual(['RCPT TO:<bert@example.net>']);
    expect(peer.messages[0]?.data).not.toMatch(/b\d+@example\.net/);
  });

  hostile('HI-039', () => {
    const names = ['a\r\nBcc: b@y.example', 'a\nb', 'x'.repeat(10_000), 'CEO <ceo@x.example>', 'ceo@x.example', 'a\0b'];
    for (const name of names) {
      for (const part of ['from', 'to', 'reply_to'] as const) {
        const mail = { ...MAIL, reply_to: { address: 'c@example.com' } };
        expect(Payload.safeParse({ ...mail, [part]: { ...mail[part], name } }).success, name.slice(0, 40)).toBe(false);
      }
    }
    expect(toIs({ name: 'x'.repeat(256), address: 'bert@example.net' })).toBe(true);
  });
});
