import type { DiskCall } from './trace.ts';

/** What a disk may do by itself: it writes no less than this at once. */
export const SECTOR_BYTES = 512;

/** A change that no sync has made certain yet. */
export type Pending =
  | { readonly kind: 'write'; readonly file: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  /** The file is that long at least, and its new bytes have not come. */
  | { readonly kind: 'grow'; readonly file: number; readonly size: number }
  | { readonly kind: 'names'; readonly before: Names; readonly after: Names };

/** Names of the folder, each with the number of the file it stands for. */
export type Names = ReadonlyMap<string, number>;

/** A moment between two calls: what is certain, what is under way, and what was promised by then. */
export type Cut = {
  readonly certain: { readonly names: Names; readonly files: ReadonlyMap<number, Buffer> };
  readonly pending: readonly Pending[];
  /** Commits whose success was acknowledged. */
  readonly acknowledged: number;
  /** A commit was begun and not acknowledged. */
  readonly isCommitting: boolean;
  readonly before: string;
};

/**
 * Every moment at which most is under way: right before each sync and at the end. What may be on the disk at any other
 * moment may be there at one of these too, with the same or more promised. A sync of a file makes its bytes and its
 * length certain and not its name; a sync of the folder makes the names certain. Names change in their order, as on every
 * file system with a journal.
 */
export function cutsOf(calls: readonly DiskCall[]): readonly Cut[] {
  const cuts: Cut[] = [];
  let names: Names = new Map();
  let certainNames: Names = names;
  const files = new Map<number, Buffer>();
  let pending: Pending[] = [];
  let acknowledged = 0;
  let isCommitting = false;
  let fileCount = 0;

  const cut = (before: string): void => {
    cuts.push({ certain: { names: certainNames, files: new Map(files) }, pending, acknowledged, isCommitting, before });
  };
  const fileOf = (name: string): number => {
    const file = names.get(name);
    if (file === undefined) throw new Error(`a change of ${name}, which was never made`);
    return file;
  };
  const rename = (change: (next: Map<string, number>) => void): void => {
    const next = new Map(names);
    change(next);
    pending = [...pending, { kind: 'names', before: names, after: next }];
    names = next;
  };

  for (const call of calls) {
    switch (call.kind) {
      case 'create':
        if (names.has(call.name)) break;
        fileCount += 1;
        files.set(fileCount, Buffer.alloc(0));
        rename((next) => next.set(call.name, fileCount));
        break;
      case 'unlink':
        rename((next) => next.delete(call.name));
        break;
      case 'rename': {
        const file = fileOf(call.name);
        rename((next) => {
          next.delete(call.name);
          next.set(call.to, file);
        });
        break;
      }
      case 'write':
        pending = [...pending, { kind: 'write', file: fileOf(call.name), offset: call.offset, bytes: call.bytes }];
        break;
      case 'truncate':
        pending = [...pending, { kind: 'truncate', file: fileOf(call.name), size: call.size }];
        break;
      case 'sync': {
        cut(`sync of ${call.name === '' ? 'the folder' : call.name}`);
        const isSynced = (change: Pending): boolean =>
          call.name === '' ? change.kind === 'names' : change.kind !== 'names' && change.file === names.get(call.name);
        if (call.name === '') certainNames = names;
        const file = call.name === '' ? undefined : fileOf(call.name);
        if (file !== undefined) files.set(file, applied(files.get(file), pending.filter(isSynced)));
        pending = pending.filter((change) => !isSynced(change));
        break;
      }
      case 'mark':
        if (call.mark === 'acknowledged') {
          acknowledged = call.count;
          // With the answer given and nothing new written, the promise alone has grown.
          cut(`what follows commit ${call.count}`);
        }
        isCommitting = call.mark === 'commit';
        break;
    }
  }
  cut('the end');
  return cuts;
}

/** The bytes of one file after these changes of it, in their order. */
export function applied(bytes: Buffer = Buffer.alloc(0), changes: readonly Pending[]): Buffer {
  let content: Buffer = Buffer.from(bytes);
  for (const change of changes) {
    if (change.kind === 'truncate') content = resized(content, change.size);
    if (change.kind === 'grow' && change.size > content.length) content = resized(content, change.size);
    if (change.kind !== 'write') continue;
    const end = change.offset + change.bytes.length;
    if (end > content.length) content = resized(content, end);
    change.bytes.copy(content, change.offset);
  }
  return content;
}

/** What was never written reads as zeros. */
const resized = (content: Buffer, size: number): Buffer =>
  size <= content.length ? content.subarray(0, size) : Buffer.concat([content, Buffer.alloc(size - content.length)]);
