import { beforeEach, describe, expect, it } from 'vitest';
import { mailboxLoop } from '../../src/main/engine/mailbox-loop.ts';
import type { MailboxFailure } from '../../src/main/engine/ports.ts';
import {
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  sendMail,
  started,
} from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';
import { SeededRandom } from '../support/fakes-clock.ts';
import { ModelMailbox } from '../support/fakes-mailbox.ts';

const DAY_MS = 24 * 3_600_000;
const NEVER = new AbortController().signal;

let mailbox: ModelMailbox;
let bare: BareContext;
/** Every visit, with the seconds since the start. */
let seen: string[];
let trouble: MailboxFailure['kind'] | null;
beforeEach(() => {
  mailbox = new ModelMailbox();
  // Every pause with chance in it is three quarters of its longest.
  bare = bareContext({ mailbox, random: { ...new SeededRandom(1), fraction: () => 0.5 } });
  bare.context.live.synced = true;
  seen = [];
  trouble = null;
  const startMs = bare.clock.monotonicMs();
  mailbox.failure = () => {
    seen.push(`${mailbox.visits.at(-1)} ${(bare.clock.monotonicMs() - startMs) / 1000}`);
    return trouble === null ? null : { kind: trouble, text: 'no' };
  };
});

function doubted(): void {
  commitAll(bare.ledger, claimed([newMail(1)]));
  for (const event of [started(1), handedOver(1), lost('1', 1)]) commitAll(bare.ledger, happened('1', event));
}

describe('the visits to a mailbox', () => {
  it('end at once where the account has none', async () => {
    const { context, clock } = bareContext();
    let isOver = false;
    void mailboxLoop(context, NEVER).then(() => {
      isOver = true;
    });
    await clock.advance(1);

    expect(isOver).toBe(true);
  });

  it.each([
    ['no mail has left yet', null, 3600],
    ['the last mail left two weeks ago', 14 * DAY_MS, 3600],
    ['a mail left within two weeks', 14 * DAY_MS - 1, 300],
  ])('read the inbox as often as an answer may come: %s', async (_, agoMs, seconds) => {
    commitAll(bare.ledger, claimed([newMail(1)]));
    if (agoMs !== null) sendMail(bare.ledger, '1', bare.clock.nowMs() - agoMs - 1);
    void mailboxLoop(bare.context, NEVER);
    await bare.clock.advance(3_600_000);

    expect(seen.slice(0, 2)).toEqual(['letters 0', `letters ${seconds}`]);
  });

  it('read the inbox after a search during which it came due', async () => {
    const { find } = mailbox;
    mailbox.find = async (...where) => {
      const found = await find(...where);
      await bare.clock.sleep(20_000, NEVER);
      return found;
    };
    void mailboxLoop(bare.context, NEVER);
    await bare.clock.advance(3_590_000);
    doubted();
    bare.context.bells.mailbox.ring();
    await bare.clock.advance(40_000);

    expect(seen).toEqual(['letters 0', 'find 3590', 'letters 3610']);
  });

  it('look for an uncertain mail in its own time, and read the inbox in its own', async () => {
    doubted();
    void mailboxLoop(bare.context, NEVER);
    await bare.clock.advance(3_600_000);

    const looks = [45, 135, 315, 675, 1395, 2835].map((seconds) => `find ${seconds}`);
    expect(seen).toEqual(['find 0', 'letters 0', ...looks, 'letters 3600']);
  });

  it.each([
    ['unreachable', [0, 45, 135]],
    ['refused', [0, 45, 135]],
    ['login', [0, 1350, 4050]],
    ['no-credentials', [0, 1350, 4050]],
  ] as const)('keep away from one in trouble (%s) for a while that grows, whatever happens', async (kind, times) => {
    trouble = kind;
    void mailboxLoop(bare.context, NEVER);
    for (let second = 0; second < 4_100; second += 10) {
      bare.context.bells.mailbox.ring();
      await bare.clock.advance(10_000);
    }

    expect(seen.slice(0, 3)).toEqual(times.map((seconds) => `letters ${seconds}`));
  });

  it('do not wait for an instant that only a wrong clock set', async () => {
    trouble = 'unreachable';
    bare.clock.jump(3 * DAY_MS);
    void mailboxLoop(bare.context, NEVER);
    await bare.clock.advance(1_000);
    bare.clock.setRight();
    await bare.clock.advance(44_000);

    expect(seen).toEqual(['letters 0', 'letters 45']);
  });

  it('wait until the ledger can be written', async () => {
    let isFull = true;
    const journal = { ...bare.context.journal, trouble: () => (isFull ? { sinceMs: 0 } : null) };
    void mailboxLoop({ ...bare.context, journal }, NEVER);
    await bare.clock.advance(61_000);
    isFull = false;
    await bare.clock.advance(60_000);

    expect(seen).toEqual(['letters 65']);
  });

  it('end with the one under way', async () => {
    const stop = new AbortController();
    const { find } = mailbox;
    mailbox.find = (...asked) => {
      stop.abort();
      return find(...asked);
    };
    doubted();
    await mailboxLoop(bare.context, stop.signal);

    expect(seen).toEqual(['find 0']);
  });
});
