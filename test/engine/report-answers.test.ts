import { describe, expect, it } from 'vitest';
import type { Cloud, CloudFailure, LedgerChange, LedgerFailure, ReportEnd } from '../../src/main/engine/ports.ts';
import { tellTheRest } from '../../src/main/engine/report-loop.ts';
import { err, ok, type Result } from '../../src/shared/result.ts';
import type { ProblemCode } from '../../src/shared/wire/problem.ts';
import {
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  nonceOf,
  notSent,
  refused,
  sendMail,
  started,
} from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';
import { VirtualClock } from '../support/fakes-clock.ts';
import { ModelCloud } from '../support/fakes-cloud.ts';
import { type MemoryLedger, memoryLedger } from '../support/memory-ledger.ts';

/** A ledger, and the ends of reports written into it. */
function endsKept(): { readonly ledger: MemoryLedger; readonly ends: ReportEnd[] } {
  const ledger = memoryLedger();
  const ends: ReportEnd[] = [];
  const commit = (changes: readonly LedgerChange[]) => {
    for (const change of changes) if (change.kind === 'report-ended') ends.push(change.end);
    return ledger.commit(changes);
  };
  return { ledger: { ...ledger, commit }, ends };
}

/** A context whose cloud answers every report like this. */
function answering(
  answer: Result<void, CloudFailure>,
  ledger: MemoryLedger = memoryLedger(),
): BareContext & { readonly asked: string[] } {
  const asked: string[] = [];
  const report: Cloud['report'] = async (row) => {
    asked.push(row.route);
    return answer;
  };
  return {
    ...bareContext({ ledger, cloud: { ...new ModelCloud(new VirtualClock()).port('agent-1'), report } }),
    asked,
  };
}
const problem = (code: ProblemCode, stored: unknown = null, retryAfterMs: number | null = null): CloudFailure => ({
  kind: 'problem',
  code,
  detail: '',
  stored,
  retryAfterMs,
});
const stored = (status: string) => ({ status, smtp_message_id: null, error_message: null });

const toHandedOver = [claimed([newMail(1)]), happened('1', started(1)), happened('1', handedOver(1))];
const LOST = [...toHandedOver, happened('1', lost('1', 1))];
const REFUSED = [...toHandedOver, happened('1', refused('1', 1))];
const NOT_SENT = [...toHandedOver, happened('1', notSent('1', 1, 0))];

async function tell({ ledger, context }: BareContext, changes: readonly LedgerChange[]): Promise<number> {
  for (const change of changes) commitAll(ledger, change);
  return tellTheRest(context, new AbortController().signal);
}
const ended = ({ ledger }: BareContext) => ledger.reportFor('1', null)?.ended;
const conflicts = ({ ledger }: BareContext) => ledger.counts().conflicts;

describe('a report that the cloud took', () => {
  it('is told, and the mail may be tried again where it was not sent', async () => {
    const bare = answering(ok(undefined));
    const left = await tell(bare, NOT_SENT);

    expect([left, ended(bare), bare.asked]).toEqual([0, 'told', ['notSent']]);
    expect(bare.ledger.mail('1')?.state).toMatchObject({ kind: 'claimed', settlingNonce: null });
    expect(await bare.rung()).toEqual(['send']);
    expect(bare.changes()).toBe(1);
  });

  it.each<[string, readonly LedgerChange[]]>([
    ['waits for no report any more', [happened('1', { kind: 'cleared', retryAtMs: 0 })]],
    ['is under way again', [happened('1', { kind: 'cleared', retryAtMs: 0 }), happened('1', started(2))]],
    [
      'waits for the report of another attempt',
      [
        happened('1', { kind: 'cleared', retryAtMs: 0 }),
        happened('1', started(2)),
        happened('1', { ...notSent('1', 2, 0), nonce: null } as Parameters<typeof happened>[1]),
      ],
    ],
  ])('changes nothing of a mail that %s', async (_, more) => {
    const bare = answering(ok(undefined));
    const left = await tell(bare, [...NOT_SENT, ...more]);
    const before = bare.ledger.mail('1')?.state;

    expect(left).toBe(0);
    expect(bare.ledger.reportFor('1', nonceOf('1', 1))?.ended).toBe('told');
    expect(bare.ledger.mail('1')?.state).toEqual(before);
  });

  it('lets the mail wait on where it waits for the report of a later attempt', async () => {
    const answers: Result<void, CloudFailure>[] = [ok(undefined), err({ kind: 'unreachable', text: '' })];
    const report: Cloud['report'] = async () => answers.shift() ?? err({ kind: 'unreachable', text: '' });
    const bare = bareContext({ cloud: { ...new ModelCloud(new VirtualClock()).port('agent-1'), report } });
    const again = [
      happened('1', { kind: 'cleared', retryAtMs: 0 }),
      happened('1', started(2)),
      happened('1', notSent('1', 2, 0)),
    ];
    await tell(bare, [...NOT_SENT, ...again]);

    expect(bare.ledger.reportFor('1', nonceOf('1', 1))?.ended).toBe('told');
    expect(bare.ledger.mail('1')?.state).toMatchObject({ settlingNonce: nonceOf('1', 2) });
  });

  it('is told on and on, four at a time, until none is left', async () => {
    const bare = answering(ok(undefined));
    const ids = ['1', '2', '3', '4', '5', '6'];
    commitAll(bare.ledger, claimed(ids.map((id) => newMail(Number(id)))));
    for (const id of ids) sendMail(bare.ledger, id, 3_000);

    expect(await tell(bare, [])).toBe(0);
    expect(bare.asked).toHaveLength(6);
  });
});

