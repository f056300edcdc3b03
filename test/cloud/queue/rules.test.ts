import { describe, expect, it } from 'vitest';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../../../cloud/queue/moves.ts';
import {
  judgeNotSent,
  judgeResult,
  type MailFacts,
  mayMove,
  operatorMay,
  refuseBegin,
  refuseRelease,
} from '../../../cloud/queue/rules.ts';
import type { ResultRequest } from '../../../src/shared/wire/messages.ts';

const AGENT = { agentId: 'agent-1', userId: 'user-1' };
const OTHER = { agentId: 'agent-2', userId: 'user-1' };
const NONCE = 'a'.repeat(22);
const ANOTHER = 'b'.repeat(22);

const SENDING: MailFacts = {
  status: 'sending',
  agent_id: 'agent-1',
  idempotency_key: 'email-recipient-7',
  payload_hash: 'sha256:7',
  begun_nonce: null,
  retired_nonces: [],
  smtp_message_id: null,
  error_message: null,
  uncertain: false,
  expired: false,
};
const BEGUN: MailFacts = { ...SENDING, begun_nonce: NONCE };
const DOUBTED: MailFacts = { ...BEGUN, uncertain: true };

describe('a move', () => {
  const FREE: Record<RecipientStatus, readonly RecipientStatus[]> = {
    draft: ['queued', 'cancelled'],
    queued: ['sending', 'cancelled'],
    sending: ['queued', 'send_failed', 'cancelled'],
    sent: [],
    send_failed: [],
    cancelled: [],
  };
  const targets = (mail: Pick<MailFacts, 'begun_nonce' | 'uncertain'>, status: RecipientStatus) =>
    RECIPIENT_STATUSES.filter((to) => mayMove({ ...mail, status }, to));

  it.each(RECIPIENT_STATUSES)('of a mail that is %s and has not begun leads only onward', (status) => {
    expect(targets(SENDING, status)).toEqual(FREE[status]);
  });

  it('of a mail that has begun, or that nobody is sure of, leads only to its end', () => {
    for (const mail of [BEGUN, DOUBTED, { begun_nonce: null, uncertain: true }]) {
      expect(targets(mail, 'sending')).toEqual(['sent', 'send_failed']);
    }
  });
});

const FACTS = { idempotency_key: SENDING.idempotency_key, payload_hash: SENDING.payload_hash };
const BEGIN = { ...FACTS, nonce: NONCE, attempt: 1 };

describe('begin', () => {
  it.each<[string, MailFacts, ReturnType<typeof refuseBegin>]>([
    ['that is held and has not begun', SENDING, null],
    ['that began under this nonce', BEGUN, null],
    ['that began under this nonce and whose time is over', { ...BEGUN, expired: true }, null],
    ['that began under this nonce and is doubted', DOUBTED, null],
    ['with another key', { ...SENDING, idempotency_key: 'email-recipient-8' }, 'payload-changed'],
    ['with another hash', { ...SENDING, payload_hash: 'sha256:8' }, 'payload-changed'],
    ['that was cancelled', { ...SENDING, status: 'cancelled' }, 'cancelled'],
    ['that was sent', { ...SENDING, status: 'sent' }, 'already-final'],
    ['that has failed', { ...SENDING, status: 'send_failed' }, 'already-final'],
    ['that was given back', { ...SENDING, status: 'queued' }, 'not-holder'],
    ['of another agent', { ...SENDING, agent_id: 'agent-2' }, 'not-holder'],
    ['whose nonce is retired', { ...SENDING, retired_nonces: [ANOTHER, NONCE] }, 'nonce-retired'],
    ['with another nonce retired', { ...SENDING, retired_nonces: [ANOTHER] }, null],
    ['that began under another nonce', { ...SENDING, begun_nonce: ANOTHER }, 'already-begun'],
    ['that is doubted', { ...SENDING, uncertain: true }, 'already-begun'],
    ['whose time is over', { ...SENDING, expired: true }, 'expired'],
  ])('of a mail %s', (_, mail, refusal) => {
    expect(refuseBegin(mail, AGENT, BEGIN)).toBe(refusal);
  });
});

