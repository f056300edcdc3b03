import { describe, expect, it } from 'vitest';
import type { MailEvent } from '../../src/main/core/mail-state.ts';
import { DAY_MS } from '../../src/main/core/pace.ts';
import {
  accountSince,
  type PaceMemoryOfAgent,
  pauseByItself,
  readPaceMemory,
  rememberSubmission,
  settleClock,
} from '../../src/main/engine/pace-memory.ts';
import type { LedgerMail } from '../../src/main/engine/ports.ts';
import type { Pace } from '../../src/shared/settings.ts';
import {
  accepted,
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  notSent,
  refused,
  started,
} from '../conformance/ledger-samples.ts';
import { CONFIG, NO_PACE } from '../support/fakes-world.ts';
import { type MemoryLedger, memoryLedger } from '../support/memory-ledger.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 20_000 * DAY_MS + 5 * HOUR_MS;
const to = (address: unknown) => ({ payload: { to: { address }, subject: 's', text: 'x' } });
const paced = (over: Partial<Pace>) => ({ account: CONFIG.account, pace: { ...NO_PACE, ...over } });

/** A ledger in which one mail after another ended like this, to these domains. */
function ledgerWith(ends: readonly (readonly [domain: unknown, atMs: number, end?: (id: string) => MailEvent])[]) {
  const ledger = memoryLedger();
  for (const [index, [domain, atMs, end = (id: string) => accepted(id, 1)]] of ends.entries()) {
    const id = `${index + 1}`;
    commitAll(ledger, claimed([newMail(index + 1, to(typeof domain === 'string' ? `bert@${domain}` : domain))], atMs));
    for (const event of [started(1), handedOver(1), end(id)]) commitAll(ledger, happened(id, event, atMs));
  }
  return ledger;
}
const read = (ledger: MemoryLedger, over: Partial<Pace>) => readPaceMemory(ledger, paced(over), NOW_MS);

describe('what was sent, read at a start', () => {
  const LEDGER = ledgerWith([
    ['one.example', NOW_MS - 2 * DAY_MS],
    ['one.example', NOW_MS - 40],
    ['two.example', NOW_MS - 30],
    [7, NOW_MS - 20],
    ['one.example', NOW_MS + 10],
  ]);

  it('is kept by domain for the last hour, newest first, and nothing is later than now', () => {
    expect([...read(LEDGER, { perHourPerDomain: 5 }).byDomain]).toEqual([
      ['one.example', [NOW_MS, NOW_MS - 40]],
      ['two.example', [NOW_MS - 30]],
    ]);
  });

  it('is not read where the pace does not look at it', () => {
    const { byDomain, days, recent } = read(LEDGER, {});

    expect([byDomain.size, days.size, recent]).toEqual([0, 0, [NOW_MS]]);
  });

  it('counts the days of this account, and not those of one before', () => {
    const ledger = ledgerWith([
      ['one.example', NOW_MS - 2 * DAY_MS],
      ['one.example', NOW_MS],
    ]);
    const days = () => [...read(ledger, { rampUpDays: 3, perDay: 100 }).days].sort();
    const before = days();
    // The name under which ledgers in use have it.
    const since = { kind: 'setting', key: 'account-since', value: { address: CONFIG.account.address, sinceMs: 1 } };
    expect(accountSince({ address: 'old@example.com' }, CONFIG.account.address, 1)).toEqual([since]);
    commitAll(ledger, ...accountSince({ address: 'old@example.com' }, 'other@example.com', NOW_MS - DAY_MS));
    const ofAnother = days();
    commitAll(ledger, ...accountSince({ address: 'old@example.com' }, CONFIG.account.address, NOW_MS - DAY_MS));

    expect([before, ofAnother, days()]).toEqual([[19_998, 20_000], [19_998, 20_000], [20_000]]);
  });
});

describe('how the latest mails ended, read at a start', () => {
  it('leaves out what says nothing about the mails, and what ended before somebody let sending go on', () => {
    const ledger = ledgerWith([
      ['a.example', NOW_MS - 50, (id) => refused(id, 1)],
      ['a.example', NOW_MS - 40],
      ['a.example', NOW_MS - 30, (id) => lost(id, 1)],
      ['a.example', NOW_MS - 20, (id) => notSent(id, 1, 0, 'envelope')],
      ['a.example', NOW_MS - 10],
    ]);
    const outcomes = () => read(ledger, {}).ends.map(({ outcome }) => outcome);
    const all = outcomes();
    commitAll(ledger, { kind: 'setting', key: 'ends-counted-from', value: NOW_MS - 30 });

    // A failure of the connection has a pause of its own.
    expect([all, outcomes()]).toEqual([['accepted', 'lost', 'accepted'], ['accepted']]);
  });
});

