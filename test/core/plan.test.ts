import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOLD_KINDS, type Hold } from '../../src/main/core/hold.ts';
import { agentState, type PlanFacts, plan, standingHolds } from '../../src/main/core/plan.ts';

const NOW_MS = 1_000_000;

const hold = (kind: Hold['kind'], untilMs: number | null = null): Hold => ({
  kind,
  sinceMs: NOW_MS - 5000,
  untilMs,
  text: `held by ${kind}`,
  repeat: 1,
});

const READY: PlanFacts<string> = {
  holds: [],
  synced: true,
  next: '7',
  nextDueAtMs: 0,
  allowed: { atMs: NOW_MS, why: 'now' },
  nowMs: NOW_MS,
};

describe('plan', () => {
  it('sends the next mail when nothing speaks against it', () => {
    expect(plan(READY)).toEqual({ kind: 'send', mail: '7' });
  });

  it('names one reason at a time, the weightiest first', () => {
    const later = NOW_MS + 1000;
    let facts: PlanFacts<string> = {
      ...READY,
      synced: false,
      holds: [hold('user', later)],
      next: null,
      nextDueAtMs: later,
      allowed: { atMs: later, why: 'gap' },
    };
    const reasons: string[] = [];
    const note = (easier: Partial<PlanFacts<string>>) => {
      const decided = plan(facts);
      reasons.push(decided.kind === 'wait' ? decided.why : decided.kind);
      facts = { ...facts, ...easier };
    };

    note({ synced: true });
    note({ holds: [] });
    note({ next: READY.next });
    note({ allowed: READY.allowed });
    note({});

    expect(reasons).toEqual(['not-synced', 'held', 'due-later', 'gap', 'send']);
  });

  it('has nothing to send when no mail waits, and says when the next one is due', () => {
    expect(plan({ ...READY, next: null, nextDueAtMs: null })).toEqual({
      kind: 'wait',
      untilMs: null,
      why: 'nothing-to-send',
    });
    expect(plan({ ...READY, next: null, nextDueAtMs: NOW_MS + 9 })).toEqual({
      kind: 'wait',
      untilMs: NOW_MS + 9,
      why: 'due-later',
    });
  });

  it('waits for the last hold to end, without an end where one has none', () => {
    const passing = [hold('back-off', NOW_MS + 10), hold('user', NOW_MS + 90)];

    expect(plan({ ...READY, holds: passing })).toMatchObject({ why: 'held', untilMs: NOW_MS + 90 });
    expect(plan({ ...READY, holds: [...passing, hold('account')] })).toMatchObject({
      untilMs: null,
      hold: { kind: 'account' },
    });
  });

  it('ignores a hold that has ended', () => {
    expect(plan({ ...READY, holds: [hold('back-off', NOW_MS)] }).kind).toBe('send');
  });

  it('sends once the pace allows it, though that was asked a moment before', () => {
    expect(plan({ ...READY, allowed: { atMs: NOW_MS, why: 'gap' } }).kind).toBe('send');
    expect(plan({ ...READY, allowed: { atMs: NOW_MS + 1, why: 'gap' } }).kind).toBe('wait');
  });

  it('never sends against a hold or the pace, or a mail that is not due, and never waits for the past', () => {
    const instant = fc.integer({ min: NOW_MS - 100, max: NOW_MS + 100 });
    const facts = fc.record({
      holds: fc.array(
        fc.tuple(fc.constantFrom(...HOLD_KINDS), fc.option(instant)).map(([kind, untilMs]) => hold(kind, untilMs)),
        { maxLength: 3 },
      ),
      synced: fc.boolean(),
      next: fc.option(fc.constant('7')),
      nextDueAtMs: fc.option(fc.integer({ min: NOW_MS + 1, max: NOW_MS + 100 })),
      allowed: instant.map((atMs) =>
        atMs > NOW_MS ? ({ atMs, why: 'per-hour' } as const) : ({ atMs: NOW_MS, why: 'now' } as const),
      ),
      nowMs: fc.constant(NOW_MS),
    });
    fc.assert(
      fc.property(facts, (known) => {
        const decided = plan(known);
        if (decided.kind === 'wait') {
          expect(decided.untilMs === null || decided.untilMs > NOW_MS).toBe(true);
          return;
        }
        expect(known.synced).toBe(true);
        expect(standingHolds(known.holds, NOW_MS)).toEqual([]);
        expect(known.allowed.atMs).toBeLessThanOrEqual(NOW_MS);
        expect(known.next).not.toBeNull();
      }),
      { numRuns: 1000 },
    );
  });
});

describe('agentState', () => {
  const CALM = { holds: [], cloudReachable: true, sending: false, openQuestions: 0, nowMs: NOW_MS };

  it('is the worst word that fits', () => {
    const all = { ...CALM, sending: true, holds: [hold('user')], cloudReachable: false, openQuestions: 1 };

    expect(agentState(all)).toBe('needs-you');
    expect(agentState({ ...all, openQuestions: 0 })).toBe('offline');
    expect(agentState({ ...all, openQuestions: 0, cloudReachable: true })).toBe('paused');
    expect(agentState({ ...CALM, sending: true })).toBe('sending');
    expect(agentState(CALM)).toBe('idle');
  });

  it.each([
    ['account', 'needs-you'],
    ['keychain', 'needs-you'],
    ['ledger', 'needs-you'],
    ['token', 'needs-you'],
    ['cloud', 'paused'],
    ['user', 'paused'],
    ['back-off', 'idle'],
  ] as const)('is, held by %s, %s', (kind, state) => {
    expect(agentState({ ...CALM, holds: [hold(kind)] })).toBe(state);
  });
});
