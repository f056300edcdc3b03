import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';

const BYTES_MAX = 256 * 1024;

/** Why a private file is not used; `text` names the file and what to run. */
export type PrivateFileProblem = { readonly kind: 'missing' | 'unsafe' | 'unreadable'; readonly text: string };

/**
 * The text of a file that its owner alone may read, at most 256 KiB. A link, a file of somebody else, or one that group
 * or others may touch is not read at all. Windows has no such bits: there the folder's own protection must do.
 */
export async function readPrivateFile(file: string): Promise<Result<string, PrivateFileProblem>> {
  let handle: FileHandle | null = null;
  try {
    // Checked on the open handle, so that nobody can exchange the file between check and reading.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const unsafe = whyUnsafe(file, await handle.stat());
    return unsafe === null ? ok(await handle.readFile('utf8')) : err({ kind: 'unsafe', text: unsafe });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'ENOENT') return err({ kind: 'missing', text: `${file} does not exist` });
    if (code === 'ELOOP') return err({ kind: 'unsafe', text: `${file} is a link; name the file itself` });
    return err({ kind: 'unreadable', text: `${file} cannot be read: ${messageOf(cause)}` });
  } finally {
    await handle?.close();
  }
}

function whyUnsafe(file: string, stat: Stats): string | null {
  if (!stat.isFile()) return `${file} is not an ordinary file`;
  if (stat.size > BYTES_MAX) return `${file} is larger than ${BYTES_MAX} bytes`;
  const me = process.getuid?.();
  if (me === undefined) return null;
  if (stat.uid !== me) return `${file} belongs to another user; run: chown ${me} '${file}'`;
  return (stat.mode & 0o077) === 0 ? null : `${file} can be read by other users; run: chmod 600 '${file}'`;
}

/** Puts `text` into the file, for its owner alone: all of it and durable, or nothing changed. */
export async function writePrivateFile(file: string, text: string): Promise<Result<void, PrivateFileProblem>> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    await syncFolder(path.dirname(file));
    return ok(undefined);
  } catch (cause) {
    await rm(draft, { force: true });
    return err({ kind: 'unreadable', text: `${file} cannot be written: ${messageOf(cause)}` });
  }
}

/** Makes a rename durable; Windows cannot open a folder and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
