import { beforeEach, describe, expect, it } from 'vitest';
import { heldMails, holdBack, liftChanges } from '../../src/main/engine/held-addresses.ts';
import type { LedgerChange, NewMail } from '../../src/main/engine/ports.ts';
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

const DAY_MS = 24 * 3_600_000;
const GONE = 'gone@example.com';
const GONE_TOO = 'gone.too@example.com';

const mailTo = (number: number, address: string, over: Partial<NewMail> = {}) =>
  newMail(number, { payload: { to: { address }, subject: `No. ${number}`, text: 'x' }, ...over });
const hold = (address: string): LedgerChange => ({
  kind: 'address-held',
  held: { address, sinceMs: 1, mailId: '99', text: '550 no such user' },
});
let bare: BareContext;
beforeEach(() => {
  bare = bareContext();
  commitAll(bare.ledger, claimed([newMail(99)]));
  sendMail(bare.ledger, '99', 1);
});
const waiting = () => heldMails(bare.ledger).map(({ address, mails }) => [address, mails.map(({ id }) => id)]);

describe('an address that is held', () => {
  it('has all the mails that wait for it, however they spell it', () => {
    commitAll(bare.ledger, hold(GONE), hold(GONE_TOO));
    commitAll(
      bare.ledger,
      claimed([mailTo(1, GONE), mailTo(2, GONE_TOO), mailTo(3, ' Gone@Example.com'), mailTo(4, 'bert@example.com')]),
    );

    expect(waiting().toSorted()).toEqual([
      [GONE_TOO, ['2']],
      [GONE, ['1', '3']],
    ]);
  });

  it('asks nobody anything while no mail waits for it', () => {
    commitAll(bare.ledger, hold(GONE), claimed([mailTo(1, 'bert@example.com')]));

    expect(waiting()).toEqual([]);
  });

  it('is lifted with the mails that wait for it alone: no other one, and none of which nobody knows', () => {
    const { ledger, clock } = bare;
    commitAll(ledger, hold(GONE), hold(GONE_TOO));
    commitAll(ledger, claimed([mailTo(1, GONE), mailTo(2, GONE_TOO), mailTo(3, GONE)]));
    const laterMs = clock.nowMs() + DAY_MS;
    for (const id of ['1', '2']) commitAll(ledger, happened(id, { kind: 'postponed', retryAtMs: laterMs }));
    for (const event of [started(1), handedOver(1), lost('3', 1)]) commitAll(ledger, happened('3', event));

    commitAll(ledger, ...liftChanges(ledger, GONE, clock.nowMs()));

    expect(ledger.nextDue(clock.nowMs())?.id).toBe('1');
    expect(ledger.mail('2')?.state).toMatchObject({ retryAtMs: laterMs });
    expect(ledger.mail('3')?.state.kind).toBe('uncertain');
    expect(waiting()).toEqual([[GONE_TOO, ['2']]]);
  });
});

describe('a mail whose turn has come', () => {
  const heldBack = (mail: NewMail) => {
    commitAll(bare.ledger, hold(GONE), claimed([mail]));
    const stored = bare.ledger.mail(mail.id);
    if (stored === null) throw new Error('the mail is not there');
    return holdBack(bare.context, stored);
  };

  it.each([
    ['to another address', { payload: { to: { address: 'bert@example.com' } } }],
    ['to nobody', { payload: {} }],
  ])('%s goes on', (_, over) => {
    expect(heldBack(newMail(1, over))).toBeNull();
  });

  it.each([
    ['a day at most', null, DAY_MS],
    ['until its time is over', DAY_MS / 2, DAY_MS / 2],
    ['not at all once its time is over', 0, null],
  ])('to a held address waits %s', (_, notAfterMs, expectedMs) => {
    const nowMs = bare.clock.nowMs();
    const mail = mailTo(1, GONE, { notAfterMs: notAfterMs === null ? null : nowMs + notAfterMs });

    expect(heldBack(mail)).toEqual(
      expectedMs === null ? null : happened('1', { kind: 'postponed', retryAtMs: nowMs + expectedMs }, nowMs),
    );
  });
});
