import { describe, expect, it } from 'vitest';
import { autoPause, counts, type EndNote, endsNeeded } from '../../src/main/core/auto-pause.ts';
import { recipientDomain } from '../../src/main/core/recipient-domain.ts';
import { Pace } from '../../src/shared/settings.ts';
import type { ReplyClass } from '../../src/shared/wire/messages.ts';

const PACE = Pace.parse({ pauseAfterEqualErrors: 3, pauseAboveRefusedPercent: 40 });
const ACCEPTED: EndNote = { outcome: 'accepted', failure: null };

function failed(
  outcome: 'refused' | 'not-sent' | 'lost',
  replyClass: ReplyClass,
  code: number | null,
  enhanced: string | null = null,
): EndNote {
  const reply = code === null ? null : { code, enhanced, text: 'no' };
  return { outcome, failure: { stage: 'envelope', class: replyClass, reply, message: 'No.' } };
}
const unknown = failed('refused', 'recipient-invalid', 550, '5.1.1');
const times = (count: number, end: EndNote): readonly EndNote[] => Array.from({ length: count }, () => end);

describe('autoPause', () => {
  it('pauses after so many equal failures in a row, however they differ in words', () => {
    expect(autoPause(PACE, times(2, unknown))).toBe(null);
    expect(autoPause(PACE, times(3, unknown))).toMatchObject({ kind: 'equal-errors', count: 3 });
    expect(autoPause(PACE, times(3, failed('lost', 'ambiguous', null)))).toMatchObject({ kind: 'equal-errors' });
    const lost = [failed('lost', 'ambiguous', 421), failed('lost', 'local', null), failed('lost', 'ambiguous', 451)];
    expect(autoPause(PACE, lost)).toMatchObject({ kind: 'equal-errors', count: 3 });
  });

  it.each([
    ['a mail that was accepted between', [unknown, unknown, ACCEPTED, unknown]],
    ['another failure between', [unknown, unknown, failed('refused', 'too-big', 552), unknown]],
    ['an accepted mail at last', [ACCEPTED, unknown, unknown, unknown]],
    ['nothing', []],
    ['accepted mails only', times(5, ACCEPTED)],
  ])('goes on after %s', (_title, ends) => {
    expect(autoPause(PACE, ends)).toBe(null);
  });

  it('pauses where too many of the latest mails were refused, and only after a refusal', () => {
    const mixed = [unknown, ACCEPTED, failed('refused', 'too-big', 552), ACCEPTED, unknown, ...times(4, ACCEPTED)];

    expect(autoPause(PACE, [...mixed, ACCEPTED])).toBe(null);
    expect(autoPause(PACE, [unknown, ...mixed, failed('refused', 'too-big', 552)])).toMatchObject({
      kind: 'refused-share',
      refused: 5,
      of: 11,
    });
    expect(autoPause(PACE, [ACCEPTED, unknown, ...mixed, unknown])).toBe(null);
  });

  it('counts the share of refused mails among the latest twenty, and only where there are ten', () => {
    const tooBig = failed('refused', 'too-big', 552);
    const share = (refused: number, accepted: number): readonly EndNote[] => [
      tooBig,
      ...times(accepted, ACCEPTED),
      ...times(refused - 1, tooBig),
    ];
    const apart = { ...PACE, pauseAfterEqualErrors: null };

    expect(autoPause(apart, share(9, 0))).toBe(null);
    expect(autoPause(apart, share(5, 5))).toMatchObject({ kind: 'refused-share', refused: 5, of: 10 });
    expect(autoPause(apart, share(4, 6))).toBe(null);
    expect(autoPause(apart, share(30, 19))).toBe(null);
    expect(autoPause(apart, [failed('lost', 'ambiguous', null), ...share(9, 0)])).toBe(null);
  });

  it('looks at twenty ends, or at as many as must be equal', () => {
    expect([null, 3, 30].map((most) => endsNeeded({ ...PACE, pauseAfterEqualErrors: most }))).toEqual([20, 20, 30]);
  });

  it('does neither where nobody wants it', () => {
    const never = Pace.parse({});

    expect(autoPause(never, times(20, unknown))).toBe(null);
  });
});

describe('an end counts for a pause', () => {
  it.each([
    [ACCEPTED, true],
    [unknown, true],
    [failed('lost', 'ambiguous', null), true],
    [failed('not-sent', 'mailbox-temporary', 452), true],
    // These have pauses of their own, or are no fault of the mails.
    [failed('not-sent', 'auth', 535), false],
    [failed('not-sent', 'rate-limit', 451), false],
    [failed('not-sent', 'connection', 421), false],
    [failed('not-sent', 'connection', null), false],
    [failed('refused', 'payload', null), false],
    [{ outcome: 'not-sent', failure: null }, false],
  ] as const)('%j: %s', (end, does) => {
    expect(counts(end)).toBe(does);
  });
});

describe('recipientDomain', () => {
  it.each([
    [{ to: { address: 'Bert@Firma.EXAMPLE' } }, 'firma.example'],
    [{ to: { address: 'nobody' } }, null],
    [{ to: null }, null],
    [{ to: 'bert@firma.example' }, null],
    [{ to: { address: 7 } }, null],
    [null, null],
    ['text', null],
  ])('reads %j as %s', (payload, domain) => {
    expect(recipientDomain(payload)).toBe(domain);
  });
});
