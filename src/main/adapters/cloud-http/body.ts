import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { err, ok, type Result } from '../../../shared/result.ts';

const FIRST_BYTES = 16 * 1024;

/**
 * Collects a body of at most `limitBytes`. One growing block and no list of pieces: a server that sends its body byte
 * by byte would cost a hundred bytes for each.
 */
export class BoundedBytes {
  readonly #limitBytes: number;
  #block = Buffer.alloc(0);
  #used = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** False where the piece no longer fits; nothing of it is kept then. */
  add(piece: Buffer): boolean {
    const needed = this.#used + piece.length;
    if (needed > this.#limitBytes) return false;
    if (needed > this.#block.length) {
      const larger = Buffer.allocUnsafe(
        Math.min(this.#limitBytes, Math.max(FIRST_BYTES, needed, this.#block.length * 2)),
      );
      this.#block.copy(larger, 0, 0, this.#used);
      this.#block = larger;
    }
    piece.copy(this.#block, this.#used);
    this.#used = needed;
    return true;
  }

  bytes(): Buffer {
    return this.#block.subarray(0, this.#used);
  }
}

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

export const ACCEPT_ENCODING = 'gzip, br, deflate';

export type DecodeProblem = 'unknown-encoding' | 'damaged' | 'too-large';

/**
 * The body without its content encoding. Exactly one encoding is undone; a list of them is unknown. Stops as soon as
 * more than `limitBytes` came out, whatever went in. Source: RFC 9110 8.4.
 */
export async function decodeBody(
  raw: Buffer,
  encoding: string | string[] | undefined,
  limitBytes: number,
): Promise<Result<Buffer, DecodeProblem>> {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return ok(raw);
  const decoder =
    typeof encoding === 'string'
      ? Object.entries(DECODERS).find(([name]) => name === encoding.trim().toLowerCase())
      : undefined;
  if (decoder === undefined) return err('unknown-encoding');
  try {
    return ok(await decoder[1](raw, { maxOutputLength: limitBytes }));
  } catch (cause) {
    return err(cause instanceof RangeError ? 'too-large' : 'damaged');
  }
}
