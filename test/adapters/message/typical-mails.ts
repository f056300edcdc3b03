import { createHash } from 'node:crypto';
import { Payload } from '../../../src/shared/wire/payload.ts';

const FROM = { name: 'Wang Xiaoming', address: 'wang@example.com' };
const VON = { name: '王小明', address: 'wang@example.com' };
const TO = { name: 'Maria Keller', address: 'li@example.org' };
const AN = { name: '李四', address: 'li@example.org' };
const PDF = Buffer.from(`%PDF-1.7\n${'1 0 obj << /Type /Catalog >> endobj\n'.repeat(200)}%%EOF\n`);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const file = (name: string, type: string, content: Buffer) => ({
  name,
  type,
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  url: `https://files.example.com/${encodeURIComponent(name)}`,
});
const PRICES = file('Prices 2026.pdf', 'application/pdf', PDF);
const PREISE = file('报价单（2026年）.pdf', 'application/pdf', PDF);
const LOGO = file('logo.png', 'image/png', PNG);
export const TYPICAL_FILES: Readonly<Record<string, Buffer>> = {
  [PRICES.url]: PDF,
  [PREISE.url]: PDF,
  [LOGO.url]: PNG,
};

const LETTER = `Dear Ms Keller,

thank you for your visit to our stand at the fair in Stuttgart. As promised, I am sending you the prices of the bearing
housings we talked about. Samples can leave our works within two weeks.

Shall we speak on Thursday afternoon?

Kind regards
Wang Xiaoming
Example Machines, Shanghai`;
const BRIEF = `李先生：

您好！感谢您在上海展会期间莅临我们的展台。按照约定，现将轴承座的报价发给您。样品可在两周内寄出。

请问您周四下午方便通电话吗？

此致
王小明
示例机械（上海）有限公司`;
const paragraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((one) => `<p>${one.replaceAll('\n', '<br>')}</p>`)
    .join('\n');

/** Ten mails as salespeople send them: first letters and answers, in English and Chinese, plain and rich. */
export const TYPICAL_MAILS: Readonly<Record<string, Payload>> = Object.fromEntries(
  Object.entries({
    'a plain letter': { from: FROM, to: TO, subject: 'Bearing housings, as discussed in Stuttgart', text: LETTER },
    'a plain letter in Chinese': { from: VON, to: AN, subject: '关于轴承座的报价', text: BRIEF },
    'a rich letter': { from: FROM, to: TO, subject: 'Your visit to our stand', text: LETTER, html: paragraphs(LETTER) },
    'a rich letter in Chinese': { from: VON, to: AN, subject: '感谢您莅临展台', text: BRIEF, html: paragraphs(BRIEF) },
    'an answer': {
      from: FROM,
      to: TO,
      subject: 'Re: Lead times',
      text: 'Dear Ms Keller,\n\nsix weeks from your order.\n\nKind regards\nWang Xiaoming',
      in_reply_to: '<1@mail.example.org>',
      references: ['<0@mail.example.org>', '<1@mail.example.org>'],
    },
    'a letter with prices': { from: FROM, to: TO, subject: 'Prices for 2026', text: LETTER, attachments: [PRICES] },
    'a Chinese letter with prices': { from: VON, to: AN, subject: '2026年报价单', text: BRIEF, attachments: [PREISE] },
    'a letter with a link': {
      from: FROM,
      to: TO,
      subject: 'Our new catalogue',
      text: `${LETTER}\n\nhttps://www.example.com/catalogue`,
      html: `${paragraphs(LETTER)}<p><a href="https://www.example.com/catalogue">Our catalogue</a></p>`,
    },
    'a letter with a way to leave': {
      from: VON,
      to: AN,
      subject: '新产品通知',
      text: BRIEF,
      html: paragraphs(BRIEF),
      list_unsubscribe: { url: 'https://www.example.com/leave?id=17', one_click: true },
    },
    'a short question': {
      from: FROM,
      to: TO,
      subject: 'A short call?',
      text: 'Dear Ms Keller,\n\nis Thursday good?\n\nWang',
    },
  }).map(([name, payload]) => [name, Payload.parse(payload)]),
);
