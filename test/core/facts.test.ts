import { describe, expect, it } from 'vitest';
import { factId, factRequest, heldKeyOf } from '../../src/main/core/facts.ts';
import { FactRequest } from '../../src/shared/wire/messages.ts';

const MAIL = { idempotencyKey: 'email-recipient-7', payloadHash: `sha256:${'a'.repeat(64)}` };

describe('the address a mail goes to', () => {
  it.each([
    [{ to: { address: ' Li@Firm.Example ' } }, 'li@firm.example'],
    [{ to: { address: 7 } }, null],
    [{ to: {} }, null],
    [{ to: null }, null],
    [{ to: 'li@firm.example' }, null],
    [{}, null],
    [null, null],
    ['to', null],
    [undefined, null],
  ])('reads %j as %s', (payload, key) => {
    expect(heldKeyOf(payload)).toBe(key);
  });
});

describe('a fact about a mail', () => {
  it('has the same id for the same letter, and another for another mail, kind or letter', () => {
    const ids = [
      factId('7', 'bounced', '<a@b>'),
      factId('8', 'bounced', '<a@b>'),
      factId('7', 'replied', '<a@b>'),
      factId('7', 'bounced', '<c@d>'),
    ];

    // The id goes to the cloud and stays there: an agent of a later version has to make the same.
    expect(ids[0]).toBe('e14c2ce76d80eb9b16faa7bc45b10a34');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is told to the cloud with what the other server said, or as an answer', () => {
    const bounced = { id: 'f'.repeat(32), atMs: 0, kind: 'bounced', hard: true, status: '5.1.1', text: 'no' } as const;
    const told = factRequest(MAIL, bounced);

    expect(told).toEqual({
      idempotency_key: MAIL.idempotencyKey,
      payload_hash: MAIL.payloadHash,
      fact_id: bounced.id,
      kind: 'bounced',
      at: '1970-01-01T00:00:00.000Z',
      bounce: { hard: true, status: '5.1.1', text: 'no' },
    });
    const replied = factRequest(MAIL, { id: bounced.id, atMs: 0, kind: 'replied' });
    expect(replied).toMatchObject({ kind: 'replied', bounce: null });
    for (const body of [told, replied]) expect(FactRequest.parse(body)).toEqual(body);
  });
});
