import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/main/engine/context.ts';
import { LEDGER_PAUSE_MS } from '../../src/main/engine/journal.ts';
import { NEAR_MS, planNext, prepareUpcoming, startPreparing, waitFor } from '../../src/main/engine/next-mail.ts';
import type { LedgerFailure, NewMail } from '../../src/main/engine/ports.ts';
import type { Pace } from '../../src/shared/settings.ts';
import {
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  notSent,
  started,
} from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';
import { NO_PACE } from '../support/fakes-world.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const running = new AbortController().signal;
const stop = { drain: running, abandon: running };

const mailTo = (number: number, domain: string, over: Partial<NewMail> = {}) =>
  newMail(number, { payload: { to: { address: `bert@${domain}` }, subject: `No. ${number}`, text: 'x' }, ...over });

/** A context that has compared with the cloud, with these mails claimed and this pace. */
function ready(mails: readonly NewMail[], pace: Partial<Pace> = {}): BareContext {
  const bare = bareContext();
  bare.context.live.synced = true;
  if (mails.length > 0) commitAll(bare.ledger, claimed(mails));
  return { ...bare, context: { ...bare.context, config: { ...bare.context.config, pace: { ...NO_PACE, ...pace } } } };
}

/** The last mail to this domain left so long ago; with one an hour allowed, the next must wait for the rest of it. */
function sentTo({ context, clock }: BareContext, domain: string, agoMs: number): void {
  context.live.pace.byDomain.set(domain, [clock.nowMs() - agoMs]);
}
const chosen = (context: Context): string => {
  const next = planNext(context, 0);
  return next.kind === 'send' ? next.mail.id : next.why;
};

describe('which mail comes next', () => {
  it('is the first that may be tried', () => {
    const { context, ledger } = ready([mailTo(1, 'one.example'), mailTo(2, 'two.example')]);

    expect(planNext(context, 0)).toEqual({ kind: 'send', mail: ledger.mail('1') });
  });

  it('is found without a look at all the others where no domain has had enough', () => {
    const { context } = ready([mailTo(1, 'one.example')]);
    const held = () => {
      throw new Error('all mails were read');
    };
    const ports = { ...context.ports, ledger: { ...context.ports.ledger, held } };

    expect(chosen({ ...context, ports })).toBe('1');
  });

  describe('where the first one’s domain has had enough', () => {
    const pace = { perHourPerDomain: 1 };

    it('is the first behind it that goes elsewhere', () => {
      const bare = ready(
        [1, 2, 3, 4].map((number) => mailTo(number, number < 3 ? 'one.example' : 'two.example')),
        pace,
      );
      sentTo(bare, 'one.example', MINUTE_MS);

      expect(chosen(bare.context)).toBe('3');
    });

    it.each([
      ['is not due yet', { notBeforeMs: 'later' }],
      ['is due in this moment', { notBeforeMs: 'now' }],
    ] as const)('looks whether a mail behind it %s', (_, { notBeforeMs }) => {
      const bare = ready([mailTo(1, 'one.example')], pace);
      sentTo(bare, 'one.example', MINUTE_MS);
      const nowMs = bare.clock.nowMs();
      const at = notBeforeMs === 'now' ? nowMs : nowMs + 1;
      commitAll(bare.ledger, claimed([mailTo(2, 'two.example', { notBeforeMs: at })]));

      expect(chosen(bare.context)).toBe(notBeforeMs === 'now' ? '2' : 'per-domain');
    });

    it('passes over one that waits for its next try, for the cloud’s word, or for a person', () => {
      const bare = ready(
        [1, 2, 3, 4].map((number) => mailTo(number, `firm${number}.example`)),
        pace,
      );
      sentTo(bare, 'firm1.example', MINUTE_MS);
      const attempt = (id: string) => [happened(id, started(1)), happened(id, handedOver(1))];
      const laterMs = bare.clock.nowMs() + HOUR_MS;
      for (const change of [
        ...attempt('2'),
        happened('2', notSent('2', 1, laterMs)),
        happened('2', { kind: 'cleared', retryAtMs: laterMs }),
        ...attempt('3'),
        happened('3', notSent('3', 1, 0)),
        ...attempt('4'),
        happened('4', lost('4', 1)),
      ]) {
        commitAll(bare.ledger, change);
      }

      expect(chosen(bare.context)).toBe('per-domain');
    });

    it('waits for the domain that is free first', () => {
      const bare = ready(
        [1, 2, 3].map((number) => mailTo(number, `firm${number}.example`)),
        pace,
      );
      sentTo(bare, 'firm1.example', 10 * MINUTE_MS);
      sentTo(bare, 'firm2.example', 50 * MINUTE_MS);
      sentTo(bare, 'firm3.example', 30 * MINUTE_MS);

      expect(planNext(bare.context, 0)).toEqual({
        kind: 'wait',
        why: 'per-domain',
        untilMs: bare.clock.nowMs() + 10 * MINUTE_MS,
      });
    });
  });
});