describe('telling what is left', () => {
  it('has at most four reports under way, whatever is told already and not written', async () => {
    let [underWay, most] = [0, 0];
    const report: Cloud['report'] = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return ok(undefined);
    };
    const bare = bareContext({ cloud: { ...new ModelCloud(new VirtualClock()).port('agent-1'), report } });
    const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
    commitAll(bare.ledger, claimed(numbers.map((number) => newMail(number))));
    for (const number of numbers) sendMail(bare.ledger, `${number}`, 3_000);
    for (const id of ['8', '9']) {
      const seq = bare.ledger.reportFor(id, null)?.seq ?? 0;
      bare.context.journal.defer([{ kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 4_000 }]);
    }

    expect([await tell(bare, []), most]).toEqual([0, 4]);
  });

  it('ends where the disk fails: the same would be told again and again', async () => {
    let failure: LedgerFailure | null = null;
    const ledger = memoryLedger({ failure: () => failure });
    const asked: string[] = [];
    const report: Cloud['report'] = async ({ route }) => {
      asked.push(route);
      return ok(undefined);
    };
    const bare = bareContext({ ledger, cloud: { ...new ModelCloud(new VirtualClock()).port('agent-1'), report } });
    for (const change of NOT_SENT) commitAll(ledger, change);
    failure = { kind: 'full', text: 'disk full' };

    expect(await tell(bare, [])).toBe(1);
    expect(asked).toEqual(['notSent']);
  });

  it('that is broken off puts nothing off', async () => {
    const stop = new AbortController();
    const report: Cloud['report'] = async () => {
      stop.abort();
      return err({ kind: 'unreachable', text: 'broken off' });
    };
    const bare = bareContext({ cloud: { ...new ModelCloud(new VirtualClock()).port('agent-1'), report } });
    for (const change of REFUSED) commitAll(bare.ledger, change);
    await tellTheRest(bare.context, stop.signal);

    expect(bare.ledger.untold(bare.clock.nowMs(), 9)).toHaveLength(1);
  });

  it('shows that the cloud is there', async () => {
    const bare = answering(ok(undefined));
    bare.context.live.cloudReachable = false;
    await tell(bare, REFUSED);

    expect(bare.context.live.cloudReachable).toBe(true);
  });
});

