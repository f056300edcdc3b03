import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ComposeFailure } from '../../engine/ports.ts';
import { errorCode } from '../tunnel/tcp.ts';
import { type Attachment, permanent, temporary } from './attachment-failure.ts';
import { isProgram } from './program-bytes.ts';

/** This computer's own disk does not take the bytes; the message is a reason for a person. */
export class DiskTrouble extends Error {}

/**
 * Streams an answer's body into a new file, at most one byte more than declared, and checks size, digest and kind.
 * Throws `DiskTrouble`, and what the connection throws.
 */
export async function storeChecked(
  attachment: Attachment,
  answer: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  file: string,
  signal: AbortSignal,
): Promise<Result<void, ComposeFailure>> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    answer.body.on('error', () => undefined).destroy();
    return err(
      temporary(attachment, `its server sends it encoded (${String(encoding).slice(0, 20)}) though asked not to`),
    );
  }
  const handle = await onDisk(open(file, 'wx+', 0o600));
  try {
    const digest = createHash('sha256');
    let bytes = 0;
    for await (const chunk of answer.body) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > attachment.size)
        return err(permanent(attachment, `it is larger than the declared ${attachment.size} bytes`));
      digest.update(chunk);
      await onDisk(handle.writeFile(chunk));
    }
    if (bytes < attachment.size)
      return err(permanent(attachment, `it has ${bytes} bytes instead of the declared ${attachment.size}`));
    const found = digest.digest('hex');
    if (found !== attachment.sha256)
      return err(permanent(attachment, `its content was changed: sha256 ${found} instead of ${attachment.sha256}`));
    // Whatever its name and type say: its reader's system goes by the bytes.
    const program = await onDisk(isProgram((at, length) => readAt(handle, at, length)));
    return program ? err(permanent(attachment, 'it is a program, whatever its name says')) : ok(undefined);
  } finally {
    await handle.close();
  }
}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const code = cause instanceof Error ? errorCode(cause) : String(cause);
    throw new DiskTrouble(`this computer could not keep it for the moment of sending (${code})`, { cause });
  }
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
