import { describe, expect, it } from 'vitest';
import type { BeginAnswer, Submission } from '../../src/main/core/attempt-end.ts';
import { type ConclusionFacts, conclude, isPutOff } from '../../src/main/core/conclude.ts';
import type { Hold } from '../../src/main/core/hold.ts';
import type { MailEvent } from '../../src/main/core/mail-state.ts';
import { LOCAL_TEXTS } from '../../src/shared/texts/local-texts.ts';
import type { ReplyClass } from '../../src/shared/wire/messages.ts';
import { attemptEnd, NONCE } from '../support/attempt-ends.ts';

const NOW_MS = 1_000_000;
const FACTS: ConclusionFacts = {
  attempt: 2,
  messageId: '<a@b.c>',
  language: 'en',
  nowMs: NOW_MS,
  random: 1 - Number.EPSILON,
  putOffCount: 0,
  backOff: null,
};

const replied = (
  stage: Extract<Submission, { kind: 'replied' }>['stage'],
  code: number,
  enhanced: string | null,
  text: string,
  command?: 'mail' | 'rcpt' | 'data',
): Submission => ({
  kind: 'replied',
  stage,
  reply: { code, enhanced, text },
  ...(command === undefined ? {} : { command }),
});
const broken = (
  stage: Extract<Submission, { kind: 'broken' }>['stage'],
  cause: Extract<Submission, { kind: 'broken' }>['cause'],
): Submission => ({
  kind: 'broken',
  stage,
  cause,
  text: 'how it broke',
});
const holdOf = (conclusion: ReturnType<typeof conclude>): Hold => {
  if (conclusion.hold === null || conclusion.hold === 'lift-back-off') throw new Error('no hold was set');
  return conclusion.hold;
};

