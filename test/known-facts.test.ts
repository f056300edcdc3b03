import { describe, expect, it } from 'vitest';
import type { AccountFindings } from '../src/main/check-account.ts';
import { withKnownFacts } from '../src/main/known-facts.ts';
import { MailAccount } from '../src/shared/settings.ts';

const accountAt = (host: string, more: object = {}): MailAccount =>
  MailAccount.parse({
    address: 'anna@mail.test',
    userName: 'anna',
    smtp: { host, port: 465, security: 'tls' },
    ...more,
  });
const HERE = accountAt('smtp.mail.test');
const FASTMAIL = accountAt('smtp.fastmail.com');
const nothingSeen = ({ smtp }: MailAccount): AccountFindings => ({
  smtp,
  savesSentCopy: 'unknown',
  keepsMessageId: 'unknown',
});
const copies = ({ savesSentCopy, keepsMessageId }: MailAccount) => [savesSentCopy, keepsMessageId];

describe('what is known of an account', () => {
  it('stays where it was checked again without a test mail', () => {
    const before = accountAt('smtp.mail.test', { savesSentCopy: 'yes', keepsMessageId: 'no' });

    expect(copies(withKnownFacts(HERE, nothingSeen(HERE), before))).toEqual(['yes', 'no']);
  });

  it('gives way to what a new test mail shows', () => {
    const before = accountAt('smtp.mail.test', { savesSentCopy: 'yes', keepsMessageId: 'yes' });
    const seen = { ...nothingSeen(HERE), savesSentCopy: 'no', keepsMessageId: 'no' } as const;

    expect(copies(withKnownFacts(HERE, seen, before))).toEqual(['no', 'no']);
  });

  it.each([
    ['server', accountAt('smtp.other.test', { savesSentCopy: 'yes', keepsMessageId: 'yes' })],
    ['address', accountAt('smtp.mail.test', { address: 'li@mail.test', savesSentCopy: 'yes', keepsMessageId: 'yes' })],
  ])('is not taken over from another %s', (_what, before) => {
    expect(copies(withKnownFacts(HERE, nothingSeen(HERE), before))).toEqual(['unknown', 'unknown']);
  });

  it('begins with a provider that is known to keep no copy in Sent, until a test mail shows one', () => {
    const seen = { ...nothingSeen(FASTMAIL), savesSentCopy: 'yes' } as const;
    const shown = withKnownFacts(FASTMAIL, seen, null);

    expect(copies(withKnownFacts(FASTMAIL, nothingSeen(FASTMAIL), null))).toEqual(['no', 'unknown']);
    expect(copies(shown)).toEqual(['yes', 'unknown']);
    expect(copies(withKnownFacts(FASTMAIL, nothingSeen(FASTMAIL), shown))).toEqual(['yes', 'unknown']);
  });

  it('takes no provider’s word for a copy that is kept', () => {
    const gmail = accountAt('smtp.gmail.com');

    expect(copies(withKnownFacts(gmail, nothingSeen(gmail), null))).toEqual(['unknown', 'unknown']);
  });

  it('has the port at which the server answered', () => {
    const smtp = { ...HERE.smtp, port: 587, security: 'starttls' } as const;

    expect(withKnownFacts(HERE, { ...nothingSeen(HERE), smtp }, null).smtp).toEqual(smtp);
  });
});
