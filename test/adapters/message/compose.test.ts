import { createHash } from 'node:crypto';
import { simpleParser } from 'mailparser';
import { afterEach, describe, expect, it } from 'vitest';
import type { AttachmentSource } from '../../../src/main/adapters/message/attachments.ts';
import { dateHeader } from '../../../src/main/adapters/message/date-header.ts';
import type { ReadyMail } from '../../../src/main/core/ready-mail.ts';
import { err } from '../../../src/shared/result.ts';
import { Payload } from '../../../src/shared/wire/payload.ts';
import { composeWith, filesFrom as sourceOf } from '../../support/compose.ts';

const MESSAGE_ID = '<email-recipient-17.0123456789abcdef@example.com>';
const BASE = {
  from: { name: '王小明', address: 'wang@example.com' },
  to: { name: '李四', address: 'li@example.org' },
  subject: '关于春季展会的合作',
  text: '您好',
};

const noAttachments: AttachmentSource = {
  fetch: async () => {
    throw new Error('nothing to fetch');
  },
};

function mail(changes: Record<string, unknown> = {}, messageId = MESSAGE_ID): ReadyMail {
  const payload = Payload.parse({ ...BASE, ...changes });
  return { id: '17', messageId, payload, dateMs: Date.UTC(2026, 4, 5, 2, 3, 4) };
}

async function composed(changes: Record<string, unknown> = {}, attachments = noAttachments) {
  const result = await composeWith(attachments, mail(changes));
  if (!result.ok) throw new Error(result.error.failure.message);
  return result.value;
}

async function refusal(changes: Record<string, unknown>, messageId = MESSAGE_ID) {
  const result = await composeWith(noAttachments, mail(changes, messageId));
  return result.ok ? 'composed' : result.error;
}

const headerBlock = (bytes: Buffer): string => bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
const headerNames = (bytes: Buffer): string[] =>
  headerBlock(bytes)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
    .sort();

const filesFrom = (files: Record<string, Buffer>): AttachmentSource =>
  sourceOf(({ url }) => files[url] ?? Buffer.alloc(0));
const declared = (name: string, type: string, content: Buffer) => ({
  name,
  type,
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  url: `https://files.example.com/${encodeURIComponent(name)}`,
});

