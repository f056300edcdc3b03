import { describe } from 'vitest';
import { Payload } from '../../src/shared/wire/payload.ts';
import { composeMail, headerNames } from '../hostile/compose-mail.ts';
import { fuzzLater, must } from './fuzz.ts';
import { mutated } from './mutate.ts';

const FULL = {
  from: { name: 'Anna Müller', address: 'anna@firma.example' },
  to: { name: '王小明', address: 'wang@example.cn' },
  subject: 'Angebot 报价 Bcc: evil@y.example',
  text: 'Guten Tag\r\n.\r\nBcc: evil@y.example\r\n\r\n--=_part',
  html: '<p>Guten Tag</p>',
  reply_to: { name: 'Sales', address: 'sales@firma.example' },
  attachments: [
    { name: '报价.pdf', type: 'application/pdf', size: 9, sha256: '0f'.repeat(32), url: 'https://files.example/1' },
  ],
  in_reply_to: '<1@firma.example>',
  references: ['<0@firma.example>'],
  list_unsubscribe: { url: 'https://firma.example/u', mailto: 'u@firma.example', one_click: true },
};
const ALLOWED = new Set(
  `from to reply-to subject message-id date mime-version content-type content-transfer-encoding in-reply-to references
  list-unsubscribe list-unsubscribe-post`.split(/\s+/),
);

describe('any payload that is accepted', () => {
  fuzzLater(
    'is composed into a message with its own headers, one recipient, and nothing that ends it early',
    async (chance) => {
      const value = mutated(FULL, chance);
      if (!Payload.safeParse(value).success) return;
      const shown = () => JSON.stringify(value);
      const built = await composeMail(value).catch((error: Error) => error);
      // What cannot be written is refused with a reason, never with a fault of ours.
      if (built instanceof Error) return must(/\.$/.test(built.message), () => `${built.message} ${shown()}`);
      const names = headerNames(built.bytes);
      must(
        names.every((name) => ALLOWED.has(name)) && new Set(names).size === names.length,
        () => `${names} ${shown()}`,
      );
      must(
        names.filter((name) => name === 'to').length === 1 && /^[^\s,<>]+@[^\s,<>]+$/.test(built.envelope.to),
        shown,
      );
      const wire = built.bytes.toString('latin1');
      must(!/(^|[^\r])\n|\r(?!\n)|\0|\r\n\.(\r\n|$)/.test(wire) && wire.endsWith('\r\n'), shown);
    },
    4_000,
  );
});