const empty = (): PaceMemoryOfAgent => ({ recent: [], byDomain: new Map(), days: new Set(), ends: [] });
const mailTo = (address: unknown) => ({ payload: { to: { address } } }) as LedgerMail;

describe('a submission', () => {
  const remember = (memory: PaceMemoryOfAgent, over: Partial<Pace>, address: unknown, nowMs = NOW_MS) =>
    rememberSubmission(memory, { ...NO_PACE, ...over }, mailTo(address), nowMs);

  it('counts for as many mails as the pace looks back, the newest first', () => {
    const memory = empty();
    for (const atMs of [1, 2, 3]) remember(memory, { perMinute: 2 }, 'a@a.example', atMs);

    expect(memory.recent).toEqual([3, 2]);
  });

  it('counts its day where the account is new', () => {
    const [fresh, old] = [empty(), empty()];
    remember(fresh, { rampUpDays: 3 }, 'a@a.example');
    remember(old, {}, 'a@a.example');

    expect([[...fresh.days], [...old.days]]).toEqual([[20_000], []]);
  });

  it('counts for its domain where the pace has a limit for that, as far as the limit looks back', () => {
    const [limited, free] = [empty(), empty()];
    for (const atMs of [1, 2, 3]) remember(limited, { perHourPerDomain: 2 }, 'a@a.example', atMs);
    remember(limited, { perHourPerDomain: 2 }, 'no address', 4);
    remember(free, {}, 'a@a.example');

    expect([[...limited.byDomain], free.byDomain.size]).toEqual([[['a.example', [3, 2]]], 0]);
  });

  it('lets domains go to which nothing went for an hour', () => {
    const memory = empty();
    memory.byDomain.set('hour.example', [NOW_MS - HOUR_MS]);
    memory.byDomain.set('less.example', [NOW_MS - HOUR_MS + 1, NOW_MS - 2 * HOUR_MS]);
    remember(memory, { perHourPerDomain: 2 }, 'a@a.example');

    expect([...memory.byDomain]).toEqual([
      ['less.example', [NOW_MS - HOUR_MS + 1, NOW_MS - 2 * HOUR_MS]],
      ['a.example', [NOW_MS]],
    ]);
  });

  it('in the future of a clock that was set back counts as of now', () => {
    const memory = { ...empty(), recent: [NOW_MS + 9, NOW_MS - 9] };
    memory.byDomain.set('a.example', [NOW_MS + 9, NOW_MS - 9]);
    settleClock(memory, NOW_MS);

    expect([memory.recent, memory.byDomain.get('a.example')]).toEqual([
      [NOW_MS, NOW_MS - 9],
      [NOW_MS, NOW_MS - 9],
    ]);
  });
});

describe('a pause by itself', () => {
  const clock = { nowMs: () => NOW_MS } as never;
  const judge = (memory: PaceMemoryOfAgent, events: readonly MailEvent[], equal = 2) =>
    events.map(
      (event) =>
        pauseByItself(
          { ports: { clock }, config: { language: 'en', pace: { ...NO_PACE, pauseAfterEqualErrors: equal } } },
          memory,
          event,
        ).length > 0,
    );
  const REFUSED: Extract<MailEvent, { kind: 'refused' }> = {
    kind: 'refused',
    attempt: 1,
    nonce: null,
    failure: {
      stage: 'envelope',
      class: 'recipient-invalid',
      reply: { code: 550, enhanced: '5.1.1', text: 'no such user' },
      message: 'There is no such mailbox.',
    },
  };

  it.each<[string, MailEvent, boolean]>([
    ['a mail that was sent', accepted('1', 1), false],
    ['a mail of which nobody knows', lost('1', 1), false],
    ['a mail that was put off', { ...REFUSED, kind: 'not-sent', retryAtMs: 0 }, false],
    ['trouble with the connection', notSent('1', 1), true],
    ['a mail that the office took back', { kind: 'withdrawn', as: 'cancelled' }, true],
  ])('comes after two equal failures in a row, with %s between them: %s', (_, between, pauses) => {
    expect(judge(empty(), [REFUSED, between, REFUSED])).toEqual([false, false, pauses]);
  });

  it('begins to count anew', () => {
    expect(judge(empty(), [REFUSED, REFUSED, REFUSED, REFUSED])).toEqual([false, true, false, true]);
  });

  it('comes after equal failures that put mails off, too', () => {
    const putOff: MailEvent = { ...REFUSED, kind: 'not-sent', retryAtMs: 0 };

    expect(judge(empty(), [putOff, putOff])).toEqual([false, true]);
  });
});
