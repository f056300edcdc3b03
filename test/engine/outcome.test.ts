import { describe, expect, it } from 'vitest';
import type { AttemptEnd, Submission } from '../../src/main/core/attempt-end.ts';
import type { Hold } from '../../src/main/core/hold.ts';
import { concluded, isUnknown, mayHaveArrived, unready, written } from '../../src/main/engine/outcome.ts';
import type { LedgerFailure, LedgerMail } from '../../src/main/engine/ports.ts';
import { err, ok } from '../../src/shared/result.ts';
import {
  claimed,
  commitAll,
  failureAt,
  handedOver,
  happened,
  newMail,
  started,
} from '../conformance/ledger-samples.ts';
import { attemptEnd } from '../support/attempt-ends.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';

const reply = (code: number, enhanced: string | null, text: string) => ({ code, enhanced, text });
const ACCEPTED: Submission = { kind: 'accepted', reply: reply(250, null, 'ok') };
const GREYLISTED: Submission = { kind: 'replied', stage: 'envelope', reply: reply(450, '4.2.0', 'greylisted') };
const REFUSED_LOGIN: Submission = { kind: 'replied', stage: 'auth', reply: reply(535, '5.7.8', 'no') };
const DROPPED: Submission = { kind: 'broken', stage: 'handed-over', cause: 'dropped', text: '' };

/** A mail whose attempt has this number; those before were put off. */
function mailAt(bare: BareContext, attempt: number): LedgerMail {
  const { ledger } = bare;
  commitAll(ledger, claimed([newMail(1)]));
  for (let number = 1; number <= attempt; number += 1) {
    commitAll(ledger, happened('1', started(number)));
    if (number === attempt) break;
    const failure = { ...failureAt('envelope'), reply: reply(450, '4.2.0', 'greylisted') };
    commitAll(ledger, happened('1', { kind: 'not-sent', attempt: number, nonce: null, retryAtMs: 0, failure }));
  }
  commitAll(ledger, happened('1', handedOver(attempt)));
  const mail = ledger.mail('1');
  if (mail === null) throw new Error('no mail');
  return mail;
}

const conclusionOf = (bare: BareContext, submission: Submission, attempt = 1, over: Partial<AttemptEnd> = {}) =>
  concluded(bare.context, mailAt(bare, attempt), attempt, '<name@x>', attemptEnd(submission, over));
const kinds = (changes: ReturnType<typeof concluded>) =>
  changes.map((change) => (change.kind === 'mail' ? change.event.kind : change.kind));
const hold = (kind: Hold['kind']): Hold => ({ kind, sinceMs: 0, untilMs: null, text: 'why', repeat: 3 });