describe('waiting', () => {
  const waited = async (bare: BareContext, untilMs: number | null): Promise<number> => {
    const { clock, context } = bare;
    const fromMs = clock.monotonicMs();
    let over = false;
    const waiting = waitFor(context, { kind: 'wait', untilMs, why: 'gap' }, running).then(() => {
      over = true;
    });
    await clock.runUntil(() => over);
    await waiting;
    return clock.monotonicMs() - fromMs;
  };

  it('says what it waits for, and tells whoever watches', async () => {
    const bare = ready([]);
    const untilMs = bare.clock.nowMs() + 500;
    await waited(bare, untilMs);

    expect(bare.context.live.waiting).toEqual({ why: 'gap', untilMs });
    expect(bare.changes()).toBe(1);
  });

  it.each([
    ['until its time', 500, 500],
    ['a minute at most, as the clock may change', HOUR_MS, MINUTE_MS],
    ['a minute where only an event can end it', null, MINUTE_MS],
    ['not at all for what is past', -5, 0],
  ])('lasts %s', async (_, inMs, expectedMs) => {
    const bare = ready([]);

    expect(await waited(bare, inMs === null ? null : bare.clock.nowMs() + inMs)).toBe(expectedMs);
  });

  it('is short while the disk fails, and ends with a try that finds it mended', async () => {
    let failure: LedgerFailure | null = { kind: 'full', text: 'disk full' };
    const ledger = memoryLedger({ failure: () => failure });
    const bare = bareContext({ ledger });
    const { context, rung } = bare;
    context.journal.probe();
    await rung();

    expect(await waited(bare, null)).toBe(LEDGER_PAUSE_MS);
    expect(context.journal.trouble()).not.toBeNull();

    failure = null;
    await waited(bare, null);
    expect(context.journal.trouble()).toBeNull();
  });

  it('leaves the disk alone where nothing is wrong with it', async () => {
    const ledger = memoryLedger();
    let commits = 0;
    const counted = (changes: Parameters<typeof ledger.commit>[0]) => {
      commits += 1;
      return ledger.commit(changes);
    };
    await waited(bareContext({ ledger: { ...ledger, commit: counted } }), null);

    expect(commits).toBe(0);
  });
});

describe('composing the next mail beside the one under way', () => {
  const upcoming = ({ context }: BareContext) => prepareUpcoming(context, stop)?.mailId ?? null;

  it.each([
    ['is done where the pauses between mails are short', { gapMaxMs: NEAR_MS }, '1'],
    ['is left where they may be longer: the message would carry an old date', { gapMaxMs: NEAR_MS + 1 }, null],
    ['is left where the mail under way is the last for this minute', { perMinute: 1 }, null],
    ['is done where one more may go', { perMinute: 2 }, '1'],
  ])('%s', (_, pace, expected) => {
    expect(upcoming(ready([mailTo(1, 'one.example')], pace))).toBe(expected);
  });

  it.each([
    ['is done where its turn comes within a moment', 0, '1'],
    ['is left where its turn comes later', 1, null],
  ])('%s', (_, laterMs, expected) => {
    const bare = ready([mailTo(1, 'one.example')], { perMinute: 2 });
    bare.context.live.pace.recent = [bare.clock.nowMs() - MINUTE_MS + NEAR_MS + laterMs];

    expect(upcoming(bare)).toBe(expected);
  });

  it('is nothing where no mail is there', () => {
    expect(upcoming(ready([]))).toBeNull();
  });

  it('does not end the process where it breaks and nobody waits for it', async () => {
    const nowMs = () => {
      throw new Error('a fault of ours');
    };
    const broken: unknown[] = [];
    const note = (error: unknown) => broken.push(error);
    process.on('unhandledRejection', note);
    const { context, ledger } = ready([mailTo(1, 'one.example')]);
    const faulty = { ...context, ports: { ...context.ports, clock: { ...context.ports.clock, nowMs } } };
    const mail = ledger.mail('1');
    if (mail === null) throw new Error('the mail is not there');
    const { done } = startPreparing(faulty, mail, stop);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);

    expect(broken).toEqual([]);
    await expect(done.preparing).rejects.toThrow('a fault of ours');
  });
});
