import { describe, expect, it } from 'vitest';
import type { MailState } from '../../src/main/core/mail-state.ts';
import { type LedgerSide, recoverHeld, recoverOther } from '../../src/main/core/recover.ts';
import { CLOUD_STATUSES } from '../../src/shared/wire/messages.ts';

const NONCE = 'n'.repeat(22);
const OTHER = 'o'.repeat(22);

const CLAIMED: MailState = { kind: 'claimed', attempt: 0, retryAtMs: 0, settlingNonce: null };
const SETTLING: MailState = { kind: 'claimed', attempt: 1, retryAtMs: 0, settlingNonce: NONCE };
const ATTEMPTING: MailState = { kind: 'attempting', attempt: 1 };
const HANDED_OVER: MailState = { kind: 'handed-over', attempt: 1 };
const SENT: MailState = { kind: 'sent', attempt: 1 };
const FAILED: MailState = { kind: 'failed', attempt: 1 };
const CANCELLED: MailState = { kind: 'cancelled', attempt: 1 };
const RELEASED: MailState = { kind: 'released', attempt: 1 };
const uncertain = (nonce: string | null): MailState => ({ kind: 'uncertain', attempt: 1, nonce });

const UNTOLD = { seq: 7, ended: false };
const TOLD = { seq: 7, ended: true };
const side = (state: MailState | null, report: LedgerSide['report'] = null): LedgerSide => ({ state, report });

describe('a mail that the cloud holds and that has not begun', () => {
  it.each<[string, LedgerSide, string, object?]>([
    ['no row', side(null), 'adopt'],
    ['a row given back', side(RELEASED), 'adopt'],
    ['claimed', side(CLAIMED), 'nothing'],
    ['attempting', side(ATTEMPTING), 'go-on'],
    ['handed over', side(HANDED_OVER), 'go-on'],
    ['not sent, not told yet', side(SETTLING, UNTOLD), 'nothing'],
    ['not sent, told and not noted', side(SETTLING, TOLD), 'go-on'],
    ['not sent, settled', side(CLAIMED, TOLD), 'nothing'],
    ['an outcome, not told yet', side(FAILED, UNTOLD), 'nothing'],
    ['an outcome that was told and does not show', side(FAILED, TOLD), 'tell', { seq: 7 }],
    ['sent by a begin that does not show', side(SENT, TOLD), 'tell', { seq: 7 }],
    ['uncertain, not told yet', side(uncertain(NONCE), UNTOLD), 'nothing'],
    ['uncertain about a begin that was taken back', side(uncertain(NONCE), TOLD), 'uncertain', { adopt: false }],
    ['uncertain, told without a nonce', side(uncertain(null), TOLD), 'tell', { seq: 7 }],
    ['cancelled', side(CANCELLED), 'nothing'],
  ])('where the ledger has %s', (_, ledger, kind, more = {}) => {
    expect(recoverHeld({ begun_nonce: null, uncertain: false }, ledger)).toEqual({ kind, ...more });
  });
});

describe('a mail that the cloud holds and that has begun', () => {
  it.each<[string, LedgerSide, ReturnType<typeof recoverHeld>]>([
    ['the outcome of that nonce, not told yet', side(SENT, UNTOLD), { kind: 'nothing' }],
    ['the outcome of that nonce, told', side(SENT, TOLD), { kind: 'tell', seq: 7 }],
    ['that the attempt did not send, told', side(CLAIMED, TOLD), { kind: 'tell', seq: 7 }],
    ['no row', side(null), { kind: 'uncertain', adopt: true }],
    ['a row given back', side(RELEASED), { kind: 'uncertain', adopt: true }],
    ['claimed', side(CLAIMED), { kind: 'uncertain', adopt: false }],
    ['another attempt that did not send', side(SETTLING), { kind: 'uncertain', adopt: false }],
    ['attempting', side(ATTEMPTING), { kind: 'uncertain', adopt: false }],
    ['handed over', side(HANDED_OVER), { kind: 'uncertain', adopt: false }],
    ['uncertain about that nonce', side(uncertain(NONCE)), { kind: 'nothing' }],
    ['uncertain about another nonce', side(uncertain(OTHER)), { kind: 'uncertain', adopt: false }],
    ['an outcome of another nonce', side(SENT), { kind: 'nothing' }],
  ])('where the ledger has %s', (_, ledger, action) => {
    expect(recoverHeld({ begun_nonce: NONCE, uncertain: false }, ledger)).toEqual(action);
  });

  it('is never started again, whatever the ledger says', () => {
    const states = [
      null,
      CLAIMED,
      SETTLING,
      ATTEMPTING,
      HANDED_OVER,
      SENT,
      FAILED,
      uncertain(null),
      CANCELLED,
      RELEASED,
    ];
    for (const state of states) {
      for (const report of [null, UNTOLD, TOLD]) {
        for (const marked of [true, false]) {
          const { kind } = recoverHeld({ begun_nonce: NONCE, uncertain: marked }, side(state, report));
          expect(['go-on', 'adopt']).not.toContain(kind);
        }
      }
    }
  });
});

describe('a mail that both sides are in doubt about', () => {
  it.each([null, UNTOLD, TOLD])('waits for its person, told as %j', (report) => {
    for (const nonce of [NONCE, OTHER, null]) {
      const held = { begun_nonce: NONCE, uncertain: true };

      expect(recoverHeld(held, side(uncertain(nonce), report))).toEqual({ kind: 'nothing' });
    }
  });
});

describe('a mail that is marked uncertain without a nonce', () => {
  it('is not talked out of it by an earlier attempt that did not send', () => {
    const held = { begun_nonce: null, uncertain: true };

    expect(recoverHeld(held, side(CLAIMED, TOLD))).toEqual({ kind: 'uncertain', adopt: false });
    expect(recoverHeld(held, side(SENT, TOLD))).toEqual({ kind: 'tell', seq: 7 });
  });
});

describe('a mail that the cloud does not hold for this agent', () => {
  const OPEN = [CLAIMED, SETTLING, ATTEMPTING, HANDED_OVER];
  const statuses = [...CLOUD_STATUSES, 'unknown'] as const;

  it.each(statuses)('is settled by the status %s where it is open', (status) => {
    const expected = {
      queued: { kind: 'withdrawn', as: 'released' },
      sending: { kind: 'withdrawn', as: 'released' },
      unknown: { kind: 'withdrawn', as: 'released' },
      sent: { kind: 'concluded', as: 'sent' },
      send_failed: { kind: 'concluded', as: 'failed' },
      cancelled: { kind: 'concluded', as: 'cancelled' },
    } as const;
    for (const state of OPEN) expect(recoverOther(status, state)).toEqual(expected[status]);
  });

  it('stays uncertain until the cloud has a final word', () => {
    const words = statuses.map((status) => recoverOther(status, uncertain(NONCE))?.kind ?? null);

    expect(Object.fromEntries(statuses.map((status, index) => [status, words[index]]))).toEqual({
      queued: null,
      sending: null,
      unknown: null,
      sent: 'concluded',
      send_failed: 'concluded',
      cancelled: 'concluded',
    });
  });

  it('does not move once it is final here', () => {
    for (const state of [SENT, FAILED, CANCELLED, RELEASED]) {
      for (const status of statuses) expect(recoverOther(status, state)).toBeNull();
    }
  });
});