describe('the end of an attempt', () => {
  it('lifts the back-off of the account where there is one, and asks nobody', async () => {
    const [free, held, others] = [bareContext(), bareContext(), bareContext()];
    commitAll(held.ledger, { kind: 'hold-set', hold: hold('back-off') });
    commitAll(others.ledger, { kind: 'hold-set', hold: hold('user') });

    expect(kinds(conclusionOf(free, ACCEPTED))).toEqual(['accepted']);
    expect(kinds(conclusionOf(others, ACCEPTED))).toEqual(['accepted']);
    expect(conclusionOf(held, ACCEPTED)[1]).toEqual({ kind: 'hold-lifted', holdKind: 'back-off' });
    expect(await free.rung()).toEqual([]);
  });

  it('keeps the name that the server gave the mail, where it is another one', () => {
    const named = (name: string): Submission => ({ kind: 'accepted', reply: reply(250, null, `OK <${name}>`) });

    expect(conclusionOf(bareContext(), named('other@y'))[1]).toEqual({
      kind: 'mail-named',
      mailId: '1',
      messageId: '<other@y>',
    });
    expect(kinds(conclusionOf(bareContext(), named('name@x')))).toEqual(['accepted']);
  });

  it('looks into the mailbox where a mail may have been sent, and into the queue where the cloud took it back', async () => {
    const [lost, withdrawn] = [bareContext(), bareContext()];
    expect(kinds(conclusionOf(lost, DROPPED))[0]).toBe('lost');
    const taken = conclusionOf(withdrawn, { kind: 'held-back' }, 1, { begin: { kind: 'released' } });

    expect(kinds(taken)).toEqual(['withdrawn']);
    expect(await lost.rung()).toEqual(['mailbox']);
    expect(await withdrawn.rung()).toEqual(['claim']);
  });

  it('counts only the attempts that the server put off', () => {
    expect([1, 2, 3].map((attempt) => kinds(conclusionOf(bareContext(), GREYLISTED, attempt))[0])).toEqual([
      'not-sent',
      'not-sent',
      'refused',
    ]);
  });

  it('sets the one hold that says most', () => {
    expect(kinds(conclusionOf(bareContext(), REFUSED_LOGIN))).toEqual(['not-sent', 'hold-set']);
  });

  it('lets the hold of a reply stand where sending would pause by itself, too', () => {
    const { context, ledger, ...bare } = bareContext();
    const config = { ...context.config, pace: { ...context.config.pace, pauseAfterEqualErrors: 2 } };
    const spam: Submission = { kind: 'replied', stage: 'handed-over', reply: reply(554, '5.7.1', 'looks like spam') };
    const mail = mailAt({ ...bare, context, ledger }, 1);
    const ends = () => concluded({ ...context, config }, mail, 1, '<name@x>', attemptEnd(spam));
    const [first, second] = [ends(), ends()];
    for (const change of second) if (change.kind !== 'mail') commitAll(ledger, change);

    expect([kinds(first), kinds(second)]).toEqual([
      ['refused', 'hold-set'],
      ['refused', 'hold-set', 'setting', 'hold-set'],
    ]);
    expect(ledger.holds().map(({ text }) => text)).toEqual([expect.not.stringContaining('Several mails in a row')]);
  });

  it.each<[Submission, object]>([
    [ACCEPTED, { outcome: 'accepted', code: 250 }],
    [GREYLISTED, { outcome: 'not-sent', stage: 'envelope', code: 450, enhanced: '4.2.0' }],
    [DROPPED, { outcome: 'lost', stage: 'handed-over', cause: 'dropped' }],
    [{ kind: 'held-back' }, { outcome: 'withdrawn', begin: 'cancelled' }],
  ])('is logged without anything of the mail: %j', (submission, fields) => {
    const logged: (readonly [string, object?])[] = [];
    const quiet = () => undefined;
    const log = { info: (...line: [string, object?]) => logged.push(line), warn: quiet, error: quiet };
    conclusionOf(bareContext({ log }), submission, 1, { begin: { kind: 'cancelled' } });

    expect(logged).toEqual([['mail.attempt-ended', { mail: '1', attempt: 1, ...fields }]]);
  });

  it('is logged where begin had no answer', () => {
    const logged: unknown[] = [];
    const quiet = () => undefined;
    const log = { info: (_: string, fields?: object) => logged.push(fields), warn: quiet, error: quiet };
    conclusionOf(bareContext({ log }), { kind: 'held-back' }, 1, { begin: null });

    expect(logged).toEqual([{ mail: '1', attempt: 1, outcome: 'not-sent', begin: null }]);
  });
});

describe('a mail counts for the pace', () => {
  it.each<[Submission, boolean]>([
    [ACCEPTED, true],
    [DROPPED, true],
    [{ ...DROPPED, stage: 'body' }, false],
    [GREYLISTED, false],
    [{ kind: 'held-back' }, false],
  ])('after %j: %s', (submission, counts) => {
    expect(mayHaveArrived(attemptEnd(submission))).toBe(counts);
  });
});

