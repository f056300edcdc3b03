import { beforeEach, describe, expect, it } from 'vitest';
import { factId } from '../../src/main/core/facts.ts';
import type { Letter } from '../../src/main/core/letter.ts';
import type { Context } from '../../src/main/engine/context.ts';
import type { InboxCursor, LedgerChange } from '../../src/main/engine/ports.ts';
import { messageIdOfMail } from '../../src/main/engine/prepare-mail.ts';
import { readInbox } from '../../src/main/engine/read-inbox.ts';
import { ok } from '../../src/shared/result.ts';
import type { MailAccount } from '../../src/shared/settings.ts';
import { claimed, commitAll, happened, newMail, refused, sendMail, started } from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';
import { bounceOf, letter, ModelMailbox } from '../support/fakes-mailbox.ts';
import { CONFIG } from '../support/fakes-world.ts';
import { type MemoryLedger, memoryLedger } from '../support/memory-ledger.ts';

const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;

let mailbox: ModelMailbox;
let ledger: MemoryLedger;
/** The kinds of change in each commit. */
let written: string[][];
let asked: { readonly cursor: InboxCursor | null; readonly sinceMs: number }[];
let bare: BareContext;
beforeEach(() => {
  mailbox = new ModelMailbox();
  const { letters } = mailbox;
  asked = [];
  mailbox.letters = (cursor, sinceMs, signal) => {
    asked.push({ cursor, sinceMs });
    return letters(cursor, sinceMs, signal);
  };
  ledger = memoryLedger();
  written = [];
  const commit = (changes: readonly LedgerChange[]) => {
    written.push(changes.map(({ kind }) => kind));
    return ledger.commit(changes);
  };
  bare = bareContext({ mailbox, ledger: { ...ledger, commit } });
});

const read = (context: Context = bare.context) => readInbox(context, mailbox, NEVER);
const withAccount = (over: Partial<MailAccount>): Context => ({
  ...bare.context,
  config: { ...CONFIG, account: { ...CONFIG.account, ...over } },
});
function sent(...numbers: readonly number[]): void {
  for (const number of numbers) {
    commitAll(ledger, claimed([newMail(number)]));
    sendMail(ledger, `${number}`, 3_000);
  }
}
function nameOf(id: string): string {
  const mail = ledger.mail(id);
  if (mail === null) throw new Error(`there is no mail ${id}`);
  return messageIdOfMail(mail, CONFIG.account.address);
}
const answer = (id: string, known: Partial<Letter> = {}): Letter => letter({ answers: [nameOf(id)], ...known });

describe('the letters in the inbox', () => {
  it('are read to the last page, and at most ten pages at once', async () => {
    mailbox.pageSize = 2;
    mailbox.inbox.push(letter(), letter(), letter());
    await read();
    const few = mailbox.visits.length;
    mailbox.inbox.push(...Array.from({ length: 30 }, () => letter()));
    await read();

    expect([few, mailbox.visits.length - few]).toEqual([2, 10]);
  });

  it('are read from three days ago on, then from the last one read, for each account', async () => {
    mailbox.inbox.push(letter());
    await read();
    await read();
    await read(withAccount({ address: 'other@example.com' }));

    expect(asked.map(({ cursor }) => cursor?.uidNext ?? null)).toEqual([null, 2, null]);
    expect(asked[0]?.sinceMs).toBe(bare.clock.nowMs() - 72 * HOUR_MS);
  });

  it('wait where the inbox cannot be read, and its trouble is told', async () => {
    const failure = { kind: 'unreachable', text: 'no answer' } as const;
    mailbox.failure = () => failure;

    expect(await read()).toEqual(failure);
  });

  it('wake nobody and write how far they were read, once, where they are about no mail', async () => {
    mailbox.inbox.push(letter());
    await read();
    await read();

    expect(written).toEqual([['setting']]);
    expect([await bare.rung(), bare.changes()]).toEqual([[], 0]);
  });

  it('are written together with how far they were read, and told', async () => {
    sent(1);
    mailbox.inbox.push(answer('1'));
    await read();

    expect(written).toEqual([['fact', 'setting']]);
    expect((await bare.rung()).toSorted()).toEqual(['report', 'send']);
    expect(bare.changes()).toBe(1);
  });

  it('count even where the server says that there is nothing new', async () => {
    sent(1);
    const letters: Letter[] = [];
    mailbox.letters = async () => ok({ cursor: { uidValidity: '1', uidNext: 5 }, letters, isRest: false });
    await read();
    letters.push(answer('1'));
    await read();

    expect(ledger.facts('1')).toHaveLength(1);
  });
});