describe('a word that it was not sent', () => {
  it.each<[string, MailFacts, ReturnType<typeof judgeNotSent>]>([
    ['that began under this nonce', BEGUN, { kind: 'retire', clears: true }],
    ['that has not begun', SENDING, { kind: 'retire', clears: false }],
    ['that began under another', { ...SENDING, begun_nonce: ANOTHER }, { kind: 'retire', clears: false }],
    ['that is in the queue again', { ...SENDING, status: 'queued' }, { kind: 'retire', clears: false }],
    ['that was sent', { ...BEGUN, status: 'sent' }, { kind: 'nothing' }],
    ['that has failed', { ...BEGUN, status: 'send_failed' }, { kind: 'nothing' }],
    ['that was cancelled', { ...BEGUN, status: 'cancelled' }, { kind: 'nothing' }],
    ['with another key', { ...BEGUN, idempotency_key: 'other' }, { kind: 'refused', code: 'payload-changed' }],
  ])('about a mail %s', (_, mail, effect) => {
    expect(judgeNotSent(mail, BEGIN)).toEqual(effect);
  });
});

const EVIDENCE = { kind: 'person', note: 'asked the buyer' } as const;
const result = (outcome: ResultRequest['outcome'], over: Partial<ResultRequest> = {}): ResultRequest => ({
  ...BEGIN,
  outcome,
  smtp_message_id: null,
  error_message: null,
  stage: null,
  class: null,
  code: null,
  enhanced_code: null,
  reply: null,
  evidence: null,
  ...over,
});
const refused = (code: string) => ({ kind: 'refused', code });
const finish = (as: string) => ({ kind: 'finish', as });
const MARK = { kind: 'mark-uncertain' };
const REPEATED = { kind: 'repeated' };

describe('a result', () => {
  it.each<[string, MailFacts, ResultRequest, object]>([
    ['sent, under its nonce', BEGUN, result('sent'), finish('sent')],
    ['sent, under its nonce, once doubted', DOUBTED, result('sent'), finish('sent')],
    ['sent, under another nonce', { ...SENDING, begun_nonce: ANOTHER }, result('sent'), refused('wrong-nonce')],
    ['sent, never begun', SENDING, result('sent'), refused('wrong-nonce')],
    ['sent, never begun and no nonce', SENDING, result('sent', { nonce: null }), refused('wrong-nonce')],
    ['sent, by evidence', DOUBTED, result('sent', { nonce: null, evidence: EVIDENCE }), finish('sent')],
    [
      'sent, by evidence under another nonce',
      DOUBTED,
      result('sent', { nonce: ANOTHER, evidence: EVIDENCE }),
      refused('wrong-nonce'),
    ],
    [
      'sent, by evidence nobody asked for',
      BEGUN,
      result('sent', { nonce: null, evidence: EVIDENCE }),
      refused('wrong-nonce'),
    ],
    ['sent, doubted and without evidence', DOUBTED, result('sent', { nonce: null }), refused('wrong-nonce')],
    ['failed, under its nonce', BEGUN, result('send_failed'), finish('send_failed')],
    ['failed, never begun', SENDING, result('send_failed', { nonce: null }), finish('send_failed')],
    ['failed, never begun, with a nonce', SENDING, result('send_failed'), finish('send_failed')],
    ['failed, under no nonce', BEGUN, result('send_failed', { nonce: null }), refused('wrong-nonce')],
    ['failed, by evidence', DOUBTED, result('send_failed', { nonce: null, evidence: EVIDENCE }), finish('send_failed')],
    ['uncertain, under its nonce', BEGUN, result('uncertain'), MARK],
    ['uncertain, under no nonce', BEGUN, result('uncertain', { nonce: null }), MARK],
    ['uncertain, under another', BEGUN, result('uncertain', { nonce: ANOTHER }), refused('wrong-nonce')],
    ['uncertain again', DOUBTED, result('uncertain', { nonce: ANOTHER }), REPEATED],
    ['of a mail in the queue', { ...BEGUN, status: 'queued' }, result('sent'), refused('not-sending')],
    ['with another key', { ...BEGUN, idempotency_key: 'other' }, result('sent'), refused('payload-changed')],
    ['with another hash', { ...BEGUN, payload_hash: 'other' }, result('sent'), refused('payload-changed')],
  ])('%s', (_, mail, told, effect) => {
    expect(judgeResult(mail, AGENT, told)).toEqual(effect);
  });

  it('of another agent is believed under the nonce that began, and not without it', () => {
    const nobodys = result('send_failed', { nonce: null });

    expect(judgeResult(BEGUN, OTHER, result('sent'))).toEqual(finish('sent'));
    expect(judgeResult(BEGUN, OTHER, result('send_failed', { nonce: ANOTHER }))).toEqual(refused('not-holder'));
    expect(judgeResult(SENDING, OTHER, nobodys)).toEqual(refused('not-holder'));
  });

  it.each(['sent', 'send_failed', 'cancelled'] as const)(
    'about a mail that is %s is a repetition or a conflict',
    (status) => {
      const final: MailFacts = { ...BEGUN, status, smtp_message_id: '<a@b>', error_message: 'no' };
      const same = { smtp_message_id: '<a@b>', error_message: 'no' };
      const conflict = refused('conflicting-result');
      if (status !== 'cancelled') expect(judgeResult(final, OTHER, result(status, same))).toEqual(REPEATED);

      expect(judgeResult(final, AGENT, result('uncertain', same))).toEqual(conflict);
      expect(judgeResult(final, AGENT, result(status === 'sent' ? 'send_failed' : 'sent', same))).toEqual(conflict);
      for (const other of [{ smtp_message_id: '<c@d>' }, { error_message: null }]) {
        expect(judgeResult(final, AGENT, result('sent', { ...same, ...other }))).toEqual(conflict);
      }
    },
  );
});