describe('a report that the cloud did not take', () => {
  const delayOf = async (failure: CloudFailure): Promise<number> => {
    const bare = answering(err(failure));
    await tell(bare, REFUSED);
    expect(ended(bare)).toBeNull();
    return (bare.ledger.nextUntoldAtMs() ?? 0) - bare.clock.nowMs();
  };

  it('is told again later, when the cloud says', async () => {
    expect(await delayOf(problem('unavailable', null, 90_000))).toBe(90_000);
    expect(await delayOf({ kind: 'nonsense', text: '', retryAfterMs: 80_000 })).toBe(80_000);
  });

  it.each<CloudFailure>([problem('internal'), { kind: 'unreachable', text: '' }, { kind: 'too-large', text: '' }])(
    'is told again soon: %j',
    async (failure) => {
      const delayMs = await delayOf(failure);

      expect(delayMs).toBeGreaterThanOrEqual(1_000);
      expect(delayMs).toBeLessThanOrEqual(2_000);
    },
  );

  it('is told again later after each try', async () => {
    const bare = answering(err(problem('internal')));
    await tell(bare, REFUSED);
    await bare.clock.advance(2_000);
    await tell(bare, []);
    const delayMs = (bare.ledger.nextUntoldAtMs() ?? 0) - bare.clock.nowMs();

    expect(delayMs).toBeGreaterThanOrEqual(2_000);
    expect(delayMs).toBeLessThanOrEqual(4_000);
  });

  it('is not told at all while the token is refused', async () => {
    const bare = answering(ok(undefined));
    const hold = { kind: 'token', sinceMs: 0, untilMs: null, text: '', repeat: 1 } as const;

    expect(await tell(bare, [...REFUSED, { kind: 'hold-set', hold }])).toBe(1);
    expect(bare.asked).toEqual([]);
  });
});

describe('a report that contradicts the cloud', () => {
  it.each([
    ['sent', 'sent'],
    ['send_failed', 'failed'],
  ])('settles a doubt as %s', async (status, kind) => {
    const bare = answering(err(problem('conflicting-result', stored(status))));
    await tell(bare, LOST);

    expect([ended(bare), conflicts(bare)]).toEqual(['told', 0]);
    expect(bare.ledger.mail('1')?.state.kind).toBe(kind);
  });

  it('is told where a comparison brought the cloud’s word on a doubt before', async () => {
    const bare = answering(err(problem('conflicting-result', stored('sent'))));

    expect(await tell(bare, [...LOST, happened('1', { kind: 'concluded', as: 'sent' })])).toBe(0);
    expect([ended(bare), conflicts(bare)]).toEqual(['told', 0]);
  });

  it.each<[string, readonly LedgerChange[], unknown]>([
    ['an outcome that the cloud has in other words', REFUSED, stored('send_failed')],
    ['a doubt about a cancelled mail', LOST, stored('cancelled')],
    ['a doubt, with a word that cannot be read', LOST, 'what'],
    ['an outcome', REFUSED, stored('sent')],
    ['that an attempt did not send', NOT_SENT, stored('sent')],
  ])('stands before a person: %s', async (_, changes, word) => {
    const bare = answering(err(problem('conflicting-result', word)));
    await tell(bare, changes);
    const kept = bare.ledger.list({ kinds: null, limit: 1, offset: 0 });

    expect([ended(bare), conflicts(bare), kept.length]).toEqual(['conflict', 1, 1]);
  });

  it.each([
    ['what the cloud has', stored('cancelled')],
    ['nothing, where it did not say', null],
  ])('is kept with %s', async (_, word) => {
    const { ends, ledger } = endsKept();
    const { context } = answering(err(problem('conflicting-result', word)), ledger);
    for (const change of REFUSED) commitAll(ledger, change);
    await tellTheRest(context, new AbortController().signal);

    expect(ends).toEqual([{ kind: 'conflict', problem: 'conflicting-result', stored: word }]);
  });

  it('is no question where it is a fact: the cloud is told no more', async () => {
    const { ends, ledger } = endsKept();
    const bare = answering(err(problem('not-found')), ledger);
    commitAll(bare.ledger, claimed([newMail(1)]));
    sendMail(bare.ledger, '1', 3_000);
    const seq = bare.ledger.reportFor('1', null)?.seq ?? 0;
    commitAll(bare.ledger, { kind: 'report-ended', seq, end: { kind: 'told' }, atMs: 4_000 });
    const fact = { id: 'f'.repeat(32), atMs: 5_000, kind: 'replied' } as const;

    expect(await tell(bare, [{ kind: 'fact', mailId: '1', fact, atMs: 5_000 }])).toBe(0);
    expect([bare.asked, conflicts(bare)]).toEqual([['fact'], 0]);
    expect(ends.at(-1)).toEqual({ kind: 'refused', problem: 'not-found' });
  });
});