describe('what a letter tells of a mail', () => {
  it.each([
    ['that came an hour ago', -HOUR_MS, -HOUR_MS],
    ['from the future', HOUR_MS, 0],
    ['without an instant', null, 0],
  ])('has a name and an instant of its own: one %s', async (_, arrived, expected) => {
    sent(1, 2);
    const nowMs = bare.clock.nowMs();
    const arrivedAtMs = arrived === null ? 0 : nowMs + arrived;
    mailbox.inbox.push(
      answer('1', { key: '<k@x>', arrivedAtMs }),
      bounceOf(nameOf('2'), '550 5.1.1 no such user', { key: '<k@x>', arrivedAtMs }),
    );
    await read();

    const atMs = nowMs + expected;
    expect(ledger.facts('1')).toEqual([{ id: factId('1', 'replied', '<k@x>'), kind: 'replied', atMs }]);
    expect(ledger.facts('2')).toMatchObject([{ id: factId('2', 'bounced', '<k@x>'), kind: 'bounced', atMs }]);
  });

  it('is told once, and what another letter tells beside it', async () => {
    sent(1);
    mailbox.inbox.push(answer('1'));
    await read();
    await bare.rung();
    commitAll(ledger, { kind: 'setting', key: 'inbox-cursor', value: undefined });
    await read();
    const again = [asked.at(-1)?.cursor, await bare.rung(), bare.changes(), ledger.facts('1').length];
    mailbox.inbox.push(answer('1'));
    await read();

    expect(again).toEqual([null, [], 1, 1]);
    expect(ledger.facts('1')).toHaveLength(2);
  });

  it.each([4, 100])('is no news any more after twenty of them, with %i letters a page', async (pageSize) => {
    sent(1, 2);
    mailbox.pageSize = pageSize;
    mailbox.inbox.push(...Array.from({ length: 30 }, () => answer('1')), answer('2'));
    await read();

    expect([ledger.facts('1').length, ledger.facts('2').length]).toEqual([20, 1]);
  });

  it('changes no outcome that is known', async () => {
    commitAll(ledger, claimed([newMail(1)]), happened('1', started(1)), happened('1', refused('1', 1)));
    mailbox.inbox.push(answer('1'));

    expect(await read()).toBeNull();
    expect([ledger.mail('1')?.state.kind, ledger.facts('1').length]).toEqual(['failed', 1]);
  });

  it('is found behind the names of mails that are not ours', async () => {
    sent(1);
    const others = ['<a@x>', '<email-recipient-999.0123456789abcdef@example.com>'];
    mailbox.inbox.push(letter({ answers: [...others, nameOf('1')] }));
    await read();

    expect(ledger.facts('1')).toHaveLength(1);
  });

  it.each<[string, () => Letter]>([
    ['from another of our addresses', () => answer('1', { from: 'alias@example.com' })],
    ['from this address', () => answer('1', { from: CONFIG.account.address })],
    ['that is an absence note', () => answer('1', { isAutomatic: true })],
    [
      'that only quotes the mail',
      () => letter({ from: 'postmaster@example.net', body: { text: `See ${nameOf('1')}`, enclosed: [] } }),
    ],
    ['about a mail that was never tried', () => answer('2')],
    ['about a mail that is not known', () => letter({ answers: ['<email-recipient-9.0123456789abcdef@example.com>'] })],
  ])('is nothing for a letter %s', async (_, made) => {
    sent(1);
    commitAll(ledger, claimed([newMail(2)]));
    mailbox.inbox.push(made());

    expect(await read(withAccount({ aliases: ['Alias@Example.com'] }))).toBeNull();
    expect([...ledger.facts('1'), ...ledger.facts('2')]).toEqual([]);
  });
});
