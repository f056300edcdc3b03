import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EventKind,
  type Failure,
  isOpen,
  type MailEvent,
  type MailFacts,
  type MailState,
  MOVES,
  type StateKind,
} from '../../src/main/core/mail-state.ts';
import { type Step, step } from '../../src/main/core/step.ts';
import { NotSentRequest, ResultRequest } from '../../src/shared/wire/messages.ts';

const NONCE = 'A'.repeat(22);
const OTHER_NONCE = 'B'.repeat(22);
const REPLY = { code: 250, enhanced: '2.0.0', text: 'queued as 4711' };
const FAILURE: Failure = {
  stage: 'handed-over',
  class: 'content',
  reply: { code: 554, enhanced: '5.7.1', text: 'no' },
  message: 'Refused.',
};

const mail = (state: MailState): MailFacts => ({
  id: '7',
  idempotencyKey: 'email-recipient-7',
  payloadHash: `sha256:${'0'.repeat(64)}`,
  state,
});

const STATES: Record<StateKind, MailState> = {
  claimed: { kind: 'claimed', attempt: 2, retryAtMs: 500, settlingNonce: NONCE },
  attempting: { kind: 'attempting', attempt: 2 },
  'handed-over': { kind: 'handed-over', attempt: 2 },
  sent: { kind: 'sent', attempt: 2 },
  failed: { kind: 'failed', attempt: 2 },
  uncertain: { kind: 'uncertain', attempt: 2, nonce: NONCE },
  cancelled: { kind: 'cancelled', attempt: 2 },
  released: { kind: 'released', attempt: 2 },
};
const STATE_KINDS = Object.values(STATES).map(({ kind }) => kind);

/** One event of every kind that belongs to attempt 2 and to NONCE; the loss of a mail to another nonce. */
const EVENTS: Record<EventKind, MailEvent> = {
  'attempt-started': { kind: 'attempt-started', attempt: 3 },
  'handed-over': { kind: 'handed-over', attempt: 2 },
  accepted: { kind: 'accepted', attempt: 2, nonce: NONCE, messageId: '<a@b.c>', reply: REPLY },
  refused: { kind: 'refused', attempt: 2, nonce: NONCE, failure: FAILURE },
  'not-sent': { kind: 'not-sent', attempt: 2, nonce: NONCE, retryAtMs: 900, failure: FAILURE },
  lost: { kind: 'lost', attempt: 2, nonce: OTHER_NONCE, messageId: '<a@b.c>', failure: FAILURE },
  settled: { kind: 'settled', nonce: NONCE },
  postponed: { kind: 'postponed', retryAtMs: 900 },
  withdrawn: { kind: 'withdrawn', as: 'released' },
  cleared: { kind: 'cleared', retryAtMs: 900 },
  reclaimed: { kind: 'reclaimed' },
  resolved: { kind: 'resolved', as: 'sent', messageId: '<a@b.c>', evidence: { kind: 'person', note: 'seen in Sent' } },
  concluded: { kind: 'concluded', as: 'cancelled' },
};

describe('an attempt', () => {
  it('does not start before the cloud has heard that the one before it did not send', () => {
    const moved = step(mail(STATES.claimed), EVENTS['attempt-started']);

    expect(moved).toEqual({ ok: false, error: { from: 'claimed', event: 'attempt-started', why: 'settling' } });
  });
});

/** From which states each event may come, and where it leads. */
const LEGAL: Record<EventKind, readonly [from: readonly StateKind[], to: readonly StateKind[]]> = {
  'attempt-started': [['claimed'], ['attempting']],
  'handed-over': [['attempting'], ['handed-over']],
  accepted: [['handed-over'], ['sent']],
  refused: [['claimed', 'attempting', 'handed-over'], ['failed']],
  'not-sent': [['attempting', 'handed-over'], ['claimed']],
  lost: [['claimed', 'attempting', 'handed-over', 'uncertain'], ['uncertain']],
  settled: [['claimed'], ['claimed']],
  postponed: [['claimed'], ['claimed']],
  withdrawn: [
    ['claimed', 'attempting', 'handed-over'],
    ['cancelled', 'released'],
  ],
  cleared: [['claimed', 'attempting', 'handed-over'], ['claimed']],
  reclaimed: [['released'], ['claimed']],
  resolved: [['uncertain'], ['sent', 'failed']],
  concluded: [
    ['claimed', 'attempting', 'handed-over', 'uncertain'],
    ['sent', 'failed', 'cancelled'],
  ],
};

/** Where the events of EVENTS had their effect already. */
const REPEATED: Partial<Record<EventKind, StateKind>> = {
  'handed-over': 'handed-over',
  accepted: 'sent',
  refused: 'failed',
  withdrawn: 'released',
  resolved: 'sent',
  concluded: 'cancelled',
};

const claimed = (retryAtMs: number, settlingNonce: string | null): MailState => ({
  kind: 'claimed',
  attempt: 2,
  retryAtMs,
  settlingNonce,
});