describe('a composed message', () => {
  it('writes Chinese names and subjects as encoded words of whole characters', async () => {
    const { bytes } = await composed();

    const head = headerBlock(bytes);
    expect(head).toContain('From: =?UTF-8?B?546L5bCP5piO?= <wang@example.com>');
    expect(head).toContain('To: =?UTF-8?B?5p2O5Zub?= <li@example.org>');
    expect(head).toContain('Subject: =?UTF-8?B?5YWz5LqO5pil5a2j5bGV5Lya55qE5ZCI5L2c?=');
  });

  it('folds a long Chinese subject into words that each decode alone', async () => {
    const subject = '我们诚挚邀请您参加今年在上海举办的国际工业博览会并莅临我们的展台洽谈长期合作事宜'.repeat(5);

    const { bytes } = await composed({ subject });

    const lines = headerBlock(bytes).split('\r\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
    const words = headerBlock(bytes).match(/=\?UTF-8\?B\?[^?]+\?=/g) ?? [];
    expect(words.length).toBeGreaterThan(5);
    for (const word of words)
      expect(Buffer.from(word.slice(10, -2), 'base64').toString('utf8')).not.toContain('\uFFFD');
    expect((await simpleParser(bytes)).subject).toBe(subject);
  });

  it('has exactly the headers of an honest mail and names no program', async () => {
    const { bytes } = await composed({ html: '<p>您好</p>' });

    expect(headerNames(bytes)).toEqual(['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']);
    expect(bytes.toString('latin1')).not.toMatch(/mailer|nodemailer|_NmP/i);
  });

  it('carries threading and unsubscribe headers only where the payload has them', async () => {
    const { bytes } = await composed({
      reply_to: { name: '销售部', address: 'sales@example.com' },
      in_reply_to: '<a@b.example>',
      references: ['<z@b.example>', '<a@b.example>'],
      list_unsubscribe: {
        url: 'https://example.com/u?t=1,2&x==?',
        mailto: 'leave+a%b@example.com',
        one_click: true,
      },
    });

    const unfolded = headerBlock(bytes).replace(/\r\n[ \t]+/g, ' ');
    expect(unfolded).toContain('In-Reply-To: <a@b.example>');
    expect(unfolded).toContain('References: <z@b.example> <a@b.example>');
    expect(unfolded).toContain('Reply-To: =?UTF-8?B?6ZSA5ZSu6YOo?= <sales@example.com>');
    expect(unfolded).toContain(
      'List-Unsubscribe: <https://example.com/u?t=1,2&x==?>, <mailto:leave%2Ba%25b@example.com>',
    );
    expect(unfolded).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('offers one-click unsubscribe only with an https link', async () => {
    const { bytes } = await composed({ list_unsubscribe: { mailto: 'leave@example.com', one_click: true } });

    expect(headerNames(bytes)).toContain('list-unsubscribe');
    expect(headerNames(bytes)).not.toContain('list-unsubscribe-post');
  });

  it('leaves out thread ids that no header line can carry', async () => {
    const long = `<${'x'.repeat(980)}@b.example>`;

    const { bytes } = await composed({ in_reply_to: '<号@b.example>', references: [long, '<a@b.example>'] });

    expect(headerNames(bytes)).not.toContain('in-reply-to');
    expect(headerBlock(bytes)).toContain('References: <a@b.example>');
  });

  it('puts text before html, so that a reader shows the richest it can', async () => {
    const { bytes } = await composed({ text: 'plain', html: '<p>rich</p>' });

    const all = bytes.toString('latin1');
    expect(all).toContain('Content-Type: multipart/alternative');
    expect(all.indexOf('text/plain')).toBeLessThan(all.indexOf('text/html'));
  });

  it('has a text made of its html where it came with html alone', async () => {
    const html = '<h1>报价</h1><p>请看<a href="https://example.com/p">价目表</a></p><p style="display:none">x</p>';

    const { bytes } = await composed({ text: ' \n ', html });

    const parsed = await simpleParser(bytes);
    expect(parsed.text).toContain('报价\n\n请看价目表 [https://example.com/p]');
  });

  it('carries a piece of html as a whole document that names its charset, and a document as it is', async () => {
    const document = '<!DOCTYPE html><html lang="zh"><head><title>t</title></head><body><p>您好</p></body></html>';

    const piece = await simpleParser((await composed({ html: '<p>您好</p>' })).bytes);
    const whole = await simpleParser((await composed({ html: document })).bytes);

    expect(piece.html).toBe(
      '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n</head>\n<body>\n<p>您好</p>\n</body>\n</html>\n',
    );
    expect(whole.html).toBe(document);
  });

  it('makes every line break CRLF before encoding', async () => {
    const { bytes } = await composed({ text: 'a\nb\rc\r\nd\n.\ne\r.\rf\n\r' });

    const [head = ''] = bytes.toString('latin1').split('\r\n\r\n', 1);
    const body = bytes.toString('latin1').slice(head.length + 4);
    expect(body).toBe('a\r\nb\r\nc\r\nd\r\n=2E\r\ne\r\n=2E\r\nf\r\n\r\n');
  });

  it('starts no line with a dot or From, has no long line and ends with CRLF', async () => {
    const { bytes } = await composed({ text: `.\r\n.\r\n${'.'.repeat(2000)}\r\nFrom here` });

    expect(
      Math.max(
        ...bytes
          .toString('latin1')
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(76);
    expect(bytes.toString('latin1')).not.toMatch(/\n(\.|From )/);
    expect(bytes.subarray(-2).toString('latin1')).toBe('\r\n');
  });

  it('keeps a subject that only looks encoded as it was written', async () => {
    const subject = '=?utf-8?Q?You_won?=  twice ';

    const { bytes } = await composed({ subject });

    expect((await simpleParser(bytes)).subject).toBe(subject);
  });

  it('folds a subject of one endless ASCII word', async () => {
    const { bytes } = await composed({ subject: 'x'.repeat(255) });

    const longest = Math.max(
      ...headerBlock(bytes)
        .split('\r\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(76);
    expect((await simpleParser(bytes)).subject).toBe('x'.repeat(255));
  });

  it('takes the marks out of a name that turn its reading direction', async () => {
    const { bytes } = await composed({ from: { name: '\u202Emoc.knab\u202C  张', address: 'wang@example.com' } });

    expect((await simpleParser(bytes)).from?.value[0]?.name).toBe('moc.knab 张');
  });
});

describe('the envelope', () => {
  it('has each domain in ASCII and one recipient', async () => {
    const message = await composed({
      from: { address: 'wang@例え.jp' },
      to: { address: 'Li@Straße.example' },
    });

    expect(message.envelope).toEqual({
      from: 'wang@xn--r8jz45g.jp',
      to: 'Li@xn--strae-oqa.example',
      needsSmtpUtf8: false,
    });
    expect(headerBlock(message.bytes)).toContain('From: wang@xn--r8jz45g.jp');
    expect(headerBlock(message.bytes)).toContain('To: Li@xn--strae-oqa.example');
  });

  it('needs SMTPUTF8 for a local part beyond ASCII, also in the reply address', async () => {
    const recipient = await composed({ to: { address: '李@例え.jp' } });
    const reply = await composed({ reply_to: { address: '销售@example.com' } });

    expect(recipient.envelope).toMatchObject({ to: '李@xn--r8jz45g.jp', needsSmtpUtf8: true });
    expect(reply.envelope.needsSmtpUtf8).toBe(true);
  });

  it('takes the Message-ID as given, its domain in ASCII', async () => {
    const result = await composeWith(noAttachments, mail({}, '<email-recipient-1.ab@例え.jp>'));

    const message = result.ok ? result.value : null;
    expect(message?.messageId).toBe('<email-recipient-1.ab@xn--r8jz45g.jp>');
    expect(headerBlock(message?.bytes ?? Buffer.alloc(0))).toContain(`Message-ID: ${message?.messageId}`);
  });
});

describe('a payload that cannot become a message', () => {
  const unusable = { kind: 'permanent', failure: { stage: 'prepare', class: 'payload', reply: null } };

  it('is refused where the domain is no domain once in ASCII', async () => {
    expect(await refusal({ to: { address: 'li@１２７.０.０.１' } })).toMatchObject(unusable);
    expect(await refusal({ to: { address: 'li@xn--é.example' } })).toMatchObject(unusable);
    expect(await refusal({ reply_to: { address: 'li@１２７.０.０.１' } })).toMatchObject(unusable);
  });

  it('is refused where a name would be read as another one', async () => {
    expect(await refusal({ to: { name: '=?utf-8?Q?boss=40example.com?=', address: 'li@example.org' } })).toMatchObject(
      unusable,
    );
  });

  it('is refused where the unsubscribe link fits no header line', async () => {
    const url = `https://example.com/${'u'.repeat(1200)}`;

    expect(await refusal({ list_unsubscribe: { url } })).toMatchObject(unusable);
  });

  it('is refused where the Message-ID cannot be written', async () => {
    expect(await refusal({}, '<键@example.com>')).toMatchObject(unusable);
    expect(await refusal({}, '<a@example.com>\r\nBcc: <x@example.com>')).toMatchObject(unusable);
  });
});

describe('attachments of a message', () => {
  it('arrive byte for byte with their Chinese names and types', async () => {
    const pdf = Buffer.from(Array.from({ length: 4000 }, (_, i) => i % 256));
    const list = declared('报价单（2026年春季最终版）.pdf', 'application/pdf', pdf);

    const { bytes } = await composed({ attachments: [list] }, filesFrom({ [list.url]: pdf }));

    const parsed = await simpleParser(bytes);
    expect(parsed.attachments).toHaveLength(1);
    expect(parsed.attachments[0]).toMatchObject({
      filename: '报价单（2026年春季最终版）.pdf',
      contentType: 'application/pdf',
      contentDisposition: 'attachment',
    });
    expect(parsed.attachments[0]?.content.equals(pdf)).toBe(true);
    const all = bytes.toString('latin1');
    // Once by RFC 2231 for those who read it, once as encoded words for those who do not.
    expect(all).toContain("filename*0*=utf-8''%E6%8A%A5%E4%BB%B7%E5%8D%95");
    expect(all).toMatch(/name="=\?UTF-8\?B\?5oql5Lu35Y2V/);
  });

  it('of a composite type travel as plain bytes and cannot change the structure', async () => {
    const inner = Buffer.from('From: x@y.example\n\n.\r\nbare line breaks, 中文 and a \0');
    const list = [declared('forward.bin', 'message/rfc822', inner), declared('m.bin', 'multipart/mixed', inner)];

    const { bytes } = await composed(
      { attachments: list },
      filesFrom({ [list[0]?.url ?? '']: inner, [list[1]?.url ?? '']: inner }),
    );

    const parsed = await simpleParser(bytes);
    expect(parsed.attachments.map(({ contentType }) => contentType)).toEqual([
      'application/octet-stream',
      'application/octet-stream',
    ]);
    expect(parsed.attachments.every(({ content }) => content.equals(inner))).toBe(true);
    expect(bytes.includes(0)).toBe(false);
  });

  it('lead no reader out of its folder by their names', async () => {
    const list = [
      declared('..\\..\\autoexec.txt', 'text/plain', Buffer.alloc(0)),
      declared('a\u202Efdp.doc', 'a/b', Buffer.alloc(0)),
    ];

    const { bytes } = await composed({ attachments: list }, filesFrom({}));

    const names = (await simpleParser(bytes)).attachments.map(({ filename }) => filename);
    expect(names).toEqual(['__.._autoexec.txt', 'afdp.doc']);
  });

  it('that cannot be had keep the mail back, and the others are not waited for', async () => {
    const content = Buffer.from('x');
    const failure = {
      kind: 'temporary',
      failure: { stage: 'prepare', class: 'connection', reply: null, message: 'not now' },
    } as const;
    const source: AttachmentSource = {
      fetch: async ({ name }, _file, signal) => {
        if (name === 'bad.txt') return err(failure);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return err({ ...failure, failure: { ...failure.failure, message: 'stopped' } });
      },
    };
    const attachments = [declared('slow.txt', 'text/plain', content), declared('bad.txt', 'text/plain', content)];

    const result = await composeWith(source, mail({ attachments }));

    expect(result).toEqual(err(failure));
  });

  it('are not fetched once the mail is stopped', async () => {
    const result = await composeWith(noAttachments, mail(), AbortSignal.abort());

    expect(result).toMatchObject({ ok: false, error: { kind: 'temporary', failure: { class: 'local' } } });
  });
});

describe('the Date header', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it.each([
    ['Asia/Shanghai', 'Tue, 5 May 2026 10:03:04 +0800'],
    ['Asia/Kolkata', 'Tue, 5 May 2026 07:33:04 +0530'],
    ['America/St_Johns', 'Mon, 4 May 2026 23:33:04 -0230'],
    ['UTC', 'Tue, 5 May 2026 02:03:04 +0000'],
  ])('is the local time of %s with its offset', async (timeZone, expected) => {
    process.env['TZ'] = timeZone;

    const { bytes } = await composed();

    expect(headerBlock(bytes)).toContain(`Date: ${expected}`);
    expect(Date.parse(dateHeader(Date.UTC(2026, 4, 5, 2, 3, 4)))).toBe(Date.UTC(2026, 4, 5, 2, 3, 4));
  });
});
