import { describe, expect, it } from 'vitest';
import {
  attemptOf,
  claimOf,
  countOf,
  endedOutboxOf,
  factOf,
  factsOf,
  heldAddressOf,
  holdOf,
  idOf,
  mailOf,
  namedOf,
  numberOf,
  outboxOf,
  payloadOf,
  settingOf,
  submissionOf,
  taskOf,
} from '../../../src/main/adapters/sqlite/rows.ts';

describe('A row that is not what the schema promises', () => {
  it.each<[table: string, key: string, read: (row: unknown) => unknown]>([
    ['mail', 'id', factsOf],
    ['mail', 'id', mailOf],
    ['mail', 'id', idOf],
    ['payload', 'id', payloadOf],
    ['attempt', 'mailId', attemptOf],
    ['outbox', 'seq', outboxOf],
    ['outbox', 'seq', endedOutboxOf],
    ['hold', 'kind', holdOf],
    ['fact', 'id', factOf],
    ['held_address', 'mailId', heldAddressOf],
    ['mail_name', 'mailId', (row) => namedOf({ ...Object(row), mailId: 7 })],
    ['claim', 'claimId', claimOf],
    ['attempt', 'mailId', submissionOf],
    ['setting', 'key', settingOf],
    ['told_task', 'taskId', taskOf],
    ['mail', 'state', countOf],
    ['meta', 'value', (row) => numberOf(row, 'meta')],
  ])('is named by its table and its key: %s', (table, key, read) => {
    expect(() => read({ [key]: 7.5, kind: 7.5 })).toThrow(
      new RegExp(`^the ledger's table ${table} holds a row that cannot be read: ${key} 7(\\.5)?$`),
    );
  });

  it('is named where only its state cannot be read, with what is wrong about it', () => {
    const head = { id: '7', idempotencyKey: 'k', payloadHash: 'h', notBeforeMs: null };
    const rest = { taskId: 't', taskName: 't', notAfterMs: null, claimedAtMs: 1, changedAtMs: 1, payload: '{}' };
    const text = "the ledger's table mail holds a row that cannot be read: id 7";
    expect(() => factsOf({ ...head, state: 'strange' })).toThrow(
      expect.objectContaining({ name: 'BadRow', message: text, cause: expect.any(Error) }),
    );
    expect(() => mailOf({ ...head, ...rest, state: 'strange' })).toThrow(text);
    expect(() => payloadOf({ id: '7', payload: '{"cut' })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringContaining('is not JSON') }) }),
    );
  });

  it.each([
    ['a long key', { seq: 'x'.repeat(500) }, `seq ${'x'.repeat(100)}`],
    ['a key behind other columns', { mailId: 9, seq: 7 }, 'seq 7'],
    ['a number for a key', { seq: 7 }, 'seq 7'],
    ['something else for a key', { seq: Buffer.from('7') }, 'seq unknown'],
    ['no key', { id: 7 }, 'seq unknown'],
    ['nothing', undefined, 'seq unknown'],
    ['null', null, 'seq unknown'],
  ])('is named as far as it can be: %s', (_, row, name) => {
    expect(() => outboxOf(row)).toThrow(`the ledger's table outbox holds a row that cannot be read: ${name}`);
    expect(() => outboxOf(row)).toThrow(new RegExp(`${name}$`));
  });
});

describe('An attempt', () => {
  const row = {
    mailId: '1',
    attempt: 1,
    startedAtMs: 1,
    handedOverAtMs: null,
    endedAtMs: null,
    outcome: null,
    nonce: null,
    stage: null,
    class: null,
    message: null,
    code: null,
    enhanced: null,
    replyText: null,
  };

  it('has a failure where stage and class are known, and a reply where its code is', () => {
    expect(attemptOf(row)).toMatchObject({ failure: null, reply: null });
    expect(attemptOf({ ...row, stage: 'body' })).toMatchObject({ failure: null });
    expect(attemptOf({ ...row, class: 'connection' })).toMatchObject({ failure: null });
    const reply = { code: 451, enhanced: null, text: '' };
    expect(attemptOf({ ...row, stage: 'body', class: 'connection', code: 451 })).toMatchObject({
      failure: { stage: 'body', class: 'connection', reply, message: '' },
      reply,
    });
  });
});

describe('A setting that is no JSON', () => {
  it('comes out as the text it is', () => {
    expect(settingOf({ key: 'pace', value: '{"cut' })).toBe('{"cut');
  });
});
