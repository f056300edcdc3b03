import { describe, expect, it } from 'vitest';
import { messageIdOfMail } from '../../src/main/engine/prepare-mail.ts';
import { claimed, commitAll, newMail } from '../conformance/ledger-samples.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

describe('the Message-ID of a mail', () => {
  const nameOf = (payload: unknown) => {
    const ledger = memoryLedger();
    commitAll(ledger, claimed([newMail(1, { payload })]));
    const mail = ledger.mail('1');
    if (mail === null) throw new Error('the mail is not there');
    return messageIdOfMail(mail, 'sales@account.example');
  };

  it.each([
    [{ from: { address: 'boss@Firm.example' } }, 'firm.example'],
    [{ from: { address: 'no address' } }, 'account.example'],
    [{ to: { address: 'buyer@elsewhere.example' } }, 'account.example'],
    [null, 'account.example'],
  ])('is at the domain it comes from, and at the account’s where it names none: %j', (payload, domain) => {
    expect(nameOf(payload)).toMatch(new RegExp(`^<[^@<>]+@${domain}>$`));
    // Nothing but the domain depends on where it comes from.
    expect(nameOf(payload)).toBe(nameOf({ from: { address: `somebody@${domain}` } }));
  });
});