/** What the events of EVENTS make of a mail, from wherever they may come. */
const NEXT: Record<EventKind, MailState> = {
  'attempt-started': { kind: 'attempting', attempt: 3 },
  'handed-over': { kind: 'handed-over', attempt: 2 },
  accepted: { kind: 'sent', attempt: 2 },
  refused: { kind: 'failed', attempt: 2 },
  'not-sent': claimed(900, NONCE),
  lost: { kind: 'uncertain', attempt: 2, nonce: OTHER_NONCE },
  settled: claimed(500, null),
  postponed: claimed(900, NONCE),
  withdrawn: { kind: 'released', attempt: 2 },
  cleared: claimed(900, null),
  reclaimed: claimed(0, null),
  resolved: { kind: 'sent', attempt: 2 },
  concluded: { kind: 'cancelled', attempt: 2 },
};

describe('step', () => {
  const pairs = Object.values(STATES).flatMap((state) => Object.values(EVENTS).map((event) => ({ state, event })));

  it.each(pairs)('takes a mail that is $state.kind where $event.kind leads', ({ state, event }) => {
    // An attempt starts only once the one before it is settled.
    const isStart = event.kind === 'attempt-started' && state.kind === 'claimed';
    const moved = step(mail(isStart ? { ...state, settlingNonce: null } : state), event);

    if (LEGAL[event.kind][0].includes(state.kind)) {
      expect(moved).toMatchObject({ ok: true, value: { state: NEXT[event.kind] } });
    } else if (REPEATED[event.kind] === state.kind) {
      expect(moved).toEqual({ ok: true, value: { state, report: null } });
    } else {
      expect(moved).toEqual({ ok: false, error: { from: state.kind, event: event.kind, why: 'not-from-here' } });
    }
  });

  const tells: readonly EventKind[] = ['accepted', 'refused', 'lost', 'resolved', 'not-sent'];
  const silent = Object.values(EVENTS).filter(({ kind }) => !tells.includes(kind));

  it.each(silent)('tells the cloud nothing where $kind comes', (event) => {
    const [from = 'claimed'] = LEGAL[event.kind][0];
    const state = STATES[from];
    const settled = event.kind === 'attempt-started' ? { ...state, settlingNonce: null } : state;

    expect(step(mail(settled), event)).toEqual({ ok: true, value: { state: NEXT[event.kind], report: null } });
  });

  it('answers the same state and no report when an event comes twice', () => {
    for (const state of Object.values(STATES)) {
      for (const event of Object.values(EVENTS)) {
        const once = step(mail(state), event);
        if (!once.ok) continue;
        expect(step(mail(once.value.state), event)).toEqual({
          ok: true,
          value: { state: once.value.state, report: null },
        });
      }
    }
  });

  it.each(['accepted', 'refused', 'lost', 'resolved', 'not-sent'] as const)(
    'writes a report that fits the contract with every %s',
    (kind) => {
      for (const from of MOVES[kind].from) {
        const moved = step(mail(STATES[from]), EVENTS[kind]);
        if (!moved.ok) throw new Error(`${kind} is illegal from ${from}`);
        const report = moved.value.report;
        if (report === null || report.route === 'fact') throw new Error(`${kind} from ${from} told no outcome`);
        const schema = report.route === 'result' ? ResultRequest : NotSentRequest;
        expect(schema.parse(report.body)).toEqual(report.body);
      }
    },
  );

  const told = { idempotency_key: 'email-recipient-7', attempt: 2 };
  const nothingMore = { smtp_message_id: null, error_message: null, evidence: null };
  const failed = { stage: 'handed-over', class: 'content', code: 554, enhanced_code: '5.7.1', reply: 'no' };
  const noFailure = { stage: null, class: null, code: null, enhanced_code: null, reply: null };

  it.each([
    [
      'accepted',
      'handed-over',
      { outcome: 'sent', nonce: NONCE, smtp_message_id: '<a@b.c>' },
      { stage: 'handed-over', class: null, code: 250, enhanced_code: '2.0.0', reply: 'queued as 4711' },
    ],
    ['refused', 'attempting', { outcome: 'send_failed', nonce: NONCE, error_message: 'Refused.' }, failed],
    [
      'lost',
      'handed-over',
      { outcome: 'uncertain', nonce: OTHER_NONCE, smtp_message_id: '<a@b.c>', error_message: 'Refused.' },
      failed,
    ],
    [
      'resolved',
      'uncertain',
      {
        outcome: 'sent',
        nonce: NONCE,
        smtp_message_id: '<a@b.c>',
        evidence: { kind: 'person', note: 'seen in Sent' },
      },
      noFailure,
    ],
  ] as const)('tells the cloud with %s of a mail that is %s all there is', (kind, from, known, fields) => {
    const payload_hash = `sha256:${'0'.repeat(64)}`;
    const body = { ...told, payload_hash, ...nothingMore, ...known, ...fields };

    expect(step(mail(STATES[from]), EVENTS[kind])).toMatchObject({ value: { report: { route: 'result', body } } });
  });

  it('tells the cloud which nonce did not send', () => {
    const { value } = step(mail(STATES.attempting), EVENTS['not-sent']) as { value: Step };

    expect(value.report).toEqual({ route: 'notSent', body: { ...told, nonce: NONCE, ...failed } });
  });

  it('tells of a failure without a reply', () => {
    const failure: Failure = { stage: 'prepare', class: 'local', reply: null, message: 'Stopped.' };
    const { value } = step(mail(STATES.attempting), { ...EVENTS['not-sent'], failure } as MailEvent) as { value: Step };

    expect(value.report?.body).toEqual({ ...told, nonce: NONCE, ...noFailure, stage: 'prepare', class: 'local' });
  });

  it.each([
    ['another time', claimed(500, NONCE), { ...EVENTS['not-sent'], nonce: NONCE }],
    ['another nonce', claimed(900, OTHER_NONCE), { ...EVENTS['not-sent'], nonce: NONCE }],
    ['another attempt', { kind: 'handed-over', attempt: 1 }, EVENTS['handed-over']],
  ] as const)('does not take a mail with %s for one that moved already', (_, state, event) => {
    expect(step(mail(state as MailState), event as MailEvent)).toMatchObject({
      ok: false,
      error: { why: 'not-from-here' },
    });
  });

  it('tells the cloud nothing of an attempt that never asked to begin', () => {
    const moved = step(mail(STATES.attempting), {
      kind: 'not-sent',
      attempt: 2,
      nonce: null,
      retryAtMs: 900,
      failure: FAILURE,
    });

    expect(moved).toEqual({
      ok: true,
      value: { state: { kind: 'claimed', attempt: 2, retryAtMs: 900, settlingNonce: null }, report: null },
    });
  });

  it.each(['handed-over', 'accepted', 'refused', 'not-sent', 'lost'] as const)(
    'refuses %s of another attempt',
    (kind) => {
      const from = MOVES[kind].from.at(-1) ?? 'claimed';
      const late = { ...EVENTS[kind], attempt: 1 } as MailEvent;

      expect(step(mail(STATES[from]), late)).toEqual({
        ok: false,
        error: { from, event: kind, why: 'other-attempt' },
      });
    },
  );

  it('starts only the attempt after the last one', () => {
    for (const attempt of [1, 2, 4]) {
      expect(step(mail(STATES.claimed), { kind: 'attempt-started', attempt })).toMatchObject({
        ok: false,
        error: { why: 'other-attempt' },
      });
    }
  });

  it('settles only the nonce it waits for', () => {
    expect(step(mail(STATES.claimed), { kind: 'settled', nonce: OTHER_NONCE })).toMatchObject({
      ok: false,
      error: { why: 'other-nonce' },
    });
  });

  it('reports what a person found about an uncertain mail under the nonce that began it', () => {
    const notSent = step(mail(STATES.uncertain), {
      kind: 'resolved',
      as: 'failed',
      messageId: '<a@b.c>',
      evidence: { kind: 'person', note: 'not in Sent' },
    });

    expect(notSent).toMatchObject({
      ok: true,
      value: {
        report: {
          body: { outcome: 'send_failed', nonce: NONCE, smtp_message_id: null, error_message: 'not in Sent' },
        },
      },
    });
  });

  it('keeps the number of attempts growing and a final state final, whatever comes', () => {
    const anyEvent = fc
      .tuple(fc.constantFrom(...Object.values(EVENTS)), fc.integer({ min: -1, max: 1 }))
      .map(([event, shift]) => ({ event, shift }));
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let state: MailState = { kind: 'claimed', attempt: 0, retryAtMs: 0, settlingNonce: null };
        for (const { event, shift } of events) {
          const due = state.attempt + (event.kind === 'attempt-started' ? 1 : 0) + (shift === -1 ? -1 : 0);
          const actual = ('attempt' in event ? { ...event, attempt: due } : event) as MailEvent;
          const moved = step(mail(state), actual);
          if (!moved.ok) continue;
          const next = moved.value.state;
          expect(next.attempt - state.attempt).toBe(event.kind === 'attempt-started' && next !== state ? 1 : 0);
          if (['sent', 'failed', 'cancelled'].includes(state.kind)) expect(next).toEqual(state);
          if (state.kind === 'uncertain' && next.kind !== 'uncertain') {
            expect(['resolved', 'concluded']).toContain(event.kind);
          }
          state = next;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('MOVES', () => {
  it('is the table of all legal moves', () => {
    expect(Object.fromEntries(Object.entries(MOVES).map(([kind, { from, to }]) => [kind, [from, to]]))).toEqual(LEGAL);
  });

  it('leads out of every state but the final ones', () => {
    const left = new Set(Object.values(MOVES).flatMap(({ from }) => from));

    expect(STATE_KINDS.filter((kind) => !left.has(kind))).toEqual(['sent', 'failed', 'cancelled']);
  });

  it('reaches sent only by acceptance, evidence or the word of the cloud', () => {
    const reaching = Object.entries(MOVES).filter(([, { to }]) => to.includes('sent'));

    expect(reaching.map(([kind]) => kind)).toEqual(['accepted', 'resolved', 'concluded']);
  });

  it('calls a mail open while it may still be sent', () => {
    expect(STATE_KINDS.filter(isOpen)).toEqual(['claimed', 'attempting', 'handed-over']);
  });
});