describe('the end of a dialogue', () => {
  it.each<[string, Submission, string, string | null]>([
    ['accepted', { kind: 'accepted', reply: { code: 250, enhanced: null, text: 'ok' } }, 'accepted', 'lift-back-off'],
    ['no such user', replied('envelope', 550, '5.1.1', 'no such user', 'rcpt'), 'refused', null],
    ['greylisted', replied('envelope', 450, '4.2.0', 'greylisted', 'rcpt'), 'not-sent', null],
    ['refused login', replied('auth', 535, '5.7.8', 'authentication failed'), 'not-sent', 'account'],
    ['shutting down', replied('envelope', 421, '4.3.2', 'shutting down', 'mail'), 'not-sent', 'back-off'],
    ['refused after the end', replied('handed-over', 554, '5.6.0', 'malformed'), 'refused', null],
    ['goodbye after the end', replied('handed-over', 421, '4.4.2', 'closing'), 'lost', 'back-off'],
    ['no server', broken('connect', 'refused'), 'not-sent', 'back-off'],
    ['untrusted certificate', broken('tls', 'certificate'), 'not-sent', 'account'],
    ['no password', broken('auth', 'no-credentials'), 'not-sent', 'keychain'],
    ['stopped by us', broken('envelope', 'stopped'), 'not-sent', null],
    ['content refused in the body', replied('body', 550, null, 'Mail content denied'), 'refused', 'account'],
    ['content refused at the end', replied('handed-over', 550, null, 'Mail content denied'), 'refused', 'account'],
    ['content refused before it', replied('envelope', 550, null, 'Mail content denied'), 'not-sent', 'account'],
    ['dropped in the body', broken('body', 'dropped'), 'not-sent', 'back-off'],
    ['too big', broken('envelope', 'size-exceeded'), 'refused', null],
    ['address beyond ASCII', broken('envelope', 'smtputf8-missing'), 'refused', null],
    ['dropped after the end', broken('handed-over', 'dropped'), 'lost', 'back-off'],
    ['silence after the end', broken('handed-over', 'timeout'), 'lost', 'back-off'],
    ['stopped after the end', broken('handed-over', 'stopped'), 'lost', 'back-off'],
  ])('%s', (_, submission, event, hold) => {
    const conclusion = conclude(attemptEnd(submission), FACTS);

    expect(conclusion.event).toMatchObject({ kind: event, attempt: 2, nonce: NONCE });
    const found = conclusion.hold;
    expect(found === null || found === 'lift-back-off' ? found : found.kind).toBe(hold);
  });

  it('is a fault where a mail was accepted that never asked to begin', () => {
    const accepted = { kind: 'accepted', reply: { code: 250, enhanced: null, text: 'ok' } } as const;

    expect(() => conclude(attemptEnd(accepted, { nonce: null }), FACTS)).toThrow('without a nonce');
  });

  it('tells apart which command of the envelope was refused', () => {
    const of = (command: 'mail' | 'rcpt') =>
      conclude(attemptEnd(replied('envelope', 553, null, 'not local', command)), FACTS);

    expect(of('rcpt').event.kind).toBe('refused');
    expect(of('mail').event.kind).not.toBe('refused');
  });

  it('is refused once the server has put the mail off often enough, and says so', () => {
    const greylisted = replied('envelope', 450, '4.2.0', 'greylisted', 'rcpt');
    const kinds = [0, 1, 2, 3].map(
      (putOffCount) => conclude(attemptEnd(greylisted), { ...FACTS, putOffCount }).event.kind,
    );

    expect(kinds).toEqual(['not-sent', 'not-sent', 'refused', 'refused']);
    expect(conclude(attemptEnd(greylisted), { ...FACTS, putOffCount: 2 }).event).toMatchObject({
      failure: { reply: { code: 450 }, message: expect.stringContaining('every time it was tried') },
    });
  });

  it('puts a mail off for as long as the table says, and the account for trouble of its own', () => {
    const greylisted = conclude(attemptEnd(replied('envelope', 450, '4.2.0', 'greylisted', 'rcpt')), FACTS).event;
    const dropped = conclude(attemptEnd(broken('body', 'dropped')), FACTS).event;

    expect(greylisted).toMatchObject({ retryAtMs: NOW_MS + 15 * 60_000 });
    expect(dropped).toMatchObject({ retryAtMs: NOW_MS });
  });

  it('backs off twice as long each time, up to ten minutes for the connection and a day for a limit', () => {
    const waits = (submission: Submission) =>
      [0, 1, 2, 30].map((repeat) => {
        const { text } = holdOf(conclude(attemptEnd(submission), FACTS));
        const hold = holdOf(conclude(attemptEnd(submission), { ...FACTS, backOff: { repeat, text } }));
        expect(hold).toMatchObject({ kind: 'back-off', sinceMs: NOW_MS, repeat: repeat + 1 });
        return (hold.untilMs ?? 0) - NOW_MS;
      });
    const [first = 0, ...limited] = waits(replied('envelope', 450, '4.7.1', 'rate limit exceeded', 'mail'));

    expect(waits(broken('connect', 'refused'))).toEqual([5_000, 10_000, 20_000, 600_000]);
    expect(first).toBe(3_600_000);
    expect(limited).toEqual([2 * first, 4 * first, 24 * 3_600_000]);
  });

  it('waits no longer for a limit because the line was down before', () => {
    const limit = attemptEnd(replied('envelope', 450, '4.7.1', 'rate limit exceeded', 'mail'));
    const { repeat, text } = holdOf(conclude(attemptEnd(broken('connect', 'refused')), FACTS));

    const after = holdOf(conclude(limit, { ...FACTS, backOff: { repeat: repeat + 7, text } }));

    expect(after).toEqual(holdOf(conclude(limit, FACTS)));
  });

  it("waits for the end of the provider's day in Shanghai where the table says so, at QQ from the second time on", () => {
    const noonMs = Date.UTC(2026, 4, 5, 4); // 12:00 in Shanghai
    const midnightMs = Date.UTC(2026, 4, 5, 16);
    const untilMs = (text: string, before: number): number => {
      const submission = attemptEnd(replied('handed-over', 550, null, text));
      const facts = { ...FACTS, nowMs: noonMs, random: 0 };
      const first = holdOf(conclude(submission, facts));
      const hold =
        before === 0 ? first : holdOf(conclude(submission, { ...facts, backOff: { ...first, repeat: before } }));
      return hold.untilMs ?? 0;
    };

    expect(untilMs('RP:TRC 163 smtp5', 0)).toBe(midnightMs);
    expect(untilMs('RP:TRC 163 smtp5', 1)).toBe(midnightMs);
    expect(untilMs('Sender frequency limited', 0)).toBe(noonMs + 3_600_000);
    expect(untilMs('Sender frequency limited', 1)).toBe(midnightMs);
    expect(untilMs('Sender frequency limited', 5)).toBe(midnightMs);
  });
});

