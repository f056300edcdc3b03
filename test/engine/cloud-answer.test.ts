import { describe, expect, it } from 'vitest';
import type { Hold } from '../../src/main/core/hold.ts';
import { cloudAnswered, tokenRefused } from '../../src/main/engine/cloud-answer.ts';
import type { CloudFailure } from '../../src/main/engine/ports.ts';
import { err, ok } from '../../src/shared/result.ts';
import { commitAll } from '../conformance/ledger-samples.ts';
import { bareContext } from '../support/bare-context.ts';

const UNREACHABLE: CloudFailure = { kind: 'unreachable', text: 'no route' };
const UNAUTHORIZED: CloudFailure = {
  kind: 'problem',
  code: 'unauthorized',
  detail: '',
  stored: null,
  retryAfterMs: null,
};
const BUSY: CloudFailure = { kind: 'problem', code: 'unavailable', detail: '', stored: null, retryAfterMs: null };
const credentials = (why: 'missing' | 'unreadable'): CloudFailure => ({
  kind: 'no-credentials',
  why,
  text: `it is ${why}`,
});

const hold = (kind: Hold['kind'], untilMs: number | null = null): Hold => ({
  kind,
  sinceMs: 0,
  untilMs,
  text: 'why',
  repeat: 1,
});
const holding = (...holds: readonly Hold[]) => {
  const bare = bareContext();
  commitAll(bare.ledger, ...holds.map((one) => ({ kind: 'hold-set', hold: one }) as const));
  return bare;
};
const ALL = ['send', 'claim', 'report', 'sync'];

describe('an answer of the cloud', () => {
  it('says whether it is in reach: also by a problem, and not where nothing came', () => {
    const { context, changes } = bareContext();
    const seen = [UNREACHABLE, UNREACHABLE, BUSY].map((failure) => {
      cloudAnswered(context, err(failure));
      return [context.live.cloudReachable, changes()];
    });

    expect(seen).toEqual([
      [false, 1],
      [false, 1],
      [true, 2],
    ]);
  });

  it.each([
    ['token', null],
    ['keychain', null],
  ] as const)('that is good ends the hold %s, and wakes whoever waited for it', async (kind, untilMs) => {
    const { context, ledger, rung } = holding(hold(kind, untilMs), hold('user'));

    cloudAnswered(context, ok('anything'));

    expect(ledger.holds().map((one) => one.kind)).toEqual(['user']);
    expect((await rung()).toSorted()).toEqual(ALL.toSorted());
  });

  it.each([[[hold('user')]], [[hold('keychain', 9_000)]], [[]]])(
    'that is good leaves other holds: %j',
    async (holds) => {
      const { context, ledger, rung } = holding(...holds);

      cloudAnswered(context, ok('anything'));

      expect(ledger.holds()).toEqual(holds);
      expect(await rung()).toEqual([]);
    },
  );

  it.each([
    ['missing', 'token'],
    ['unreadable', 'keychain'],
  ] as const)('that could not be asked for, with the token %s, holds by %s, once', (why, kind) => {
    const { context, ledger, clock, changes } = holding(hold('user'));
    for (let turn = 0; turn < 2; turn += 1) cloudAnswered(context, err(credentials(why)));

    expect(ledger.holds().filter((one) => one.kind !== 'user')).toEqual([
      { kind, sinceMs: clock.nowMs(), untilMs: null, text: `it is ${why}`, repeat: 1 },
    ]);
    // Out of reach, and held.
    expect(changes()).toBe(2);
  });

  it.each([
    ['missing', 'keychain', 'token'],
    ['unreadable', 'token', 'keychain'],
  ] as const)('with the token %s holds though another part is missing too: %s', (why, before, kind) => {
    const { context, ledger } = holding(hold(before));

    cloudAnswered(context, err(credentials(why)));

    expect(ledger.holds().map((one) => one.kind)).toContain(kind);
  });

  it('that refuses the token holds once, and says so', () => {
    const { context, ledger, changes } = holding(hold('user'));
    for (let turn = 0; turn < 2; turn += 1) cloudAnswered(context, err(UNAUTHORIZED));

    expect(
      ledger
        .holds()
        .map((one) => one.kind)
        .toSorted(),
    ).toEqual(['token', 'user']);
    expect(changes()).toBe(1);
    expect(tokenRefused(context)).toBe(true);
  });

  it('that is another problem holds nothing', () => {
    const { context, ledger } = holding(hold('user'));

    cloudAnswered(context, err(BUSY));

    expect(ledger.holds()).toEqual([hold('user')]);
    expect(tokenRefused(context)).toBe(false);
  });
});
