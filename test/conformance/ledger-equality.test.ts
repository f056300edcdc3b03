import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/main/adapters/sqlite/open-ledger.ts';
import type { MailEvent } from '../../src/main/core/mail-state.ts';
import type { Ledger, LedgerChange } from '../../src/main/engine/ports.ts';
import { type MemoryLedger, memoryLedger } from '../support/memory-ledger.ts';
import { everythingIn, failureAt, newMail, nonceOf, reply } from './ledger-samples.ts';

const IDS = ['1', '2', '3'];
const ATTEMPTS = [0, 1, 2, 3];
const NONCES = IDS.flatMap((id) => ATTEMPTS.map((attempt) => nonceOf(id, attempt)));

const id = fc.constantFrom(...IDS);
const instant = fc.constantFrom(0, 1, 5, 10, 50, 1_000);
const attempt = fc.constantFrom(0, 1, 1, 2, 2, 3);
const failure = fc.constantFrom('prepare', 'connect', 'body', 'handed-over').map(failureAt);

const eventFor = (mailId: string): fc.Arbitrary<MailEvent> =>
  fc.oneof(
    fc.record({ kind: fc.constant('attempt-started'), attempt }),
    fc.record({ kind: fc.constant('handed-over'), attempt }),
    attempt.map(
      (n): MailEvent => ({ kind: 'accepted', attempt: n, nonce: nonceOf(mailId, n), messageId: '<m@x>', reply }),
    ),
    fc.tuple(attempt, failure, fc.boolean()).map(
      ([n, why, begun]): MailEvent => ({
        kind: 'refused',
        attempt: n,
        nonce: begun ? nonceOf(mailId, n) : null,
        failure: why,
      }),
    ),
    fc.tuple(attempt, failure, fc.boolean(), instant).map(([n, why, begun, retryAtMs]): MailEvent => {
      const nonce = begun ? nonceOf(mailId, n) : null;
      return { kind: 'not-sent', attempt: n, nonce, retryAtMs, failure: why };
    }),
    fc.tuple(attempt, failure).map(
      ([n, why]): MailEvent => ({
        kind: 'lost',
        attempt: n,
        nonce: nonceOf(mailId, n),
        messageId: '<m@x>',
        failure: why,
      }),
    ),
    attempt.map((n): MailEvent => ({ kind: 'settled', nonce: nonceOf(mailId, n) })),
    instant.map((retryAtMs): MailEvent => ({ kind: 'postponed', retryAtMs })),
    fc.constantFrom<MailEvent>(
      { kind: 'withdrawn', as: 'released' },
      { kind: 'withdrawn', as: 'cancelled' },
      { kind: 'reclaimed' },
      { kind: 'concluded', as: 'failed' },
      { kind: 'resolved', as: 'sent', messageId: '<m@x>', evidence: { kind: 'person', note: 'seen' } },
    ),
    instant.map((retryAtMs): MailEvent => ({ kind: 'cleared', retryAtMs })),
  );

/** A change, or a wish that is filled in from what the ledger holds, so that long lives are not rare. */
type Wish = LedgerChange | { readonly kind: 'next-step'; readonly mailId: string; readonly atMs: number };

