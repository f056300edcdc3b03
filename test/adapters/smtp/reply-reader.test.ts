import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RawReply, ReplyReader } from '../../../src/main/adapters/smtp/reply-reader.ts';

const LIMIT_BYTES = 1024;

const code = fc.integer({ min: 0, max: 999 });
const line = fc.string({
  unit: fc.integer({ min: 32, max: 255 }).map((byte) => String.fromCharCode(byte)),
  maxLength: 30,
});
const reply = fc.record({ code, lines: fc.array(line, { minLength: 1, maxLength: 5 }) });

const onWire = (one: RawReply): string =>
  one.lines
    .map((text, at) => `${String(one.code).padStart(3, '0')}${at === one.lines.length - 1 ? ' ' : '-'}${text}\r\n`)
    .join('');

describe('a reader of replies', () => {
  it('reads the same replies however their bytes are split', () => {
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 40 })), (replies, sizes) => {
        const bytes = Buffer.from(replies.map(onWire).join(''), 'latin1');
        const reader = new ReplyReader();
        const heard: RawReply[] = [];

        for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
          const size = sizes[piece % Math.max(1, sizes.length)] ?? 7;
          const { replies: some, fault } = reader.read(bytes.subarray(at, at + size), LIMIT_BYTES);
          expect(fault).toBeNull();
          heard.push(...some);
          at += size;
        }

        expect(heard).toEqual(replies);
        expect(reader.empty).toBe(true);
      }),
    );
  });

  it('never throws, never reads on after a fault, and keeps to its limit', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 12 }), (chunks) => {
        const reader = new ReplyReader();
        let faulty = false;
        for (const chunk of chunks) {
          const { replies, fault } = reader.read(Buffer.from(chunk), LIMIT_BYTES);
          if (faulty) expect(replies).toEqual([]);
          for (const one of replies) expect(one.lines.join('').length).toBeLessThanOrEqual(LIMIT_BYTES);
          faulty ||= fault !== null;
        }
      }),
    );
  });

  it('takes a reply of exactly the limit and none of a byte more', () => {
    const ofBytes = (size: number): Buffer => Buffer.from(`250 ${'x'.repeat(size - 6)}\r\n`);

    const fits = new ReplyReader().read(ofBytes(LIMIT_BYTES), LIMIT_BYTES);
    const over = new ReplyReader().read(ofBytes(LIMIT_BYTES + 1), LIMIT_BYTES);

    expect(fits.replies).toHaveLength(1);
    expect(over).toEqual({ replies: [], fault: 'too-much' });
  });

  it('finds that something is no reply by its first bytes', () => {
    const { fault } = new ReplyReader().read(Buffer.from('HT'), LIMIT_BYTES);

    expect(fault).toBe('not-a-reply');
  });
});
