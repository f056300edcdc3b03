import { createHash } from 'node:crypto';

/** A mail of a shape that mail programs get wrong, as its payload differs from a plain one. */
export type MessageShape = {
  readonly changes: Readonly<Record<string, unknown>>;
  /** Bytes of the attachments, by url. */
  readonly files?: Readonly<Record<string, Buffer>>;
  /** The text made of the html, where the mail came without one. */
  readonly text?: string;
};

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const EVERY_BYTE = Buffer.from(Array.from({ length: 2048 }, (_, index) => (index * 7) % 256));
const LINES = Buffer.from('bare\nline\rbreaks\r\n.\r\nFrom here\n\0 中文', 'utf8');

type File = readonly [name: string, type: string, content: Buffer];

function attached(...files: readonly File[]): Pick<MessageShape, 'changes' | 'files'> {
  const url = (index: number): string => `https://files.example.com/${index}`;
  return {
    changes: {
      attachments: files.map(([name, type, content], index) => ({
        name,
        type,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        url: url(index),
      })),
    },
    files: Object.fromEntries(files.map(([, , content], index) => [url(index), content])),
  };
}

const withBody = (shape: MessageShape, body: Readonly<Record<string, unknown>>): MessageShape => ({
  ...shape,
  changes: { ...shape.changes, ...body },
});

const HTML = '<p>您好，请看<b>附件</b>。</p>';
const LONG_CHINESE = '我们诚挚邀请您参加今年在上海举办的国际工业博览会并莅临我们的展台洽谈长期合作事宜';

export const MESSAGE_SHAPES: Readonly<Record<string, MessageShape>> = {
  'Chinese text alone': { changes: {} },
  'ASCII text alone': { changes: { subject: 'Our offer', text: 'Hello,\n\nplease find our offer below.\n' } },
  'text and html': { changes: { html: HTML } },
  'html alone': { changes: { text: null, html: HTML }, text: '您好，请看附件。' },
  'html with a table, a list and a link alone': {
    changes: {
      text: null,
      html: '<h2>Prices</h2><ul><li>one</li><li>two</li></ul><p><a href="https://example.com/p">List</a></p>',
    },
    text: 'Prices\n\n * one\n * two\n\nList [https://example.com/p]',
  },
  'a whole html document': {
    changes: {
      html: '<!DOCTYPE html><html><head><meta charset="utf-8"><title>报价</title></head><body>您好</body></html>',
    },
  },
  'html with long lines and odd characters': {
    changes: { html: `<p>${'&nbsp;é ß € 😀 \u{20BB7} '.repeat(400)}</p>` },
  },
  'no subject': { changes: { subject: '' } },
  'a Chinese subject of the greatest length': { changes: { subject: LONG_CHINESE.repeat(7).slice(0, 255) } },
  'an ASCII subject that folds': { changes: { subject: 'A rather long subject about one offer '.repeat(6).trim() } },
  'a subject of one endless word': { changes: { subject: 'x'.repeat(255) } },
  'a subject that looks encoded': { changes: { subject: '=?utf-8?Q?You_won?= twice' } },
  'a subject of emoji and joined marks': { changes: { subject: '👩‍👩‍👧 🇨🇳 e\u0301 春节快乐 🎆'.repeat(4) } },
  'a subject of signs': { changes: { subject: 'Re: "offer"; (50% off), a\\b <now> & then: =3D ?= _x_' } },
  'rare Chinese characters': { changes: { subject: '𠮷野家与𡈽井先生𠀋'.repeat(8), text: '𠮷𡈽𠀋' } },
  'names with signs': {
    changes: {
      from: { name: 'Wang, "Big" (Sales); Ltd.', address: 'wang@example.com' },
      to: { name: "O'Neil \\ Sons: a, b", address: 'li@example.org' },
    },
  },
  'very long Chinese names': {
    changes: {
      from: { name: '上海国际贸易有限公司市场销售与客户服务中心'.repeat(8), address: 'wang@example.com' },
      to: { name: '北京进出口集团股份有限公司采购管理部负责人'.repeat(8), address: 'li@example.org' },
    },
  },
  'names in other scripts': {
    changes: {
      from: { name: 'Jürgen Müßig 😀', address: 'wang@example.com' },
      to: { name: 'عبد الرحمن', address: 'li@example.org' },
      text: 'שלום, مرحبا',
    },
  },
  'no names': { changes: { from: { address: 'wang@example.com' }, to: { address: 'li@example.org' } } },
  'another address for replies': { changes: { reply_to: { name: '销售部', address: 'sales@example.com' } } },
  'an answer within a long thread': {
    changes: {
      in_reply_to: '<29.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@mail.example.org>',
      references: Array.from(
        { length: 30 },
        (_, index) => `<${index}.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@mail.example.org>`,
      ),
    },
  },
  'one-click unsubscribe': {
    changes: {
      list_unsubscribe: { url: 'https://example.com/u?t=1,2&x==?', mailto: 'leave+a@example.com', one_click: true },
    },
  },
  'a long link to unsubscribe': { changes: { list_unsubscribe: { url: `https://example.com/${'u'.repeat(300)}` } } },
  'dots, From and very long lines': {
    changes: { text: `.\n..\nFrom the start\n${'长'.repeat(3000)}\n${'.'.repeat(2000)}\n.` },
  },
  'every kind of line break': { changes: { text: 'a\nb\rc\r\nd\n\ne\r\r\nf' } },
  'spaces and tabs at the ends of lines': { changes: { text: 'a \nb\t\n \u00a0c \n-- \nWang' } },
  'a picture shown inside the html': withBody(attached(['logo.png', 'image/png', PNG]), {
    html: '<p>您好<img src="cid:logo.png" alt="Logo"></p>',
  }),
  'two pictures inside, one attached, and a file': withBody(
    attached(
      ['logo.png', 'image/png', PNG],
      ['photo-1.png', 'image/png', PNG],
      ['照片.png', 'image/png', PNG],
      ['报价单.pdf', 'application/pdf', EVERY_BYTE],
    ),
    { html: '<img src="cid:logo.png"><img src=\'cid:photo-1.png\'>' },
  ),
  'a file with a long Chinese name': attached([
    `${'关于二〇二六年春季产品报价与交货期的说明'.repeat(5)}（最终版）.pdf`,
    'application/pdf',
    EVERY_BYTE,
  ]),
  'a file with signs in its name': attached([`it's "100%"; a=b, (c) é'd\u{1F600}.txt`, 'text/plain', LINES]),
  'files of every odd kind': attached(
    ['empty.txt', 'text/plain', Buffer.alloc(0)],
    ['bytes.bin', 'application/octet-stream', EVERY_BYTE],
    ['same.csv', 'text/csv', LINES],
    ['same.csv', 'text/csv', LINES],
    ['letter.dat', 'message/rfc822', LINES],
    ['page.html', 'text/html', Buffer.from('<p>not the body</p>')],
  ),
  'twenty files': attached(
    ...Array.from({ length: 20 }, (_, index): File => [`文件 ${index + 1}.dat`, 'application/x-thing', EVERY_BYTE]),
  ),
};
