import { beforeEach, describe, expect, it } from 'vitest';
import { keepCopies, lacksCopies, rememberMessage } from '../../src/main/engine/keep-copies.ts';
import type { Composer, LedgerChange } from '../../src/main/engine/ports.ts';
import { ok } from '../../src/shared/result.ts';
import type { MailAccount } from '../../src/shared/settings.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import {
  accepted,
  claimed,
  commitAll,
  failureAt,
  handedOver,
  happened,
  newMail,
  notSent,
  sendMail,
  started,
} from '../conformance/ledger-samples.ts';
import { bareContext } from '../support/bare-context.ts';
import { samplePayload } from '../support/fakes-cloud-mail.ts';
import { ModelMailbox } from '../support/fakes-mailbox.ts';
import { fakeComposer } from '../support/fakes-mailer.ts';
import { type MemoryLedger, memoryLedger } from '../support/memory-ledger.ts';

const MEGABYTE = 1024 * 1024;
const never = new AbortController().signal;
const envelope = { from: 'sales@example.com', to: 'buyer@example.net', needsSmtpUtf8: false };
const message = (id: string, bytes = 10) => ({
  messageId: `<${id}@example.com>`,
  envelope,
  bytes: Buffer.alloc(bytes),
});

let mailbox: ModelMailbox;
let ledger: MemoryLedger;
let written: LedgerChange[];
beforeEach(() => {
  mailbox = new ModelMailbox();
  ledger = memoryLedger();
  written = [];
});

/** An account whose provider keeps no copy of what is sent, unless told otherwise. */
function account(over: Partial<MailAccount> = {}, composer: Composer = fakeComposer()) {
  const commit = (changes: readonly LedgerChange[]) => {
    written.push(...changes);
    return ledger.commit(changes);
  };
  const { context, clock, rung } = bareContext({ mailbox, composer, ledger: { ...ledger, commit } });
  const config = { ...context.config, account: { ...context.config.account, savesSentCopy: 'no' as const, ...over } };
  return { context: { ...context, config }, clock, rung };
}

/** So many mails that left a moment ago. */
function sent(count: number, nowMs: number): void {
  for (let number = 1; number <= count; number += 1) {
    const payload = samplePayload(`${number}`);
    commitAll(ledger, claimed([newMail(number, { payload, payloadHash: payloadHash(payload) })], nowMs));
    sendMail(ledger, `${number}`, nowMs + number);
  }
}
const ends = () =>
  written.flatMap((change) => (change.kind === 'copy-ended' ? [`${change.mailId} ${change.end}`] : []));

describe('a message that was accepted', () => {
  it('is remembered until its copy is kept, and the folder is looked at now', async () => {
    const { context, clock, rung } = account();
    rememberMessage(context, '1', message('1'));

    expect([...context.live.sentMessages]).toEqual([
      ['1', { messageId: '<1@example.com>', bytes: Buffer.alloc(10), dateMs: clock.nowMs() }],
    ]);
    expect(await rung()).toEqual(['mailbox']);
  });

  it.each(['yes', 'unknown'] as const)('is forgotten where the provider may keep a copy (%s)', (savesSentCopy) => {
    const { context } = account({ savesSentCopy });
    rememberMessage(context, '1', message('1'));

    expect(context.live.sentMessages.size).toBe(0);
  });

  it('is forgotten where no folder is read', () => {
    const { context } = account();
    rememberMessage({ ...context, ports: { ...context.ports, mailbox: null } }, '1', message('1'));

    expect(context.live.sentMessages.size).toBe(0);
  });

  it('makes way for later ones beyond 32 MB, the oldest first', () => {
    const { context } = account();
    const remembered = (id: string) => {
      rememberMessage(context, id, message(id, 16 * MEGABYTE));
      return [...context.live.sentMessages.keys()].join(' ');
    };

    expect(['1', '2', '3', '4'].map(remembered)).toEqual(['1', '1 2', '2 3', '3 4']);
  });
});

