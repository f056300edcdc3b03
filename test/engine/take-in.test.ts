import { describe, expect, it } from 'vitest';
import type { ReadClaim } from '../../src/main/core/read-claim.ts';
import type { LedgerChange } from '../../src/main/engine/ports.ts';
import { takeIn } from '../../src/main/engine/take-in.ts';
import {
  claimed,
  commitAll,
  failureAt,
  handedOver,
  happened,
  lost,
  newMail,
  notSent,
  refused,
  sendMail,
  started,
} from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';

const read = (over: Partial<ReadClaim> = {}): ReadClaim => ({
  mails: [],
  refusals: new Map(),
  unreadable: [],
  ...over,
});
const failure = failureAt('prepare');

/** A mail with this outcome, whose report the cloud has taken. */
function toldMail(bare: BareContext, end: 'sent' | 'failed' | 'uncertain'): void {
  const { ledger } = bare;
  commitAll(ledger, claimed([newMail(1)]));
  if (end === 'sent') sendMail(ledger, '1', 3_000);
  else {
    commitAll(ledger, happened('1', started(1)));
    commitAll(ledger, happened('1', handedOver(1)));
    commitAll(ledger, happened('1', end === 'failed' ? refused('1', 1) : lost('1', 1)));
  }
  const seq = ledger.reportFor('1', null)?.seq ?? 0;
  commitAll(ledger, { kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 4_000 });
}

describe('taking mails in', () => {
  it('fails those that cannot be sent, with their report, and claims the others', () => {
    const { context, ledger } = bareContext();

    const done = takeIn(context, null, read({ mails: [newMail(1), newMail(2)], refusals: new Map([['1', failure]]) }));

    expect(done).toBe(true);
    expect([ledger.mail('1')?.state.kind, ledger.mail('2')?.state.kind]).toEqual(['failed', 'claimed']);
    expect(ledger.untold(1e12, 9).map(({ mailId, route }) => [mailId, route])).toEqual([['1', 'result']]);
  });

  it('leaves a mail out that the ledger knows under another hash, and takes the others', () => {
    const { context, ledger } = bareContext();
    commitAll(ledger, claimed([newMail(1)]));
    const other = newMail(1, { payloadHash: `sha256:${'f'.repeat(64)}` });

    expect(takeIn(context, null, read({ mails: [other, newMail(2)] }))).toBe(true);
    expect(ledger.mail('1')?.payloadHash).toBe(newMail(1).payloadHash);
    expect(ledger.mail('2')?.state.kind).toBe('claimed');
  });

  it.each([
    { kind: 'full', text: 'disk full' },
    { kind: 'key-conflict', mailId: 'of no mail here' },
    { kind: 'unknown-mail', mailId: '1' },
  ] as const)('says so where nothing was written: %j', (error) => {
    const { context, ledger } = bareContext();
    const answers = [{ ok: false, error } as const];
    const commit = (changes: readonly LedgerChange[]) => answers.pop() ?? ledger.commit(changes);
    const refusing = { ...context, journal: { ...context.journal, commit } };

    expect(takeIn(refusing, null, read({ mails: [newMail(1)] }))).toBe(false);
    expect(ledger.mail('1')).toBeNull();
  });

  it.each(['sent', 'failed', 'uncertain'] as const)('tells the cloud again of a mail that is %s here', (end) => {
    const bare = bareContext();
    toldMail(bare, end);
    const { context, ledger } = bare;

    takeIn(context, null, read({ mails: [newMail(1)], refusals: new Map([['1', failure]]) }));

    expect(ledger.mail('1')?.state.kind).toBe(end);
    expect(ledger.untold(1e12, 9).map(({ mailId }) => mailId)).toEqual(['1']);
  });

  it('tells nothing twice that is still to be told, or of a mail that is open', () => {
    const { context, ledger } = bareContext();
    commitAll(ledger, claimed([newMail(1), newMail(2)]));
    sendMail(ledger, '1', 3_000);
    const seq = ledger.reportFor('1', null)?.seq ?? 0;
    commitAll(ledger, { kind: 'report-postponed', seq, untilMs: 8_000 });
    commitAll(ledger, happened('2', started(1)));

    expect(takeIn(context, null, read({ mails: [newMail(1), newMail(2)] }))).toBe(true);
    expect(ledger.untold(1e12, 9)).toHaveLength(1);
    expect(ledger.nextUntoldAtMs()).toBe(8_000);
  });

  it('tells nothing of a mail that waits for another try, or whose end is the cloud’s own word', () => {
    const { context, ledger } = bareContext();
    commitAll(ledger, claimed([newMail(1), newMail(2)]));
    commitAll(ledger, happened('1', started(1)), happened('1', notSent('1', 1)));
    const seq = ledger.reportFor('1', null)?.seq ?? 0;
    commitAll(ledger, { kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 4_000 });
    commitAll(ledger, happened('2', { kind: 'concluded', as: 'sent' }));

    expect(takeIn(context, null, read({ mails: [newMail(1), newMail(2)] }))).toBe(true);
    expect(ledger.untold(1e12, 9)).toEqual([]);
  });
});
