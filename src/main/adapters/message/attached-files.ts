import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ComposeFailure } from '../../engine/ports.ts';
import type { Attachment } from './attachment-failure.ts';
import type { AttachmentSource } from './attachments.ts';
import { onOneLine } from './mailbox-field.ts';

/** An attachment as declared, and where its checked bytes lie. */
export type AttachedFile = { readonly declared: Attachment; readonly file: string };

/** Names under which Windows finds a device instead of a file, whatever ending they have. */
const DEVICE = /^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i;

/** The declared name, without what could lead a reader's program out of its folder. */
export const fileName = (name: string): string =>
  onOneLine(name).replace(/[/\\]/g, '_').replace(/^\.+/, '_').replace(DEVICE, '_') || 'attachment';

/** A composite type may not be base64 (RFC 2046 5): its bytes would go out as they are, so they travel as plain bytes. */
export const partType = (type: string): string =>
  /^(multipart|message)\//.test(type) ? 'application/octet-stream' : type;

/** All of them at once into `folder`, the first failure stops the others: the slowest decides, not the sum. */
export async function fetchAll(
  declared: readonly Attachment[],
  source: AttachmentSource,
  folder: string,
  signal: AbortSignal,
): Promise<Result<readonly AttachedFile[], ComposeFailure>> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  let failure: ComposeFailure | null = null;
  const fetched = await Promise.all(
    declared.map(async (attachment, index) => {
      const file = path.join(folder, String(index));
      const result = await source.fetch(attachment, file, either);
      if (result.ok) return [{ declared: attachment, file }];
      failure ??= result.error;
      enough.abort();
      return [];
    }),
  );
  return failure === null ? ok(fetched.flat()) : err(failure);
}

/** The bytes of a file; it is opened when they are first asked for, so that its errors come where they are heard. */
export const openLater = (file: string): Readable => Readable.from(bytesOf(file), { objectMode: false });

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    yield* handle.createReadStream({ autoClose: false });
  } finally {
    await handle.close();
  }
}

/**
 * The names under which html shows pictures that travel with it (`cid:NAME`). A picture is one of the attachments: its
 * name, in plain ASCII, is its content id. Others stay attachments. Source: RFC 2392.
 */
export function shownInside(html: string | null | undefined): ReadonlySet<string> {
  const names = [...(html ?? '').matchAll(/\bcid:([^"'\s<>)]+)/gi)].map(([, name = '']) => percentDecoded(name));
  return new Set(names.filter((name) => /^[\x21-\x7E]+$/.test(name) && !/[<>]/.test(name)));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare % is part of the name.
    return text;
  }
}
