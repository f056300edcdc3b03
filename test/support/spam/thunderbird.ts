import { createHash } from 'node:crypto';
import type { Payload } from '../../../src/shared/wire/payload.ts';

/**
 * The same content as Thunderbird (128 and later) lays it out: its headers in their order, text as format=flowed, bodies
 * as they are (7bit, or 8bit for UTF-8), its html head, its boundaries, attachments named in both ways. Written after
 * mails that Thunderbird sent; for comparison only.
 */
export function asThunderbird(payload: Payload, dateText: string, files: Readonly<Record<string, Buffer>>): Buffer {
  const seed = createHash('sha256').update(JSON.stringify(payload)).digest('hex');
  const head = [
    `Message-ID: <${seed.slice(0, 8)}-${seed.slice(8, 12)}-4${seed.slice(13, 16)}-a${seed.slice(17, 20)}-${seed.slice(20, 32)}@${payload.from.address.split('@')[1]}>`,
    `Date: ${dateText}`,
    'MIME-Version: 1.0',
    'User-Agent: Mozilla Thunderbird',
    `Subject: ${words(payload.subject)}`,
    `Content-Language: ${isAscii(payload.subject) ? 'en-US' : 'zh-CN'}`,
    `To: ${mailbox(payload.to)}`,
    ...(payload.references?.length ? [`References: ${payload.references.join('\r\n ')}`] : []),
    `From: ${mailbox(payload.from)}`,
    ...(payload.reply_to ? [`Reply-To: ${mailbox(payload.reply_to)}`] : []),
    ...(payload.in_reply_to ? [`In-Reply-To: ${payload.in_reply_to}`] : []),
    ...unsubscribe(payload),
  ];
  const attachments = payload.attachments ?? [];
  const main = body(payload, seed);
  const whole =
    attachments.length === 0
      ? main
      : multipart('mixed', boundary(seed, 0), [main, ...attachments.map((file) => attached(file, files[file.url]))]);
  return Buffer.from(`${head.join('\r\n')}\r\n${whole}`, 'utf8');
}

const isAscii = (text: string): boolean => /^[\0-\x7e]*$/.test(text);
const crlf = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');
const boundary = (seed: string, index: number): string => `------------${seed.slice(index * 24, index * 24 + 24)}`;
const encoding = (text: string): string => (isAscii(text) ? '7bit' : '8bit');

/** Encoded words of at most so many characters that each fits into a line. */
function words(text: string): string {
  if (isAscii(text)) return text;
  const pieces = text.match(/.{1,13}/gsu) ?? [];
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece, 'utf8').toString('base64')}?=`).join('\r\n ');
}

const mailbox = ({ name, address }: { name?: string | null | undefined; address: string }): string =>
  name ? `${words(name)} <${address}>` : address;

/** Thunderbird has no such headers of its own; the same content has them. */
function unsubscribe({ list_unsubscribe: list }: Payload): readonly string[] {
  if (!list?.url) return [];
  const post = list.one_click ? ['List-Unsubscribe-Post: List-Unsubscribe=One-Click'] : [];
  return [`List-Unsubscribe: <${list.url}>`, ...post];
}

function body({ text, html }: Payload, seed: string): string {
  const plain = text ?? '';
  if (!html) return part(`text/plain; charset=UTF-8; format=flowed`, crlf(plain));
  const page = `<!DOCTYPE html>
<html>
  <head>

    <meta http-equiv="content-type" content="text/html; charset=UTF-8">
  </head>
  <body>
    ${html}
  </body>
</html>
`;
  return multipart('alternative', boundary(seed, 1), [
    part('text/plain; charset=UTF-8; format=flowed', crlf(plain)),
    part('text/html; charset=UTF-8', crlf(page)),
  ]);
}

const part = (type: string, content: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding(content)}\r\n\r\n${content.endsWith('\r\n') ? content : `${content}\r\n`}`;

const multipart = (kind: string, mark: string, parts: readonly string[]): string =>
  `Content-Type: multipart/${kind}; boundary="${mark}"\r\n\r\nThis is a multi-part message in MIME format.\r\n${parts.map((one) => `--${mark}\r\n${one}\r\n`).join('')}--${mark}--\r\n`;

function attached(file: NonNullable<Payload['attachments']>[number], content: Buffer | undefined): string {
  const name = isAscii(file.name)
    ? `filename="${file.name}"`
    : `filename*=UTF-8''${encodeURIComponent(file.name).replace(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
  const lines = (content ?? Buffer.alloc(0)).toString('base64').match(/.{1,72}/g) ?? [];
  return [
    `Content-Type: ${file.type}; name="${words(file.name)}"`,
    `Content-Disposition: attachment; ${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
    '',
  ].join('\r\n');
}