describe('a mail that cannot be prepared', () => {
  it('fails for good, or waits longer each time', () => {
    const bare = bareContext();
    commitAll(bare.ledger, claimed([newMail(1)]));
    const mail = bare.ledger.mail('1');
    if (mail === null) throw new Error('no mail');
    const failure = failureAt('prepare');
    const waits = [1, 2, 3].map(() => {
      const change = unready(bare.context, mail, { kind: 'temporary', failure });
      if (change.kind !== 'mail' || change.event.kind !== 'postponed') throw new Error('it was not put off');
      return change.event.retryAtMs - bare.clock.nowMs();
    });

    for (const [index, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(10_000 * 2 ** index);
      expect(ms).toBeLessThanOrEqual(20_000 * 2 ** index);
    }
    expect(unready(bare.context, mail, { kind: 'permanent', failure })).toMatchObject({
      event: { kind: 'refused', attempt: 0, nonce: null, failure },
    });
  });
});

describe('what must not be lost', () => {
  const CHANGES = [claimed([newMail(1)])];
  const signals = () => ({ drain: new AbortController(), abandon: new AbortController() });
  const REFUSAL: LedgerFailure = { kind: 'unknown-mail', mailId: '1' };
  const UNKNOWN: LedgerFailure = { kind: 'io', text: '', reopened: false };

  /** Writes against a disk that answers these one after another, and then that it is done. */
  async function write(bare: BareContext, failures: readonly LedgerFailure[], changes = CHANGES) {
    const left = [...failures];
    let commits = 0;
    const commit = () => {
      commits += 1;
      const failure = left.shift();
      return failure === undefined ? ok(undefined) : err(failure);
    };
    const context = { ...bare.context, journal: { ...bare.context.journal, commit } };
    const { drain, abandon } = signals();
    let done: boolean | unknown = null;
    const writing = written(context, changes, { drain: drain.signal, abandon: abandon.signal }).then(
      (result) => {
        done = result;
      },
      (error) => {
        done = error;
      },
    );
    return { abandon, writing, commits: () => commits, done: () => done };
  }

  it('is written again and again, and says so meanwhile', async () => {
    const bare = bareContext();
    const { writing, commits, done } = await write(bare, [
      { kind: 'full', text: '' },
      { kind: 'busy', text: '' },
    ]);
    await bare.clock.advance(1_000);
    const meanwhile = { commits: commits(), done: done(), waiting: bare.context.live.waiting, changes: bare.changes() };
    await bare.clock.advance(10_000);
    await writing;

    expect(meanwhile).toEqual({ commits: 1, done: null, waiting: { why: 'held', untilMs: null }, changes: 1 });
    expect([commits(), done(), bare.changes()]).toEqual([3, true, 3]);
  });

  it('wakes the claiming when it makes room, and not before or after', async () => {
    const bare = bareContext();
    bare.context.live.mailsUntilRoom = 2;
    const woken: (readonly string[])[] = [];
    for (let outcome = 1; outcome <= 3; outcome += 1) {
      await (await write(bare, [])).writing;
      woken.push(await bare.rung());
    }

    expect(woken).toEqual([['report'], ['claim', 'report'], ['report']]);
  });

  it('is nothing where nothing is to be written', async () => {
    const bare = bareContext();
    const { writing, commits, done } = await write(bare, [], []);
    await writing;

    expect([commits(), done(), bare.changes()]).toEqual([0, true, 0]);
  });

  it('is given up where the agent is told to', async () => {
    const bare = bareContext();
    const { abandon, writing, done } = await write(bare, Array(9).fill({ kind: 'full', text: '' }));
    await bare.clock.advance(1_000);
    abandon.abort();
    await bare.clock.advance(5_000);
    await writing;

    expect(done()).toBe(false);
  });

  it('is a fault of ours where the ledger refuses it, and no fault where it may be written already', async () => {
    const [plain, doubtful] = [bareContext(), bareContext()];
    doubtful.context.live.syncWanted = false;
    const refused = await write(plain, [REFUSAL]);
    const again = await write(doubtful, [UNKNOWN, REFUSAL]);
    await doubtful.clock.advance(5_000);
    await Promise.all([refused.writing, again.writing]);

    expect(refused.done()).toBeInstanceOf(Error);
    expect(again.done()).toBe(true);
    expect(doubtful.context.live.syncWanted).toBe(true);
  });

  it.each<[LedgerFailure, boolean]>([
    [UNKNOWN, true],
    [{ kind: 'io', text: '', reopened: true }, false],
    [{ kind: 'full', text: '' }, false],
    [REFUSAL, false],
  ])('is perhaps on disk after %j: %s', (failure, is) => {
    expect(isUnknown(failure)).toBe(is);
  });
});
