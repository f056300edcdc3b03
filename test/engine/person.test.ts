import { describe, expect, it } from 'vitest';
import { pauseChange, resolveChange, resumeChanges, tryNowChanges } from '../../src/main/engine/person.ts';
import { claimed, commitAll, handedOver, happened, lost, newMail, started } from '../conformance/ledger-samples.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

/** A ledger with one mail that nobody knows the end of. */
function inDoubt() {
  const ledger = memoryLedger();
  for (const change of [
    claimed([newMail(1)]),
    happened('1', started(1)),
    happened('1', handedOver(1)),
    happened('1', lost('1', 1)),
  ]) {
    commitAll(ledger, change);
  }
  const mail = ledger.mail('1');
  if (mail === null) throw new Error('the mail is not there');
  return { ledger, mail };
}
const by = { language: 'en', accountAddress: 'sales@example.com', nowMs: 5_000 } as const;

describe('a person’s word on a mail', () => {
  it.each([
    ['sent', 'sent', 'A person found that this mail was sent.'],
    ['not-sent', 'failed', 'A person found that this mail was not sent.'],
  ] as const)('%s makes it %s, with a note that says so', (word, kind, note) => {
    const { ledger, mail } = inDoubt();
    const change = resolveChange(mail, word, by);
    commitAll(ledger, change);

    expect(change).toMatchObject({ event: { evidence: { kind: 'person', note } }, atMs: by.nowMs });
    expect(ledger.mail('1')?.state.kind).toBe(kind);
  });
});

describe('a person who', () => {
  const lifted = (...kinds: readonly string[]) => kinds.map((holdKind) => ({ kind: 'hold-lifted', holdKind }));

  it('tries the account now ends what it waits for, and no pause', () => {
    expect(tryNowChanges()).toEqual(lifted('account', 'back-off', 'keychain'));
  });

  it('resumes ends a pause, too', () => {
    expect(resumeChanges()).toEqual(lifted('user', 'account', 'back-off', 'keychain'));
  });

  it('pauses stops sending until then', () => {
    const ledger = memoryLedger();
    commitAll(ledger, pauseChange('en', 1_000, 9_000));

    expect(ledger.holds()).toEqual([
      { kind: 'user', sinceMs: 1_000, untilMs: 9_000, text: 'Paused by you.', repeat: 1 },
    ]);
  });
});