describe('copies in the Sent folder', () => {
  it('are lacking only where a mail was sent and the provider keeps none', () => {
    const { context, clock } = account();
    expect(lacksCopies(context)).toBe(false);
    sent(1, clock.nowMs());

    expect(lacksCopies(context)).toBe(true);
    expect(lacksCopies(account({ savesSentCopy: 'yes' }).context)).toBe(false);
  });

  it('are kept as the messages left, noted, and forgotten here', async () => {
    const { context, clock } = account();
    sent(1, clock.nowMs());
    rememberMessage(context, '1', message('left', 7));
    const refusals = new Map([['1', 2]]);

    expect(await keepCopies(context, mailbox, refusals, never)).toBeNull();
    expect(mailbox.copies.map(({ bytes }) => bytes.length)).toEqual([7]);
    expect(ends()).toEqual(['1 kept']);
    expect([context.live.sentMessages.size, refusals.size, lacksCopies(context)]).toEqual([0, 0, false]);
  });

  it('bear the time at which the mail left where they are made again', async () => {
    const dates: number[] = [];
    const fresh = fakeComposer();
    const composer: Composer = {
      compose(mail, signal) {
        dates.push(mail.dateMs);
        return fresh.compose(mail, signal);
      },
    };
    const { context, clock } = account({}, composer);
    const nowMs = clock.nowMs();
    const payload = samplePayload('1');
    commitAll(ledger, claimed([newMail(1, { payload, payloadHash: payloadHash(payload) })], nowMs));
    const cleared = { kind: 'cleared', retryAtMs: 0 } as const;
    const tries = [1, 2].flatMap((attempt) => [started(attempt), notSent('1', attempt, 0), cleared]);
    const events = [...tries, started(3), handedOver(3), accepted('1', 3)];
    for (const [index, event] of events.entries()) commitAll(ledger, happened('1', event, nowMs + index));
    await keepCopies(context, mailbox, new Map(), never);

    expect([dates, mailbox.copies.map(({ dateMs }) => dateMs)]).toEqual([[nowMs + 7], [nowMs + 7]]);
  });

  it('need no visit where none is lacking', async () => {
    expect(await keepCopies(account().context, mailbox, new Map(), never)).toBeNull();
    expect(mailbox.visits).toEqual([]);
    expect(written).toEqual([]);
  });

  it.each([
    ['permanent', ['1 given-up'], 0],
    ['temporary', [], 1],
  ] as const)('of a mail that can not be made again (%s) are given up, or left for later', async (kind, how, lack) => {
    const failure = failureAt('prepare');
    const composer = fakeComposer(() => ({ ok: false, error: { kind, failure } }));
    const { context, clock } = account({}, composer);
    sent(1, clock.nowMs());

    expect(await keepCopies(context, mailbox, new Map(), never)).toBeNull();
    expect(mailbox.visits).toEqual([]);
    expect([ends(), Number(lacksCopies(context))]).toEqual([how, lack]);
  });

  it.each([
    ['as many as there is room for', [10, 10, 1], [10, 10]],
    ['what fits behind one that does not', [10, 11, 9], [10, 9]],
    ['one that is larger than that, alone', [21, 1], [21]],
  ])('are put there in one visit up to 20 MB: %s', async (_, megabytes, expected) => {
    const { context, clock } = account();
    sent(megabytes.length, clock.nowMs());
    for (const [index, size] of megabytes.entries()) {
      context.live.sentMessages.set(`${index + 1}`, { ...message(`${index}`, size * MEGABYTE), dateMs: 0 });
    }
    await keepCopies(context, mailbox, new Map(), never);

    expect(mailbox.copies.map(({ bytes }) => bytes.length / MEGABYTE)).toEqual(expected);
  });

  it('are given up when the folder has refused them three times, and that is told as trouble before', async () => {
    mailbox.refuseCopies = true;
    const { context, clock } = account();
    sent(1, clock.nowMs());
    const refusals = new Map<string, number>();
    const visit = async () => (await keepCopies(context, mailbox, refusals, never))?.kind ?? null;

    expect([await visit(), await visit(), ends(), await visit()]).toEqual(['refused', 'refused', [], null]);
    expect(ends()).toEqual(['1 given-up']);
  });

  it('stay lacking where the folder cannot be reached, and its trouble is told', async () => {
    const trouble = { kind: 'unreachable', text: 'no answer' } as const;
    mailbox.failure = () => trouble;
    const { context, clock } = account();
    sent(1, clock.nowMs());

    expect(await keepCopies(context, mailbox, new Map(), never)).toEqual(trouble);
    expect([ends(), lacksCopies(context)]).toEqual([[], true]);
  });

  it('that were not tried are no refusals', async () => {
    const { context, clock } = account();
    sent(1, clock.nowMs());
    mailbox.keepCopies = async () => ok(new Map());
    const refusals = new Map<string, number>();
    for (let visit = 0; visit < 4; visit += 1) await keepCopies(context, mailbox, refusals, never);

    expect(ends()).toEqual([]);
  });
});