const what = fc.constantFrom('failure', 'conflict');
const few = fc.integer({ min: 0, max: 3 });
const toldTask = fc.record({
  id: fc.constantFrom('task-1', 'elsewhere'),
  name: fc.constantFrom('A', 'B'),
  total: few,
  queued: few,
  sent: few,
  failed: few,
});
const seq = fc.integer({ min: 1, max: 4 });
const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ kind: fc.constant('next-step'), mailId: id, atMs: instant }) },
  {
    weight: 6,
    arbitrary: id.chain((mailId) =>
      fc.record({ kind: fc.constant('mail'), mailId: fc.constant(mailId), event: eventFor(mailId), atMs: instant }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mails-claimed'),
      claimId: fc.constantFrom(null, 'a', 'b'),
      atMs: instant,
      mails: fc.array(
        fc
          .tuple(fc.constantFrom(1, 2, 3), fc.option(instant), fc.integer({ min: 0, max: 30 }))
          .map(([number, notBeforeMs, odd]) =>
            newMail(number, { notBeforeMs, ...(odd === 0 ? { payloadHash: 'sha256:other' } : {}) }),
          ),
        { maxLength: 3 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('claim-asked'), claimId: fc.constantFrom('a', 'b'), atMs: instant }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('report-ended'),
      seq,
      end: fc.constant({ kind: 'told' } as const),
      atMs: instant,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('report-ended'),
      seq,
      end: fc.record({
        kind: fc.constant('conflict'),
        problem: fc.constant('conflicting-result'),
        stored: fc.jsonValue(),
      }),
      atMs: instant,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('report-postponed'), seq, untilMs: instant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('report-reopened'), seq }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hold-set'),
      hold: fc.record({
        kind: fc.constantFrom('user', 'back-off', 'token'),
        sinceMs: instant,
        untilMs: fc.option(instant),
        text: fc.string({ unit: 'grapheme' }),
        repeat: fc.integer({ min: 1, max: 9 }),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('hold-lifted'), holdKind: fc.constantFrom('user', 'back-off') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('seen'), what, mailIds: fc.subarray(IDS), atMs: instant }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tasks-told'),
      tasks: fc.uniqueArray(toldTask, { selector: ({ id }) => id, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fact'),
      mailId: id,
      fact: fc.oneof(
        fc.record({ kind: fc.constant('replied'), id: fc.constantFrom('a', 'b'), atMs: instant }),
        fc.record({
          kind: fc.constant('bounced'),
          id: fc.constantFrom('a', 'c'),
          atMs: instant,
          hard: fc.boolean(),
          status: fc.constantFrom(null, '5.1.1'),
          text: fc.string({ unit: 'grapheme' }),
        }),
      ),
      atMs: instant,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mail-named'),
      mailId: id,
      messageId: fc.constantFrom('<a@x>', '<b@x>'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('copy-ended'),
      mailId: id,
      end: fc.constantFrom('kept', 'there-already', 'given-up'),
      atMs: instant,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('a@x', 'b@x', 'c@x'), instant, id).map(
      ([address, sinceMs, mailId]): Wish => ({
        kind: 'address-held',
        held: { address, sinceMs, mailId, text: 'no' },
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('address-lifted'), address: fc.constantFrom('a@x', 'b@x') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('setting'),
      key: fc.constantFrom('pairing', 'pace'),
      value: fc.jsonValue(),
    }),
  },
);

/** The event that carries a mail on along its usual way. */
function nextStep(ledger: Ledger, mailId: string): MailEvent {
  const state = ledger.mail(mailId)?.state;
  const n = state?.attempt ?? 0;
  switch (state?.kind) {
    case 'claimed':
      return state.settlingNonce === null
        ? { kind: 'attempt-started', attempt: n + 1 }
        : { kind: 'settled', nonce: state.settlingNonce };
    case 'attempting':
      return { kind: 'handed-over', attempt: n };
    case 'handed-over': {
      const ended = { attempt: n, nonce: nonceOf(mailId, n) };
      if (mailId === '1') return { kind: 'accepted', ...ended, messageId: '<m@x>', reply };
      const failed = { ...ended, failure: failureAt('handed-over') };
      return mailId === '2'
        ? { kind: 'lost', ...failed, messageId: '<m@x>' }
        : { kind: 'not-sent', ...failed, retryAtMs: 5 };
    }
    default:
      return { kind: 'reclaimed' };
  }
}

const asChange = (ledger: Ledger, wanted: Wish): LedgerChange =>
  wanted.kind === 'next-step'
    ? { kind: 'mail', mailId: wanted.mailId, event: nextStep(ledger, wanted.mailId), atMs: wanted.atMs }
    : wanted;

/** A commit's answer, or the words of what it threw. */
function answerOf(ledger: Ledger, changes: readonly LedgerChange[]): unknown {
  try {
    return ledger.commit(changes);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

function openIn(folder: string): Ledger {
  const opened = openLedger({ folder });
  if (!opened.ok) throw new Error(opened.error.text);
  return opened.value.ledger;
}

describe('The memory and the SQLite ledger', () => {
  it('answer the same to every sequence of commits, and after a restart', () => {
    const kindsSeen = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(fc.array(wish, { minLength: 1, maxLength: 3 }), { minLength: 20, maxLength: 60, size: 'max' }),
        (commits) => {
          const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
          const memory: MemoryLedger = memoryLedger();
          let sqlite = openIn(folder);
          try {
            for (const wishes of commits) {
              const changes = wishes.map((wanted) => asChange(memory, wanted));
              const answer = answerOf(memory, changes);
              expect(answerOf(sqlite, changes)).toEqual(answer);
              for (const mailId of IDS) kindsSeen.add(memory.mail(mailId)?.state.kind ?? 'none');
            }
            const expected = everythingIn(memory, IDS, NONCES);
            expect(everythingIn(sqlite, IDS, NONCES)).toEqual(expected);
            sqlite.close();
            sqlite = openIn(folder);
            expect(everythingIn(sqlite, IDS, NONCES)).toEqual(expected);
            expect(everythingIn(memory.copy(), IDS, NONCES)).toEqual(expected);
          } finally {
            sqlite.close();
            rmSync(folder, { recursive: true });
          }
        },
      ),
      { numRuns: 150 },
    );
    // Sequences that never got far would prove little.
    expect([...kindsSeen]).toEqual(
      expect.arrayContaining(['claimed', 'attempting', 'handed-over', 'sent', 'uncertain']),
    );
    // Thousands of durable commits: a slow or busy disk makes them long, not wrong.
  }, 300_000);
});