describe("a limit that ends with the provider's day", () => {
  const day = replied('handed-over', 554, null, 'MI:STC');

  it.each([
    ['2026-11-30T10:00:00+08:00', 0, '2026-12-01T00:00:00+08:00'],
    ['2026-11-30T23:59:59+08:00', 0.5, '2026-12-01T00:07:30+08:00'],
    ['2026-12-01T00:00:00+08:00', 0, '2026-12-02T00:00:00+08:00'],
  ])('met at %s, with the chance %d, lasts until %s', (met, random, until) => {
    const nowMs = Date.parse(met);

    const hold = holdOf(conclude(attemptEnd(day), { ...FACTS, nowMs, random }));

    expect(hold).toMatchObject({ kind: 'back-off', untilMs: Date.parse(until), repeat: 1 });
  });
});

describe('a password that is missing', () => {
  it('is looked for again soon', () => {
    const hold = holdOf(conclude(attemptEnd(broken('auth', 'no-credentials')), FACTS));

    expect(hold).toMatchObject({ kind: 'keychain', sinceMs: NOW_MS, untilMs: NOW_MS + 30_000, repeat: 1 });
  });
});

describe('a gate that stayed shut', () => {
  const { en } = LOCAL_TEXTS;
  const local = (message: string, replyClass: ReplyClass = 'local') => ({
    failure: { stage: 'prepare', class: replyClass, reply: null, message },
  });
  const soon = { retryAtMs: NOW_MS + 30_000 };

  it.each<[BeginAnswer, MailEvent['kind'], object, string | null]>([
    [{ kind: 'granted' }, 'not-sent', { retryAtMs: NOW_MS, ...local(en.stopped) }, null],
    [{ kind: 'cancelled' }, 'withdrawn', { as: 'cancelled' }, null],
    [{ kind: 'released' }, 'withdrawn', { as: 'released' }, null],
    [{ kind: 'expired' }, 'refused', local(en.expired, 'expired'), null],
    [{ kind: 'payload-changed' }, 'refused', local(en['payload-changed'], 'payload'), null],
    [{ kind: 'begun-elsewhere' }, 'lost', local(en['begun-elsewhere']), null],
    [{ kind: 'token-refused' }, 'not-sent', { ...soon, ...local(en['token-refused']) }, en['token-refused']],
    [{ kind: 'unknown' }, 'not-sent', { ...soon, ...local(en['begin-unanswered']) }, null],
  ])('because begin was %j', (begin, kind, event, hold) => {
    const conclusion = conclude(attemptEnd({ kind: 'held-back' }, { begin }), FACTS);

    expect(conclusion.event).toMatchObject({ kind, ...event });
    expect(conclusion.hold).toEqual(
      hold === null ? null : { kind: 'token', sinceMs: NOW_MS, untilMs: null, text: hold, repeat: 1 },
    );
  });

  it.each([{ kind: 'granted' }, { kind: 'cancelled' }] as const)(
    'because the ledger could not be written tells the nonce as not sent, though begin was %j',
    (begin) => {
      const conclusion = conclude(attemptEnd({ kind: 'held-back' }, { marked: false, begin }), FACTS);

      expect(conclusion).toMatchObject({
        event: { kind: 'not-sent', nonce: NONCE, ...soon, ...local(en['ledger-unwritable']) },
        hold: null,
      });
    },
  );

  it('because no answer came in time tells the nonce as not sent', () => {
    expect(conclude(attemptEnd({ kind: 'held-back' }, { begin: null }), FACTS).event).toMatchObject({
      kind: 'not-sent',
      nonce: NONCE,
    });
  });

  it('because somebody else began leaves the mail uncertain under no nonce of ours', () => {
    const { event } = conclude(attemptEnd({ kind: 'held-back' }, { begin: { kind: 'begun-elsewhere' } }), FACTS);

    expect(event).toMatchObject({ kind: 'lost', nonce: null, messageId: '<a@b.c>' });
  });
});

describe('an earlier attempt', () => {
  const failure = { stage: 'envelope', class: 'mailbox-temporary', message: '' } as const;

  it.each([
    ['that the server put off counts', { code: 450, enhanced: '4.2.0', text: 'greylisted' }, true],
    [
      'that met a limit of the account does not count',
      { code: 450, enhanced: '4.7.1', text: 'rate limit exceeded' },
      false,
    ],
    ['that met a goodbye does not count', { code: 421, enhanced: null, text: 'closing' }, false],
    ['without a reply does not count', null, false],
  ] as const)('%s', (_, reply, counts) => {
    expect(isPutOff({ ...failure, reply })).toBe(counts);
  });

  it('that was refused a login does not count', () => {
    expect(isPutOff({ ...failure, stage: 'auth', reply: { code: 535, enhanced: '5.7.8', text: 'no' } })).toBe(false);
  });
});
