import { describe, expect, it } from 'vitest';
import type { LedgerMail } from '../../src/main/engine/ports.ts';
import { type QuestionParts, questionsOf } from '../../src/main/window-host/questions.ts';
import { hold } from '../support/status-sample.ts';

const DAY_MS = 86_400_000;
const mail = (id: string): LedgerMail => ({
  id,
  idempotencyKey: `email-recipient-${id}`,
  payloadHash: 'h',
  taskId: 't',
  taskName: 'T',
  payload: { to: { address: 'li@example.net' }, from: { address: 'a@example.com' }, subject: 'Offer', text: 'x' },
  notBeforeMs: null,
  notAfterMs: null,
  claimedAtMs: 1,
  changedAtMs: 2,
  state: { kind: 'uncertain', attempt: 1, nonce: null },
});
const summary = (id: string) => ({
  id,
  kind: 'failed' as const,
  toName: null,
  toAddress: 'li@example.net',
  subject: 'Offer',
  taskName: 'T',
  changedAtMs: 2,
});

const NOTHING = { attempts: () => [], held: () => [], heldAddresses: () => [] };

const parts = (change: Partial<QuestionParts> = {}): QuestionParts => ({
  ledger: { list: () => [], mail: () => null, ...NOTHING },
  reads: { conflicts: () => [], failed: () => [] },
  status: { holds: [] },
  answerTo: () => null,
  language: 'en',
  nowMs: 30 * DAY_MS,
  ...change,
});

describe('what waits for a person', () => {
  it('is nothing while all goes well, and a pause or a limit is no question', () => {
    expect(questionsOf(parts({ status: { holds: [hold('user'), hold('back-off')] } }))).toEqual([]);
  });

  it('names what stops all mails first', () => {
    const status = { holds: [hold('account', 'The login was refused.')] };
    const ledger = { list: () => [mail('7')], mail: () => null, ...NOTHING };

    expect(questionsOf(parts({ status, ledger })).map(({ kind }) => kind)).toEqual(['account', 'uncertain']);
  });

  it('shows with a doubt what is known, and the answer that can still be undone', () => {
    const ledger = { list: () => [mail('7')], mail: () => null, ...NOTHING };
    const answer = { as: 'sent', undoUntilMs: 5 } as const;

    expect(questionsOf(parts({ ledger, answerTo: () => answer }))).toMatchObject([
      {
        kind: 'uncertain',
        mail: { id: '7', toAddress: 'li@example.net' },
        known: expect.stringContaining('may'),
        answer,
      },
    ]);
  });

  it('shows both words of a conflict', () => {
    const conflict = { mailId: '7', body: '{"outcome":"sent"}', ended: 'conflict', endedAtMs: 1 } as const;
    const reads = {
      failed: () => [],
      conflicts: () => [
        { ...conflict, stored: '{"status":"send_failed"}' },
        { ...conflict, body: 'not JSON', stored: null },
      ],
    };
    const ledger = { list: () => [], mail: mail, ...NOTHING };

    expect(questionsOf(parts({ ledger, reads }))).toMatchObject([
      { kind: 'conflict', here: 'Sent', cloud: 'Not sent' },
      { kind: 'conflict', here: 'Unknown', cloud: 'Unknown' },
    ]);
  });

  it('asks about an address that bounced while mails wait for it, and not before', () => {
    const address = { address: 'li@example.net', sinceMs: 1, mailId: '1', text: '550 no such user' };
    const waiting = {
      ...mail('8'),
      state: { kind: 'claimed', attempt: 0, retryAtMs: 9, settlingNonce: null },
    } as const;
    const ledger = { list: () => [], mail: () => null, ...NOTHING, heldAddresses: () => [address] };

    expect(questionsOf(parts({ ledger }))).toEqual([]);
    expect(questionsOf(parts({ ledger: { ...ledger, held: () => [waiting, mail('9')] } }))).toMatchObject([
      { kind: 'held-address', address: 'li@example.net', text: '550 no such user', mails: [{ id: '8' }], count: 1 },
    ]);
  });

  it('groups failed mails of the last week by their cause', () => {
    const asked: number[] = [];
    const failed = (sinceMs: number) => {
      asked.push(sinceMs);
      return [
        { ...summary('1'), class: 'recipient-invalid' as const, message: null },
        { ...summary('2'), class: 'too-big' as const, message: null },
        { ...summary('3'), class: 'recipient-invalid' as const, message: null },
      ];
    };

    const groups = questionsOf(parts({ reads: { conflicts: () => [], failed } }));

    expect(asked).toEqual([23 * DAY_MS]);
    expect(groups).toMatchObject([
      { kind: 'failed', count: 2, mails: [{ id: '1' }, { id: '3' }], newestAtMs: 2 },
      { kind: 'failed', count: 1, mails: [{ id: '2' }] },
    ]);
  });
});
