import { describe, expect } from 'vitest';
import { messageIdOf } from '../../src/main/core/message-id.ts';
import { BODY_MAX_CHARS, Payload } from '../../src/shared/wire/payload.ts';
import { mailerFor, send } from '../adapters/smtp/mailer-harness.ts';
import { ScriptedSmtp } from '../support/scripted-smtp.ts';
import { composeMail, headerNames } from './compose-mail.ts';
import { hostile } from './hostile-test.ts';

const MAIL = {
  from: { address: 'anna@example.com' },
  to: { address: 'bert@example.net' },
  subject: 'An offer',
  text: 'Hello',
};
const isAccepted = (over: Record<string, unknown>): boolean => Payload.safeParse({ ...MAIL, ...over }).success;
/** Exactly what an honest mail has, whatever else the payload carries. */
const HEADERS = [
  'from',
  'to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
];

/** A stream of numbers that is the same for the same seed. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

describe('the content of a mail', () => {
  hostile('HI-040', () => {
    for (const control of ['\r\n', '\n', '\r', '\0', '\u0007', '\u007f', '\u2028', '\u0085']) {
      const text = `An offer${control}Bcc: evil@y.example`;
      expect(isAccepted({ subject: text }), JSON.stringify(control)).toBe(false);
      expect(isAccepted({ in_reply_to: `<a${control}@x.example>` })).toBe(false);
      expect(isAccepted({ references: ['<a@x.example>', `<b${control}@x.example>`] })).toBe(false);
      expect(isAccepted({ list_unsubscribe: { mailto: `a${control}@x.example` } })).toBe(false);
    }
  });

  hostile('HI-041', async () => {
    const hostileHeaders = {
      Bcc: 'evil@y.example',
      To: 'evil@y.example',
      From: 'boss@y.example',
      'DKIM-Signature': 'v=1',
      Received: 'from nowhere',
      'X-Evil: a\r\nBcc': 'evil@y.example',
    };
    const { bytes, envelope } = await composeMail({
      ...MAIL,
      ...hostileHeaders,
      bcc: 'evil@y.example',
      headers: hostileHeaders,
    });

    expect(headerNames(bytes).sort()).toEqual([...HEADERS].sort());
    expect(bytes.toString('latin1')).not.toContain('evil');
    expect(envelope).toEqual({ from: 'anna@example.com', to: 'bert@example.net', needsSmtpUtf8: false });
  });

  hostile('HI-042', async () => {
    const given = { message_id: '<evil@y.example>', messageId: '<evil@y.example>', 'Message-ID': '<evil@y.example>' };
    const { messageId, bytes } = await composeMail({ ...MAIL, ...given });

    expect(messageId).toBe('<email-recipient-1.0123456789abcdef@example.com>');
    expect(bytes.toString('latin1')).not.toContain('evil');
    const made = (key: string) =>
      messageIdOf({ idempotencyKey: key, payloadHash: `sha256:${'ab'.repeat(32)}`, fromDomain: 'example.com' });
    expect(made('email-recipient-7')).toBe('<email-recipient-7.abababababababab@example.com>');
    expect(made('email-recipient-8')).not.toBe(made('email-recipient-7'));
  });

  hostile('HI-043', () => {
    expect(isAccepted({ subject: 'x'.repeat(255) })).toBe(true);
    for (const subject of ['x'.repeat(256), 'x'.repeat(100_000), 'half \ud83d', '\udc00 half']) {
      expect(isAccepted({ subject }), subject.slice(0, 20)).toBe(false);
    }
  });

  hostile('HI-044', async () => {
    const peer = await ScriptedSmtp.start();
    const mailer = mailerFor(peer);
    const pieces = [
      '\n',
      '\r',
      '\r\n',
      '\n.\n',
      '\r.\r',
      '\r\n.\r\n',
      '.',
      '..',
      'x',
      ' ',
      '\t',
      'QUIT',
      'From ',
      '王',
      'é',
    ];
    const seed = 4_711;
    const next = numbers(seed);
    try {
      for (let round = 1; round <= 400; round += 1) {
        const length = 1 + ((next.next().value >>> 8) % 200);
        const body = Array.from({ length }, () => pieces[(next.next().value >>> 8) % pieces.length]).join('');
        const composed = await composeMail({ ...MAIL, text: `x${body}`, html: `x${body}` });
        const { submission } = await send(mailer, { message: composed });
        expect(submission.kind, `round ${round} of seed ${seed}`).toBe('accepted');
        expect(peer.messages.length, `round ${round} of seed ${seed}`).toBe(round);
        const data = peer.messages.at(-1)?.data ?? '';
        expect(data.replaceAll('\r\n', ''), `round ${round} of seed ${seed}`).not.toMatch(/[\r\n\0\x80-\xff]/);
      }
      expect(peer.recipients.length).toBe(400);
      expect(new Set(peer.commands.map((line) => line.split(/[ :]/)[0]))).toEqual(
        new Set(['EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA']),
      );
    } finally {
      await mailer.close();
      await peer.close();
    }
  });

  hostile('HI-046', async () => {
    expect(isAccepted({ html: 'x'.repeat(BODY_MAX_CHARS + 1) })).toBe(false);
    expect(isAccepted({ html: '<b>'.repeat(17_000_000) })).toBe(false);
    const nested = `${'<b>'.repeat(BODY_MAX_CHARS / 3 - 1)}x`;
    const { bytes } = await composeMail({ ...MAIL, text: null, html: nested });
    const [, html = ''] = bytes.toString('latin1').split('Content-Type: text/html');
    expect(html.replaceAll('=\r\n', '').includes(nested)).toBe(true);
  });

  hostile('HI-047', () => {
    const empty = [null, undefined, '', ' ', '\r\n\t', '\u00a0'];
    for (const text of empty) for (const html of empty) expect(isAccepted({ text, html })).toBe(false);
    expect(isAccepted({ text: null, html: '<p>Hello</p>' })).toBe(true);
  });

  hostile('HI-050', async () => {
    const options = {
      raw: 'From: boss@y.example\r\n\r\nraw',
      path: '/etc/hostname',
      href: 'http://127.0.0.1:1/',
      envelope: { from: 'boss@y.example', to: ['evil@y.example'] },
      dsn: { notify: 'success', recipient: 'evil@y.example' },
      list: { help: 'evil@y.example' },
      icalEvent: { path: '/etc/hostname' },
      headers: { Bcc: 'evil@y.example' },
      alternatives: [{ path: '/etc/hostname' }],
      sender: 'boss@y.example',
      attachDataUrls: true,
    };
    const plain = await composeMail(MAIL);
    const loaded = await composeMail({
      ...options,
      ...MAIL,
      from: { ...options, ...MAIL.from },
      to: { ...options, ...MAIL.to },
    });

    expect(loaded.bytes.equals(plain.bytes)).toBe(true);
    expect(loaded.envelope).toEqual(plain.envelope);
    expect(isAccepted({ text: { path: '/etc/hostname' } })).toBe(false);
    expect(isAccepted({ html: { href: 'http://127.0.0.1:1/' } })).toBe(false);
    const image = await composeMail({
      ...MAIL,
      html: '<img src="file:///etc/hostname"><img src="data:image/png;base64,AAAA">',
    });
    expect(headerNames(image.bytes)).toContain('content-type');
    expect(image.bytes.toString('latin1')).not.toContain('multipart/related');
  });
});
