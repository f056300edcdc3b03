import { describe, expect, it } from 'vitest';
import { currentTasks, mailCounts, statusOf } from '../../src/main/engine/status.ts';
import {
  accepted,
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  refused,
  started,
} from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';

const HOUR_MS = 3_600_000;

type End = 'sent' | 'failed' | 'uncertain';
/** A mail of a task of its own, with this outcome so long ago. */
function ended({ ledger, clock }: BareContext, number: number, end: End, agoMs: number): void {
  const atMs = clock.nowMs() - agoMs;
  const id = `${number}`;
  commitAll(ledger, claimed([newMail(number, { taskId: `task-${number}` })], atMs));
  const outcome = { sent: accepted(id, 1), failed: refused(id, 1), uncertain: lost(id, 1) }[end];
  for (const event of [started(1), handedOver(1), outcome]) commitAll(ledger, happened(id, event, atMs));
}

describe('the counts of mails', () => {
  it('call those under way "sending", and those not begun "waiting"', () => {
    const counts = {
      claimed: 1,
      attempting: 2,
      'handed-over': 4,
      sent: 8,
      failed: 16,
      uncertain: 32,
      cancelled: 64,
      released: 128,
      untold: 256,
      conflicts: 512,
    };
    const { claimed: waiting, attempting: _, 'handed-over': __, ...rest } = counts;

    expect(mailCounts({ counts: () => counts })).toEqual({ waiting, sending: 6, ...rest });
  });
});

describe('the tasks a person looks at', () => {
  const shown = ({ ledger, clock }: BareContext) => currentTasks(ledger, clock.nowMs()).map(({ taskId }) => taskId);

  it('are those at work and those done within twelve hours', () => {
    const bare = bareContext();
    expect(shown(bare)).toEqual([]);
    ended(bare, 1, 'sent', 13 * HOUR_MS);
    ended(bare, 2, 'sent', 11 * HOUR_MS);
    ended(bare, 3, 'sent', HOUR_MS);
    commitAll(bare.ledger, claimed([newMail(4, { taskId: 'task-4' })], bare.clock.nowMs()));

    expect(shown(bare)).toEqual(['task-4', 'task-3', 'task-2']);
  });

  it.each(['sent', 'failed', 'uncertain'] as const)('are the last one where none was done lately (%s)', (end) => {
    const bare = bareContext();
    ended(bare, 1, end, 14 * HOUR_MS);
    ended(bare, 2, end, 13 * HOUR_MS);

    expect(shown(bare)).toEqual(['task-2']);
  });
});

describe('the status', () => {
  const questions: Record<string, (bare: BareContext) => void> = {
    'an uncertain mail': (bare) => ended(bare, 1, 'uncertain', HOUR_MS),
    'a conflict': (bare) => {
      ended(bare, 2, 'sent', HOUR_MS);
      const seq = bare.ledger.reportFor('2', null)?.seq ?? 0;
      const end = { kind: 'conflict', problem: 'conflicting-result', stored: null } as const;
      commitAll(bare.ledger, { kind: 'report-ended', seq, end, atMs: 4_000 });
    },
    'a mail to an address that came back': ({ ledger }) => {
      const address = 'bert@example.net';
      commitAll(ledger, claimed([newMail(3, { payload: { to: { address } } })]));
      commitAll(ledger, { kind: 'address-held', held: { address, sinceMs: 0, mailId: '3', text: '550' } });
    },
  };
  const names = Object.keys(questions);

  it.each([
    ...names.map((name) => [name]),
    ...names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other])),
  ])('asks for a person where there is %s %s', (...asked) => {
    const bare = bareContext();
    const before = statusOf(bare.context).state;
    for (const name of asked) questions[name]?.(bare);

    expect([before, statusOf(bare.context).state]).toEqual(['idle', 'needs-you']);
  });

  it('names what is being sent, or what it waits for', () => {
    const { context } = bareContext();
    const waiting = { why: 'gap', untilMs: 5 } as const;
    context.live.waiting = waiting;
    const before = statusOf(context);
    const current = { mailId: '1', attempt: 1, stage: 'body' } as const;
    context.live.current = current;

    expect(before).toMatchObject({ state: 'idle', current: null, waiting });
    expect(statusOf(context)).toMatchObject({ state: 'sending', current, waiting: null });
  });
});
