import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger, LedgerChange } from '../../src/main/engine/ports.ts';
import {
  accepted,
  claimed,
  commitAll,
  everythingIn,
  failureAt,
  handedOver,
  happened,
  lost,
  newMail,
  nonceOf,
  notSent,
  refused,
  reply,
  sendMail,
  started,
} from './ledger-samples.ts';

const DAY_MS = 86_400_000;

/** One ledger of the kind under test, with contents that outlive a restart. */
export type LedgerUnderTest = {
  /** The ledger after a restart of its process. */
  reopen(): Ledger;
  readonly ledger: Ledger;
  end(): void;
};

/** What every implementation of the ledger port must do. */
export function ledgerConformance(name: string, make: () => LedgerUnderTest): void {
  describe(`The ${name} ledger`, () => {
    let under: LedgerUnderTest;
    let ledger: Ledger;
    beforeEach(() => {
      under = make();
      ledger = under.ledger;
    });
    afterEach(() => under.end());
    const stateOf = (id: string) => ledger.mail(id)?.state;

    describe('taking mails in', () => {
      it('is empty at first', () => {
        expect(ledger.mail('1')).toBeNull();
        expect(ledger.nextDue(1e12)).toBeNull();
        expect(ledger.nextDueAtMs()).toBeNull();
        expect(ledger.nextUntoldAtMs()).toBeNull();
        expect(ledger.openClaim()).toBeNull();
        expect(ledger.held(10)).toEqual([]);
        expect(ledger.list({ kinds: null, limit: 10, offset: 0 })).toEqual([]);
        expect(ledger.untold(1e12, 10)).toEqual([]);
        expect(ledger.holds()).toEqual([]);
        expect(ledger.recentSubmissions(10, 1e12)).toEqual([]);
        expect(ledger.setting('pairing')).toBeUndefined();
        expect(Object.values(ledger.counts()).every((count) => count === 0)).toBe(true);
      });

      it('keeps a new mail whole and lets it wait', () => {
        const mail = newMail(1, { notBeforeMs: 5_000, notAfterMs: 90_000 });
        commitAll(ledger, claimed([mail], 2_000));
        const state = { kind: 'claimed', attempt: 0, retryAtMs: 0, settlingNonce: null };
        expect(ledger.mail('1')).toEqual({ ...mail, changedAtMs: 2_000, state });
        expect(under.reopen().mail('1')).toEqual({ ...mail, changedAtMs: 2_000, state });
      });

      it('keeps a payload that is not what the contract says', () => {
        commitAll(ledger, claimed([newMail(1, { payload: 'nonsense' }), newMail(2, { payload: undefined })]));
        expect(ledger.mail('1')?.payload).toBe('nonsense');
        expect(ledger.mail('2')?.payload).toBeNull();
      });

      it('leaves a known mail alone', () => {
        commitAll(ledger, claimed([newMail(1)], 2_000));
        sendMail(ledger, '1', 3_000);
        commitAll(ledger, claimed([newMail(1, { taskName: 'another' }), newMail(1)], 4_000));
        expect(ledger.mail('1')).toMatchObject({ changedAtMs: 3_002, taskName: newMail(1).taskName });
        expect(stateOf('1')).toEqual({ kind: 'sent', attempt: 1 });
      });

      it('takes a released mail up again, with its new times and at the end of the order', () => {
        commitAll(ledger, claimed([newMail(1), newMail(2)]));
        commitAll(ledger, happened('1', { kind: 'withdrawn', as: 'released' }));
        commitAll(ledger, claimed([newMail(1, { notBeforeMs: 7, notAfterMs: 8, claimedAtMs: 6 })], 5_000));
        expect(ledger.mail('1')).toMatchObject({ notBeforeMs: 7, notAfterMs: 8, claimedAtMs: 6, changedAtMs: 5_000 });
        expect(stateOf('1')).toEqual({ kind: 'claimed', attempt: 0, retryAtMs: 0, settlingNonce: null });
        expect(ledger.held(10).map(({ id }) => id)).toEqual(['2', '1']);
        expect(ledger.nextDue(6)?.id).toBe('2');
      });

      it('leaves a cancelled mail cancelled', () => {
        commitAll(ledger, claimed([newMail(1)]));
        commitAll(ledger, happened('1', { kind: 'withdrawn', as: 'cancelled' }));
        commitAll(ledger, claimed([newMail(1)]));
        expect(stateOf('1')).toEqual({ kind: 'cancelled', attempt: 0 });
      });

      it.each([
        ['a known key with another hash', newMail(1, { payloadHash: newMail(9).payloadHash })],
        ['a known id with another key', newMail(1, { idempotencyKey: 'email-recipient-9' })],
        ['a known key under another id', newMail(9, { idempotencyKey: 'email-recipient-1' })],
        ['a known mail under another id', { ...newMail(1), id: '9' }],
      ])('refuses %s, and everything that came with it', (_, stranger) => {
        commitAll(ledger, claimed([newMail(1)]));
        const done = ledger.commit([
          { kind: 'setting', key: 'pace', value: 1 },
          claimed([newMail(2), stranger, newMail(3)]),
        ]);
        expect(done).toEqual({ ok: false, error: { kind: 'key-conflict', mailId: stranger.id } });
        expect(ledger.mail('2')).toBeNull();
        expect(ledger.setting('pace')).toBeUndefined();
        expect(ledger.mail('1')?.payloadHash).toBe(newMail(1).payloadHash);
      });

      it('refuses a mail that names the id of one mail and the key of another', () => {
        commitAll(ledger, claimed([newMail(1), newMail(2)]));
        const mixed = newMail(1, { idempotencyKey: 'email-recipient-2' });
        expect(ledger.commit([claimed([mixed])])).toEqual({ ok: false, error: { kind: 'key-conflict', mailId: '1' } });
      });

      it('allows two keys with one payload hash', () => {
        commitAll(ledger, claimed([newMail(1), newMail(2, { payloadHash: newMail(1).payloadHash })]));
        expect(ledger.counts().claimed).toBe(2);
      });
    });

    describe('claims', () => {
      it('knows the claim that was asked and not answered', () => {
        commitAll(ledger, { kind: 'claim-asked', claimId: 'a', atMs: 5 });
        commitAll(
          ledger,
          { kind: 'claim-asked', claimId: 'b', atMs: 6 },
          { kind: 'claim-asked', claimId: 'a', atMs: 7 },
        );
        expect(under.reopen().openClaim()).toEqual({ claimId: 'a', askedAtMs: 5 });
      });

      it('forgets it with the answer, even an empty one', () => {
        commitAll(
          ledger,
          { kind: 'claim-asked', claimId: 'a', atMs: 5 },
          { kind: 'claim-asked', claimId: 'b', atMs: 6 },
        );
        commitAll(ledger, { kind: 'mails-claimed', claimId: 'a', mails: [], atMs: 7 });
        expect(ledger.openClaim()).toEqual({ claimId: 'b', askedAtMs: 6 });
        commitAll(ledger, { kind: 'mails-claimed', claimId: 'b', mails: [newMail(1)], atMs: 8 });
        expect(ledger.openClaim()).toBeNull();
      });

      it('does not close a claim by a sync', () => {
        commitAll(ledger, { kind: 'claim-asked', claimId: 'a', atMs: 5 }, claimed([newMail(1)]));
        expect(ledger.openClaim()).toEqual({ claimId: 'a', askedAtMs: 5 });
      });
    });

    describe('moving mails', () => {
      beforeEach(() => commitAll(ledger, claimed([newMail(1), newMail(2)])));

      it('writes an accepted attempt with its report in one commit', () => {
        commitAll(ledger, happened('1', started(1), 10));
        expect(ledger.attempts('1')).toMatchObject([
          { attempt: 1, startedAtMs: 10, handedOverAtMs: null, nonce: null },
        ]);
        commitAll(ledger, happened('1', handedOver(1), 20));
        expect(ledger.attempts('1')).toMatchObject([
          { handedOverAtMs: 20, endedAtMs: null, outcome: null, nonce: null },
        ]);
        commitAll(ledger, happened('1', accepted('1', 1), 30));
        expect(stateOf('1')).toEqual({ kind: 'sent', attempt: 1 });
        expect(ledger.attempts('1')).toEqual([
          {
            mailId: '1',
            attempt: 1,
            startedAtMs: 10,
            handedOverAtMs: 20,
            endedAtMs: 30,
            outcome: 'accepted',
            nonce: nonceOf('1', 1),
            failure: null,
            reply,
          },
        ]);
        const [row] = ledger.untold(0, 10);
        expect(row).toMatchObject({ seq: 1, mailId: '1', route: 'result', nonce: nonceOf('1', 1), tries: 0 });
        expect(JSON.parse(row?.body ?? '')).toMatchObject({
          outcome: 'sent',
          idempotency_key: 'email-recipient-1',
          payload_hash: newMail(1).payloadHash,
          smtp_message_id: '<1@example.com>',
          code: 250,
        });
      });

      it.each(['refused', 'not-sent', 'lost'] as const)('keeps why an attempt ended as %s', (kind) => {
        const event = { refused: refused('1', 1), 'not-sent': notSent('1', 1), lost: lost('1', 1) }[kind];
        commitAll(ledger, happened('1', started(1), 10), happened('1', event, 30));
        const failure =
          kind === 'lost' ? failureAt('handed-over') : failureAt(kind === 'refused' ? 'envelope' : 'connect');
        expect(ledger.attempts('1')).toMatchObject([
          { outcome: kind, endedAtMs: 30, nonce: nonceOf('1', 1), failure, reply: failure.reply },
        ]);
        expect(ledger.untold(0, 10)).toHaveLength(1);
      });

      it('shows a mail that failed before any attempt, with the reason', () => {
        commitAll(
          ledger,
          happened('1', { kind: 'refused', attempt: 0, nonce: null, failure: failureAt('prepare') }, 40),
        );
        expect(stateOf('1')).toEqual({ kind: 'failed', attempt: 0 });
        expect(ledger.attempts('1')).toMatchObject([
          { attempt: 0, startedAtMs: 40, endedAtMs: 40, outcome: 'refused', failure: failureAt('prepare') },
        ]);
      });

      it('does not overwrite an attempt that ended when the mail fails while it waits', () => {
        commitAll(ledger, happened('1', started(1)), happened('1', notSent('1', 1)));
        commitAll(ledger, happened('1', { kind: 'refused', attempt: 1, nonce: null, failure: failureAt('prepare') }));
        expect(ledger.attempts('1').map(({ outcome }) => outcome)).toEqual(['not-sent', 'refused']);
      });

      it('ends the running attempt without an outcome when the cloud takes the mail back or clears it', () => {
        commitAll(ledger, happened('1', started(1)), happened('1', { kind: 'withdrawn', as: 'cancelled' }, 50));
        commitAll(ledger, happened('2', started(1)), happened('2', { kind: 'cleared', retryAtMs: 77 }, 60));
        expect(ledger.attempts('1')).toMatchObject([{ endedAtMs: 50, outcome: null, nonce: null }]);
        expect(ledger.attempts('2')).toMatchObject([{ endedAtMs: 60, outcome: null }]);
        expect(stateOf('2')).toEqual({ kind: 'claimed', attempt: 1, retryAtMs: 77, settlingNonce: null });
        commitAll(ledger, happened('2', started(2), 70));
        expect(ledger.attempts('2').map(({ attempt }) => attempt)).toEqual([1, 2]);
        expect(ledger.untold(1e12, 10)).toEqual([]);
      });

      it('takes over the word of the cloud without a report', () => {
        commitAll(ledger, happened('1', started(1)), happened('1', { kind: 'concluded', as: 'sent' }, 50));
        expect(stateOf('1')).toEqual({ kind: 'sent', attempt: 1 });
        expect(ledger.attempts('1')).toMatchObject([{ attempt: 1, endedAtMs: 50, outcome: null }]);
        expect(ledger.untold(1e12, 10)).toEqual([]);
      });

      it('keeps an uncertain mail with its nonce until it is resolved', () => {
        commitAll(ledger, happened('1', started(1)), happened('1', handedOver(1)), happened('1', lost('1', 1)));
        ledger = under.reopen();
        expect(stateOf('1')).toEqual({ kind: 'uncertain', attempt: 1, nonce: nonceOf('1', 1) });
        const evidence = { kind: 'person', note: 'seen in the Sent folder' } as const;
        commitAll(ledger, happened('1', { kind: 'resolved', as: 'sent', messageId: '<1@example.com>', evidence }));
        expect(stateOf('1')).toEqual({ kind: 'sent', attempt: 1 });
        expect(ledger.attempts('1')).toMatchObject([{ outcome: 'lost' }]);
        expect(JSON.parse(ledger.reportFor('1', nonceOf('1', 1))?.body ?? '')).toMatchObject({
          outcome: 'sent',
          evidence,
        });
      });

      it('changes nothing when an event is repeated that had its effect', () => {
        commitAll(ledger, happened('1', started(1), 10));
        commitAll(ledger, happened('1', started(1), 99));
        commitAll(ledger, happened('1', handedOver(1), 20));
        commitAll(ledger, happened('1', accepted('1', 1), 30), happened('1', accepted('1', 1), 99));
        expect(ledger.mail('1')?.changedAtMs).toBe(30);
        expect(ledger.attempts('1')).toMatchObject([{ startedAtMs: 10, endedAtMs: 30 }]);
        expect(ledger.untold(1e12, 10)).toHaveLength(1);
      });

      it('refuses an illegal move and everything that came with it', () => {
        const before = everythingIn(ledger, ['1', '2'], [nonceOf('1', 1)]);
        const done = ledger.commit([
          happened('2', started(1)),
          { kind: 'setting', key: 'pace', value: 1 },
          { kind: 'hold-set', hold: { kind: 'user', sinceMs: 1, untilMs: null, text: '', repeat: 1 } },
          { kind: 'claim-asked', claimId: 'a', atMs: 1 },
          happened('1', handedOver(1)),
        ]);
        expect(done).toEqual({
          ok: false,
          error: {
            kind: 'illegal',
            mailId: '1',
            move: { from: 'claimed', event: 'handed-over', why: 'not-from-here' },
          },
        });
        expect(everythingIn(ledger, ['1', '2'], [nonceOf('1', 1)])).toEqual(before);
      });

      it('refuses an event for a mail it does not know', () => {
        const done = ledger.commit([happened('1', started(1)), happened('404', started(1))]);
        expect(done).toEqual({ ok: false, error: { kind: 'unknown-mail', mailId: '404' } });
        expect(stateOf('1')).toMatchObject({ kind: 'claimed' });
      });

      it('lets a later change of a commit see an earlier one', () => {
        commitAll(ledger, happened('1', started(1)), happened('1', handedOver(1)), happened('1', accepted('1', 1)));
        expect(stateOf('1')).toEqual({ kind: 'sent', attempt: 1 });
      });

      it('does nothing for an empty commit', () => {
        expect(ledger.commit([])).toEqual({ ok: true, value: undefined });
      });
    });

    describe('choosing what is next', () => {
      it('answers the first mail in the order claimed that may be tried', () => {
        commitAll(ledger, claimed([newMail(5, { notBeforeMs: 100 }), newMail(3), newMail(4)]));
        expect(ledger.nextDue(99)?.id).toBe('3');
        expect(ledger.nextDue(100)).toEqual(ledger.mail('5'));
        expect(ledger.nextDue(99)).toEqual(ledger.mail('3'));
        expect(ledger.nextDueAtMs()).toBe(0);
      });

      it('counts those that are due only later, and none that may not be tried at all', () => {
        commitAll(ledger, claimed([newMail(1, { notBeforeMs: 100 }), newMail(2), newMail(3), newMail(4)]));
        commitAll(ledger, happened('2', { kind: 'postponed', retryAtMs: 200 }));
        commitAll(ledger, happened('3', started(1)), happened('3', notSent('3', 1, 300)));
        expect([0, 99, 100, 199, 200].map((atMs) => ledger.dueAfter(atMs))).toEqual([2, 2, 1, 1, 0]);
      });

      it('waits for the retry and for the not-before, whichever is later', () => {
        commitAll(ledger, claimed([newMail(1, { notBeforeMs: 100 })]));
        commitAll(ledger, happened('1', started(1)), happened('1', { kind: 'cleared', retryAtMs: 500 }));
        expect(ledger.nextDue(499)).toBeNull();
        expect(ledger.nextDue(500)?.id).toBe('1');
        expect(ledger.nextDueAtMs()).toBe(500);
        commitAll(ledger, happened('1', started(2)), happened('1', { kind: 'cleared', retryAtMs: 50 }));
        expect(ledger.nextDueAtMs()).toBe(100);
      });

      it('does not try a mail whose not-sent report is untold', () => {
        commitAll(ledger, claimed([newMail(1)]), happened('1', started(1)), happened('1', notSent('1', 1, 9_000)));
        expect(ledger.nextDue(1e12)).toBeNull();
        expect(ledger.nextDueAtMs()).toBeNull();
        expect(ledger.held(10).map(({ id }) => id)).toEqual(['1']);
        commitAll(
          ledger,
          { kind: 'report-ended', seq: 1, end: { kind: 'told' }, atMs: 50 },
          happened('1', { kind: 'settled', nonce: nonceOf('1', 1) }),
        );
        expect(ledger.nextDueAtMs()).toBe(9_000);
      });

      it('does not let a mail wait for an instant that a clock ahead of its time wrote', () => {
        commitAll(ledger, claimed([newMail(1)]), happened('1', { kind: 'postponed', retryAtMs: 1e12 }));
        expect(ledger.nextDue(1e12 - DAY_MS)).toBeNull();
        expect(ledger.nextDue(1e11)?.id).toBe('1');
      });

      it('lets a mail wait for the start it was given, however far ahead', () => {
        commitAll(ledger, claimed([newMail(1, { notBeforeMs: 1e12 })]));
        expect(ledger.nextDue(1e11)).toBeNull();
      });

      it('postpones a mail that cannot be prepared now', () => {
        commitAll(ledger, claimed([newMail(1)]), happened('1', { kind: 'postponed', retryAtMs: 700 }));
        expect(ledger.nextDueAtMs()).toBe(700);
        expect(ledger.attempts('1')).toEqual([]);
      });

      it('offers no mail that is under way or finished', () => {
        commitAll(ledger, claimed([newMail(1), newMail(2), newMail(3)]));
        sendMail(ledger, '1', 10);
        commitAll(ledger, happened('2', started(1)), happened('3', started(1)), happened('3', handedOver(1)));
        expect(ledger.nextDue(1e12)).toBeNull();
        expect(ledger.held(10).map(({ id }) => id)).toEqual(['2', '3']);
        expect(ledger.held(1).map(({ id }) => id)).toEqual(['2']);
        expect([ledger.heldIds(10), ledger.heldIds(1)]).toEqual([['2', '3'], ['2']]);
      });
    });

    describe('the outbox', () => {
      beforeEach(() => {
        commitAll(ledger, claimed([newMail(1), newMail(2)]));
        commitAll(ledger, happened('1', started(1)), happened('1', notSent('1', 1)));
        commitAll(ledger, happened('2', refused('2', 0)));
        // A second report of mail 1 behind the first, which is still untold.
        commitAll(ledger, happened('1', { kind: 'refused', attempt: 1, nonce: null, failure: failureAt('prepare') }));
      });
      const told = (seq: number) => ({ kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 50 }) as const;

      it('tells the oldest first and one report a mail', () => {
        expect(ledger.untold(0, 10).map(({ seq, mailId, route }) => [seq, mailId, route])).toEqual([
          [1, '1', 'notSent'],
          [2, '2', 'result'],
        ]);
        expect(ledger.untold(0, 1).map(({ seq }) => seq)).toEqual([1]);
        expect(ledger.counts().untold).toBe(3);
        commitAll(ledger, told(1));
        expect(ledger.untold(0, 10).map(({ seq }) => seq)).toEqual([2, 3]);
      });

      it('keeps the bytes of a report over tries and restarts', () => {
        const [first] = ledger.untold(0, 1);
        commitAll(ledger, { kind: 'report-postponed', seq: 1, untilMs: 400 });
        const [again] = under.reopen().untold(400, 1);
        expect(again).toEqual({ ...first, tries: 1 });
      });

      it('tells a report at once that a clock ahead of its time put off into the far future', () => {
        commitAll(ledger, { kind: 'report-postponed', seq: 1, untilMs: 1e12 });
        const seqsAt = (nowMs: number) => ledger.untold(nowMs, 10).map(({ seq }) => seq);
        expect(seqsAt(1e12 - DAY_MS)).not.toContain(1);
        expect(seqsAt(1e11)).toContain(1);
      });

      it('holds a postponed report back, and what the same mail has behind it', () => {
        commitAll(ledger, { kind: 'report-postponed', seq: 1, untilMs: 400 });
        expect(ledger.untold(399, 10).map(({ seq }) => seq)).toEqual([2]);
        expect(ledger.nextUntoldAtMs()).toBe(0);
        commitAll(ledger, told(2));
        expect(ledger.nextUntoldAtMs()).toBe(400);
        commitAll(ledger, told(1), told(3));
        expect(ledger.nextUntoldAtMs()).toBeNull();
        expect(ledger.untold(1e12, 10)).toEqual([]);
      });

      it('finds a report by its nonce, told or not, and the latest one without', () => {
        expect(ledger.reportFor('1', nonceOf('1', 1))).toMatchObject({ seq: 1, ended: null });
        commitAll(ledger, told(1));
        expect(ledger.reportFor('1', nonceOf('1', 1))).toMatchObject({ seq: 1, ended: 'told' });
        expect(ledger.reportFor('1', null)).toMatchObject({ seq: 3, ended: null });
        expect(ledger.reportFor('2', nonceOf('1', 1))).toBeNull();
        expect(ledger.reportFor('404', null)).toBeNull();
      });

      it('counts conflicts and does not tell them again', () => {
        const end = { kind: 'conflict', problem: 'conflicting-result', stored: { status: 'sent' } } as const;
        commitAll(ledger, { kind: 'report-ended', seq: 2, end, atMs: 50 });
        expect(ledger.counts()).toMatchObject({ untold: 2, conflicts: 1 });
        expect(ledger.reportFor('2', null)).toMatchObject({ ended: 'conflict' });
        expect(ledger.untold(0, 10).map(({ seq }) => seq)).toEqual([1]);
      });

      it('counts no conflict that a person has taken note of, until its report is told anew', () => {
        const end = { kind: 'conflict', problem: 'conflicting-result', stored: { status: 'sent' } } as const;
        const seen = { kind: 'seen', what: 'conflict', mailIds: ['2', '404'], atMs: 60 } as const;
        commitAll(ledger, { kind: 'report-ended', seq: 2, end, atMs: 50 }, seen);
        ledger = under.reopen();
        expect(ledger.counts().conflicts).toBe(0);
        commitAll(ledger, { kind: 'report-reopened', seq: 2 }, { kind: 'report-ended', seq: 2, end, atMs: 70 });
        expect(ledger.counts().conflicts).toBe(1);
      });

      it('lets the first end of a report stand', () => {
        commitAll(ledger, told(2), { kind: 'report-postponed', seq: 2, untilMs: 400 });
        const end = { kind: 'conflict', problem: 'conflicting-result', stored: undefined } as const;
        commitAll(ledger, { kind: 'report-ended', seq: 2, end, atMs: 60 });
        expect(ledger.reportFor('2', null)).toMatchObject({ ended: 'told', tries: 0 });
      });

      it('tells a report again that was reopened, at once', () => {
        commitAll(ledger, { kind: 'report-postponed', seq: 2, untilMs: 400 }, told(2), {
          kind: 'report-reopened',
          seq: 2,
        });
        expect(ledger.untold(0, 10).map(({ seq, tries }) => [seq, tries])).toEqual([
          [1, 0],
          [2, 1],
        ]);
      });

      it.each([
        { kind: 'report-ended', seq: 404, end: { kind: 'told' }, atMs: 1 },
        { kind: 'report-postponed', seq: 404, untilMs: 1 },
        { kind: 'report-reopened', seq: 404 },
      ] as const)('throws for $kind of a report that does not exist, and keeps nothing of the commit', (change) => {
        expect(() => ledger.commit([{ kind: 'setting', key: 'pace', value: 1 }, change])).toThrow('no report 404');
        expect(ledger.setting('pace')).toBeUndefined();
        commitAll(ledger, { kind: 'setting', key: 'pace', value: 2 });
      });
    });

    describe('lists and counts', () => {
      beforeEach(() => {
        commitAll(ledger, claimed([newMail(1), newMail(2), newMail(3), newMail(4)], 100));
        commitAll(ledger, happened('3', started(1), 300));
        commitAll(ledger, happened('1', { kind: 'withdrawn', as: 'cancelled' }, 200));
      });
      const ids = (kinds: Parameters<Ledger['list']>[0]['kinds'], limit: number, offset: number) =>
        ledger.list({ kinds, limit, offset }).map(({ id }) => id);

      it('lists the newest change first, the later claimed first among equals', () => {
        expect(ids(null, 10, 0)).toEqual(['3', '1', '4', '2']);
      });

      it('lists by kind and page', () => {
        expect(ids(['claimed', 'cancelled'], 2, 0)).toEqual(['1', '4']);
        expect(ids(['claimed', 'cancelled'], 2, 2)).toEqual(['2']);
        expect(ids(['sent'], 10, 0)).toEqual([]);
        expect(ids([], 10, 0)).toEqual([]);
        expect(ids(null, 0, 0)).toEqual([]);
      });

      it('counts every kind', () => {
        commitAll(ledger, happened('2', started(1)), happened('2', lost('2', 1)));
        expect(under.reopen().counts()).toEqual({
          claimed: 1,
          attempting: 1,
          'handed-over': 0,
          sent: 0,
          failed: 0,
          uncertain: 1,
          cancelled: 1,
          released: 0,
          untold: 1,
          conflicts: 0,
        });
      });
    });

    describe('tasks', () => {
      const told = { id: 'task-1', name: 'Spring', total: 40, queued: 38, sent: 1, failed: 0 };
      const here = { taskId: 'task-1', open: 0, sent: 0, failed: 0, uncertain: 0 };

      it('are counted here, beside what the cloud told of them', () => {
        commitAll(ledger, claimed([newMail(1), newMail(2), newMail(3)], 100));
        sendMail(ledger, '1', 200);
        commitAll(ledger, happened('3', { kind: 'withdrawn', as: 'cancelled' }, 300));
        expect(ledger.tasks(0)).toEqual([{ ...here, name: newMail(1).taskName, open: 1, sent: 1, told: null }]);
        commitAll(ledger, { kind: 'tasks-told', tasks: [told] });
        const { id: _, name, ...counts } = told;
        expect(under.reopen().tasks(0)).toEqual([{ ...here, name, open: 1, sent: 1, told: counts }]);
      });

      it('are shown while there is something to send, and a while after', () => {
        expect(ledger.tasks(0)).toEqual([]);
        commitAll(ledger, claimed([newMail(1)], 100));
        expect(ledger.tasks(1e12)).toHaveLength(1);
        sendMail(ledger, '1', 200);
        expect(ledger.tasks(202)).toHaveLength(1);
        expect(ledger.tasks(203)).toEqual([]);
        commitAll(ledger, { kind: 'tasks-told', tasks: [told, { ...told, id: 'elsewhere' }] });
        expect(ledger.tasks(203).map(({ taskId }) => taskId)).toEqual(['task-1', 'elsewhere']);
      });

      it('have nothing left in the queue once the cloud no longer names them', () => {
        commitAll(ledger, { kind: 'tasks-told', tasks: [told] }, { kind: 'tasks-told', tasks: [] });
        expect(ledger.tasks(0)).toEqual([]);
        commitAll(ledger, claimed([newMail(1)], 100));
        expect(ledger.tasks(0)).toMatchObject([{ told: { total: 40, queued: 0 } }]);
      });
    });

    describe('the pace', () => {
      it('remembers, over a restart, every submission that may have reached the server', () => {
        commitAll(ledger, claimed([1, 2, 3, 4, 5, 6, 7, 8].map((number) => newMail(number))));
        const handOver = (id: string, atMs: number) =>
          commitAll(ledger, happened(id, started(1), atMs - 1), happened(id, handedOver(1), atMs));
        for (const [index, id] of ['1', '2', '3', '4', '5', '6', '7'].entries()) handOver(id, 100 * (index + 1));
        commitAll(ledger, happened('8', started(1), 50));
        commitAll(ledger, happened('1', accepted('1', 1)));
        commitAll(ledger, happened('2', lost('2', 1)));
        // Refused with a reply to the whole mail: it reached the server. Held back at the gate: it did not.
        commitAll(ledger, happened('3', refused('3', 1, 'handed-over')));
        commitAll(ledger, happened('4', notSent('4', 1, 0, 'body')));
        commitAll(ledger, happened('5', { kind: 'cleared', retryAtMs: 0 }));
        commitAll(ledger, happened('6', { kind: 'concluded', as: 'sent' }));
        // Another process began it: nobody knows, whatever this one did.
        commitAll(ledger, happened('7', lost('7', 1, 'prepare')));
        expect(under.reopen().recentSubmissions(10, 1e6)).toEqual([700, 600, 300, 200, 100]);
      });

      it('leaves out submissions that a clock ahead of its time wrote into the far future', () => {
        commitAll(ledger, claimed([newMail(1)]), happened('1', started(1), 1e12), happened('1', handedOver(1), 1e12));
        expect(ledger.recentSubmissions(10, 1e12 - DAY_MS)).toContain(1e12);
        expect(ledger.recentSubmissions(10, 1e11)).not.toContain(1e12);
      });

      it('remembers to whom, on which days, and how the latest attempts ended', () => {
        const day = 86_400_000;
        commitAll(ledger, claimed([1, 2, 3].map((number) => newMail(number))));
        sendMail(ledger, '1', day + 100);
        sendMail(ledger, '2', day + 200);
        commitAll(ledger, happened('3', started(1), 3 * day), happened('3', handedOver(1), 3 * day));
        commitAll(ledger, happened('3', refused('3', 1, 'handed-over'), 3 * day + 1));
        ledger = under.reopen();

        expect(ledger.submissionsSince(day + 150, 10)).toEqual([
          { atMs: 3 * day, mailId: '3' },
          { atMs: day + 201, mailId: '2' },
        ]);
        expect(ledger.submissionsSince(0, 1)).toHaveLength(1);
        expect(ledger.submissionDays(0)).toEqual([3, 1]);
        expect(ledger.submissionDays(2 * day)).toEqual([3]);
        expect([ledger.submissionDays(3 * day), ledger.submissionDays(3 * day + 1)]).toEqual([[3], []]);
        expect(ledger.recentEnds(2).map(({ mailId, outcome }) => [mailId, outcome])).toEqual([
          ['3', 'refused'],
          ['2', 'accepted'],
        ]);
      });

      it('knows the newest hundred days', () => {
        const days = Array.from({ length: 102 }, (_, index) => index + 1);
        commitAll(ledger, claimed(days.map((day) => newMail(day))));
        for (const day of days) {
          commitAll(ledger, happened(`${day}`, started(1), 0), happened(`${day}`, handedOver(1), day * DAY_MS));
          commitAll(ledger, happened(`${day}`, lost(`${day}`, 1), day * DAY_MS));
        }
        expect(ledger.submissionDays(0)).toEqual(days.slice(2).reverse());
      });

      it('answers the newest and no more than asked', () => {
        commitAll(ledger, claimed([newMail(1), newMail(2)]));
        sendMail(ledger, '1', 100);
        sendMail(ledger, '2', 200);
        expect(ledger.recentSubmissions(1, 1e6)).toEqual([201]);
      });
    });

    describe('what the mailbox tells', () => {
      const bounced = {
        id: 'b',
        kind: 'bounced',
        atMs: 7,
        hard: true,
        status: '5.1.1',
        text: 'no such user "谢"',
      } as const;
      const soft = { ...bounced, id: 's', hard: false, status: null } as const;
      const replied = { id: 'r', kind: 'replied', atMs: 8 } as const;
      const gone = { address: 'gone@example.com', sinceMs: 5, mailId: '1', text: 'no such user' } as const;
      beforeEach(() => commitAll(ledger, claimed([newMail(1), newMail(2)])));

      it('keeps facts in the order learned, once each, and tells each of them', () => {
        commitAll(ledger, { kind: 'fact', mailId: '1', fact: bounced, atMs: 9 });
        commitAll(ledger, { kind: 'fact', mailId: '1', fact: soft, atMs: 9 });
        commitAll(ledger, { kind: 'fact', mailId: '1', fact: replied, atMs: 9 });
        commitAll(ledger, { kind: 'fact', mailId: '1', fact: { ...bounced, text: 'told anew' }, atMs: 10 });
        ledger = under.reopen();
        expect(ledger.facts('1')).toEqual([bounced, soft, replied]);
        expect(ledger.facts('2')).toEqual([]);
        expect(ledger.counts().untold).toBe(3);
        const [first] = ledger.untold(1e6, 1);
        expect(first).toMatchObject({ mailId: '1', route: 'fact', nonce: null, tries: 0 });
        expect(JSON.parse(first?.body ?? '')).toMatchObject({
          idempotency_key: 'email-recipient-1',
          fact_id: 'b',
          kind: 'bounced',
          at: '1970-01-01T00:00:00.007Z',
        });
      });

      it('lets the refusal of a fact stand as its end', () => {
        commitAll(ledger, { kind: 'fact', mailId: '1', fact: replied, atMs: 9 });
        const end = { kind: 'refused', problem: 'not-found' } as const;
        commitAll(ledger, { kind: 'report-ended', seq: ledger.untold(1e6, 1)[0]?.seq ?? 0, end, atMs: 10 });
        expect([ledger.counts().untold, ledger.counts().conflicts]).toEqual([0, 0]);
      });

      it('finds a mail by another name, which belongs to the first that took it', () => {
        commitAll(ledger, { kind: 'mail-named', mailId: '1', messageId: '<other@y>' });
        commitAll(ledger, { kind: 'mail-named', mailId: '2', messageId: '<other@y>' });
        ledger = under.reopen();
        expect(ledger.mailNamed('<other@y>')).toBe('1');
        expect(ledger.mailNamed('<unknown@y>')).toBeNull();
      });

      it('names sent mails without a copy, the oldest first, until their copy has come to its end', () => {
        sendMail(ledger, '2', 100);
        sendMail(ledger, '1', 200);
        expect(ledger.lackingCopy(0, 9).map(({ id }) => id)).toEqual(['2', '1']);
        expect(ledger.lackingCopy(0, 1).map(({ id }) => id)).toEqual(['2']);
        expect(ledger.lackingCopy(102, 9).map(({ id }) => id)).toEqual(['1']);
        commitAll(ledger, { kind: 'copy-ended', mailId: '2', end: 'kept', atMs: 300 });
        commitAll(ledger, { kind: 'copy-ended', mailId: '2', end: 'given-up', atMs: 400 });
        ledger = under.reopen();
        expect(ledger.lackingCopy(0, 9).map(({ id }) => id)).toEqual(['1']);
      });

      it('holds an address since its first bounce until it is lifted', () => {
        const later = { ...gone, address: 'later@example.com', sinceMs: 6, mailId: '2' };
        commitAll(ledger, { kind: 'address-held', held: gone }, { kind: 'address-held', held: later });
        commitAll(ledger, { kind: 'address-held', held: { ...gone, sinceMs: 50, text: 'again' } });
        ledger = under.reopen();
        expect(ledger.heldAddress(gone.address)).toEqual(gone);
        expect(ledger.heldAddresses(9)).toEqual([later, gone]);
        expect(ledger.heldAddresses(1)).toEqual([later]);
        commitAll(ledger, { kind: 'address-lifted', address: gone.address });
        expect([ledger.heldAddress(gone.address), ledger.heldAddresses(9)]).toEqual([null, [later]]);
      });

      it.each<LedgerChange>([
        { kind: 'fact', mailId: '7', fact: replied, atMs: 9 },
        { kind: 'mail-named', mailId: '7', messageId: '<other@y>' },
        { kind: 'copy-ended', mailId: '7', end: 'kept', atMs: 9 },
        { kind: 'address-held', held: { ...gone, mailId: '7' } },
      ])('refuses what is said of a mail it does not know, and what came with it: $kind', (change) => {
        expect(ledger.commit([{ kind: 'setting', key: 'pace', value: 1 }, change])).toEqual({
          ok: false,
          error: { kind: 'unknown-mail', mailId: '7' },
        });
        expect(ledger.setting('pace')).toBeUndefined();
      });
    });

    describe('holds and settings', () => {
      it('keeps one hold a kind, in the order of the kinds, until it is lifted', () => {
        const hold = { kind: 'back-off', sinceMs: 1, untilMs: 2, text: '451 太多 "later"', repeat: 1 } as const;
        const user = { kind: 'user', sinceMs: 3, untilMs: null, text: '', repeat: 1 } as const;
        commitAll(ledger, { kind: 'hold-set', hold }, { kind: 'hold-set', hold: user });
        commitAll(ledger, { kind: 'hold-set', hold: { ...hold, sinceMs: 5, repeat: 2 } });
        ledger = under.reopen();
        expect(ledger.holds()).toEqual([user, { ...hold, sinceMs: 5, repeat: 2 }]);
        commitAll(ledger, { kind: 'hold-lifted', holdKind: 'user' }, { kind: 'hold-lifted', holdKind: 'token' });
        expect(ledger.holds()).toEqual([{ ...hold, sinceMs: 5, repeat: 2 }]);
      });

      it('shows a hold as soon as it is set or lifted, whatever came with it', () => {
        const user = { kind: 'user', sinceMs: 3, untilMs: null, text: '', repeat: 1 } as const;
        const pace = { kind: 'setting', key: 'pace', value: 1 } as const;
        expect(ledger.holds()).toEqual([]);
        commitAll(ledger, pace, { kind: 'hold-set', hold: user });
        expect(ledger.holds()).toEqual([user]);
        commitAll(ledger, { kind: 'hold-set', hold: { ...user, repeat: 2 } });
        expect(ledger.holds()).toEqual([{ ...user, repeat: 2 }]);
        commitAll(ledger, { kind: 'hold-lifted', holdKind: 'user' }, pace);
        expect(ledger.holds()).toEqual([]);
      });

      it('keeps any JSON value as a setting; undefined removes it', () => {
        commitAll(ledger, { kind: 'setting', key: 'pace', value: { perDay: 3, workingHours: null } });
        commitAll(ledger, { kind: 'setting', key: 'pairing', value: null });
        ledger = under.reopen();
        expect(ledger.setting('pace')).toEqual({ perDay: 3, workingHours: null });
        expect(ledger.setting('pairing')).toBeNull();
        commitAll(
          ledger,
          { kind: 'setting', key: 'pace', value: 7 },
          { kind: 'setting', key: 'pairing', value: undefined },
        );
        expect(ledger.setting('pace')).toBe(7);
        expect(ledger.setting('pairing')).toBeUndefined();
      });
    });
  });
}
