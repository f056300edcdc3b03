import { describe } from 'vitest';
import { isNegative, isPositive, ReplyReader } from '../../src/main/adapters/smtp/reply-reader.ts';
import { redactLogin, smtpReply } from '../../src/main/adapters/smtp/reply-text.ts';
import { classify } from '../../src/main/core/classify.ts';
import { SmtpReply, STAGES } from '../../src/shared/wire/messages.ts';
import { fuzz, must } from './fuzz.ts';

const PASSWORD = 'correct horse 马';
const PIECES = [
  '250',
  '250 ',
  '250-',
  '354 go',
  '421 4.3.2 ',
  '450 4.7.1 ',
  '550 5.1.1 ',
  '5.7.1 ',
  '\r\n',
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  '\0',
  'ok',
  'rate limit',
  'authentication failed',
  'x'.repeat(60),
  '\x1b[31m',
  '\xe9\xa9\xac',
  '\xd3\xc3',
  '\xff',
  '000 ',
  '999 ',
  PASSWORD,
  Buffer.from(PASSWORD).toString('latin1'),
  Buffer.from(PASSWORD).toString('base64'),
  Buffer.from(`\0anna\0${PASSWORD}`).toString('base64'),
];
const LIMIT_BYTES = 400;
const redact = redactLogin('anna', PASSWORD);

describe('whatever a mail server says', () => {
  fuzz('is read alike however its bytes are split, within the limit, and judged without a throw', (chance) => {
    const bytes = Buffer.from(chance.text(PIECES, 14), 'latin1');
    const whole = new ReplyReader().read(bytes, LIMIT_BYTES);
    const reader = new ReplyReader();
    const replies = [];
    let fault: string | null = null;
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + chance.int(12);
      const heard = reader.read(bytes.subarray(at, end), LIMIT_BYTES);
      replies.push(...heard.replies);
      fault ??= heard.fault;
      at = end;
    }
    const shown = () => JSON.stringify(bytes.toString('latin1'));
    must(JSON.stringify(replies) === JSON.stringify(whole.replies) && fault === whole.fault, shown);

    for (const raw of replies) {
      must(raw.lines.join('').length <= LIMIT_BYTES, shown);
      must(!(isPositive(raw) && isNegative(raw)), shown);
      if (raw.code < 200 || raw.code > 599) continue;
      const reply = smtpReply(raw, redact);
      must(SmtpReply.safeParse(reply).success, shown);
      must(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(reply.text), shown);
      must(!reply.text.includes(PASSWORD) && !reply.text.includes(PIECES.at(-1) ?? ''), shown);
      const stage = chance.pick(STAGES);
      const { outcome, action } = classify(stage, reply, chance.pick(['mail', 'rcpt', 'data', undefined] as const));
      const isFinal = stage === 'handed-over';
      must((outcome === 'accepted') === (isFinal && reply.code < 300), shown);
      must(outcome !== 'uncertain' || isFinal, shown);
      must((outcome === 'uncertain') === (action === 'never-auto-retry'), shown);
      // A complete refusal after the gate is never held in doubt, and nothing but one refuses a mail.
      must(outcome !== 'refused' || reply.code >= 400, shown);
    }
  });
});
