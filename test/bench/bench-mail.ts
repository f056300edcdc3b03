import type { Payload } from '../../src/shared/wire/payload.ts';

export const MAIL_SIZES = ['2k', '100k'] as const;
export type MailSize = (typeof MAIL_SIZES)[number];

export const SENDER = { name: 'Wang Fang', address: 'wang@example.com' } as const;

/** Characters of text and of html, so that the finished message has about 2,000 and 100,000 bytes. */
const BODY_CHARS: Record<MailSize, number> = { '2k': 480, '100k': 36_500 };

const LINE = 'Our offer for 产品 A is valid until the end of the month; please tell us how many you need.\n';

/** The same content for both sides; the text is repeated to the size. */
export function benchPayload(size: MailSize, number: number): Payload {
  const text = LINE.repeat(Math.ceil(BODY_CHARS[size] / LINE.length));
  return {
    from: SENDER,
    to: { name: `Customer ${number}`, address: `customer${number}@example.net` },
    subject: `报价 Offer ${number}`,
    text: `Dear customer ${number},\n${text}`,
    html: `<p>Dear customer ${number},</p><p>${text}</p>`,
  };
}
