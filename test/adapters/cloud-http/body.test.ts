import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BoundedBytes, decodeBody } from '../../../src/main/adapters/cloud-http/body.ts';

const LIMIT = 5 * 1024 * 1024;
const TEXT = Buffer.from('{"items":[]}');

describe('decoding a body', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['identity', TEXT],
    [undefined, TEXT],
  ])('undoes %s', async (encoding, raw) => {
    expect(await decodeBody(raw, encoding, LIMIT)).toEqual({ ok: true, value: TEXT });
  });

  it.each([
    ['gzip, gzip'],
    ['gzip,br'],
    ['zstd'],
    ['compress'],
    ['constructor'],
    [Array.from({ length: 20 }, () => 'gzip')],
  ])('refuses the encoding %s', async (encoding) => {
    expect(await decodeBody(gzipSync(gzipSync(TEXT)), encoding, LIMIT)).toEqual({
      ok: false,
      error: 'unknown-encoding',
    });
  });

  it('refuses a body that is cut or not what it says', async () => {
    expect(await decodeBody(gzipSync(TEXT).subarray(0, 15), 'gzip', LIMIT)).toEqual({ ok: false, error: 'damaged' });
    expect(await decodeBody(TEXT, 'br', LIMIT)).toEqual({ ok: false, error: 'damaged' });
  });

  it('takes exactly the limit and refuses one byte more', async () => {
    expect((await decodeBody(gzipSync(Buffer.alloc(1000)), 'gzip', 1000)).ok).toBe(true);
    expect(await decodeBody(gzipSync(Buffer.alloc(1001)), 'gzip', 1000)).toEqual({ ok: false, error: 'too-large' });
  });

  it('stops at the limit of a bomb, in bounded memory', async () => {
    const bomb = await bombOf(512 * 1024 * 1024);
    const before = process.memoryUsage.rss();

    const result = await decodeBody(bomb, 'gzip', LIMIT);

    expect(result).toEqual({ ok: false, error: 'too-large' });
    expect(process.memoryUsage.rss() - before).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('collecting a body', () => {
  it('puts pieces together, in one block however small they are', () => {
    const body = new BoundedBytes(100_000);
    for (let n = 0; n < 100_000; n += 1) expect(body.add(Buffer.from([n % 251]))).toBe(true);

    expect(body.bytes()).toHaveLength(100_000);
    expect(body.bytes()[12_345]).toBe(12_345 % 251);
    expect(body.add(Buffer.from([0]))).toBe(false);
    expect(body.bytes()).toHaveLength(100_000);
  });
});

/** About a thousandth of `bytes`, and as many once unpacked. */
async function bombOf(bytes: number): Promise<Buffer> {
  const zeros = Buffer.alloc(1024 * 1024);
  const gzip = createGzip({ level: 9 });
  const pieces: Buffer[] = [];
  gzip.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  for (let written = 0; written < bytes; written += zeros.length) {
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await ended;
  return Buffer.concat(pieces);
}
