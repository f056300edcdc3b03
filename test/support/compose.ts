import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Attachment } from '../../src/main/adapters/message/attachment-failure.ts';
import type { AttachmentSource } from '../../src/main/adapters/message/attachments.ts';
import { createComposer } from '../../src/main/adapters/message/compose.ts';
import { openScratchFolder } from '../../src/main/adapters/message/scratch-folder.ts';
import type { ReadyMail } from '../../src/main/core/ready-mail.ts';
import type { ComposedMessage, ComposeFailure } from '../../src/main/engine/ports.ts';
import { ok, type Result } from '../../src/shared/result.ts';

const NEVER = new AbortController().signal;

/** Gives `work` a folder that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-compose-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Attachments that are there without a network. */
export const filesFrom = (contentOf: (attachment: Attachment) => Buffer): AttachmentSource => ({
  async fetch(attachment, file) {
    await writeFile(file, contentOf(attachment), { flag: 'wx' });
    return ok(undefined);
  },
});

/** Composes as the agent does, its files in a folder that is gone afterwards. */
export const composeWith = (
  source: AttachmentSource,
  mail: ReadyMail,
  signal = NEVER,
): Promise<Result<ComposedMessage, ComposeFailure>> =>
  inFolder((folder) =>
    createComposer({ attachments: { source, scratch: openScratchFolder(folder) } }).compose(mail, signal),
  );

/** The bytes that a source gives for one attachment. */
export const fetchBytes = (
  source: AttachmentSource,
  attachment: Attachment,
  signal: AbortSignal,
): Promise<Result<Buffer, ComposeFailure>> =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'file');
    const fetched = await source.fetch(attachment, file, signal);
    return fetched.ok ? ok(await readFile(file)) : fetched;
  });