describe('giving back', () => {
  it.each<[string, MailFacts, ReturnType<typeof refuseRelease>]>([
    ['that has not begun', SENDING, null],
    ['that is in the queue again, whoever held it', { ...SENDING, status: 'queued', agent_id: null }, null],
    ['with another key', { ...SENDING, idempotency_key: 'other' }, 'payload-changed'],
    ['that was sent', { ...SENDING, status: 'sent' }, 'not-sending'],
    ['of another agent', { ...SENDING, agent_id: 'agent-2' }, 'not-holder'],
    ['that has begun', BEGUN, 'already-begun'],
    ['that is doubted', { ...SENDING, uncertain: true }, 'already-begun'],
  ])('a mail %s', (_, mail, refusal) => {
    expect(refuseRelease(mail, AGENT, FACTS)).toBe(refusal);
  });
});

describe('an operator', () => {
  const may = (
    act: Parameters<typeof operatorMay>[0],
    mail: MailFacts,
    isResent: boolean,
  ): readonly RecipientStatus[] =>
    RECIPIENT_STATUSES.filter((status) => operatorMay(act, { ...mail, status, isResent }));

  it.each([
    ['cancel', 'has not begun', SENDING, ['draft', 'queued', 'sending']],
    ['cancel', 'has begun', BEGUN, ['draft', 'queued']],
    ['give-back', 'has not begun', SENDING, ['sending']],
    ['give-back', 'has begun', BEGUN, []],
    ['resolve', 'has begun', BEGUN, []],
    ['resolve', 'is doubted', DOUBTED, ['sending']],
    ['send-again', 'has not begun', SENDING, ['send_failed', 'cancelled']],
    ['send-again', 'has begun', BEGUN, ['send_failed', 'cancelled']],
  ] as const)('may %s a mail that %s by its status', (act, _, mail, statuses) => {
    expect(may(act, mail, false)).toEqual(statuses);
  });

  it('sends a mail again only once', () => {
    expect(may('send-again', SENDING, true)).toEqual([]);
  });
});
