import { createHash } from 'node:crypto';
import type { SeededRandom } from '../support/fakes-clock.ts';
import { applied, type Cut, type Pending, SECTOR_BYTES } from './disk-model.ts';

/** A folder as a disk may hold it after the power was lost: name and content. */
export type Image = ReadonlyMap<string, Buffer>;

/** Up to so many pending changes all their subsets are tried; of more, the ones that are named below. */
const ALL_SUBSETS_MAX = 7;

/**
 * Images that may be on the disk after a cut: every pending change is there, missing or torn at its sectors, each by
 * itself. All subsets where few are pending; of more than 7: none, all, every beginning, every end, all but one, one
 * alone, and `drawn` drawn ones. Then for every write: what came before it and its first or its last half; and `drawn`
 * images whose sectors are each there or not, or there as zeros, because a file may have grown before its bytes came.
 */
export function* imagesOf(cut: Cut, random: SeededRandom, drawn: number): Generator<Image> {
  const { pending } = cut;
  for (const chosen of subsetsOf(pending, random, drawn)) yield imageOf(cut, chosen);
  for (const [index, change] of pending.entries()) {
    if (change.kind !== 'write' || change.bytes.length <= SECTOR_BYTES) continue;
    const before = pending.slice(0, index);
    const middle = Math.ceil(sectorsOf(change).length / 2);
    yield imageOf(cut, [...before, ...sectorsOf(change).slice(0, middle)]);
    yield imageOf(cut, [...before, ...sectorsOf(change).slice(middle)]);
  }
  if (pending.length === 0) return;
  for (let turn = 0; turn < drawn; turn += 1) {
    yield imageOf(
      cut,
      pending.flatMap((change) => sectorsOf(change).filter(() => random.fraction() < 0.5)),
    );
    yield imageOf(
      cut,
      pending.flatMap((change) => sectorsOf(change).map((part) => perhapsZeros(part, random))),
    );
  }
}

/** So that an image that two cuts share is opened once a promise. */
export function digestOf(image: Image): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of [...image].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function* subsetsOf(pending: readonly Pending[], random: SeededRandom, drawn: number): Generator<readonly Pending[]> {
  const count = pending.length;
  if (count <= ALL_SUBSETS_MAX) {
    for (let bits = 0; bits < 2 ** count; bits += 1) yield pending.filter((_, index) => ((bits >> index) & 1) === 1);
    return;
  }
  for (let at = 0; at <= count; at += 1) {
    yield pending.slice(0, at);
    yield pending.slice(at);
    yield pending.filter((_, index) => index !== at);
    yield pending.slice(at, at + 1);
  }
  for (let turn = 0; turn < drawn; turn += 1) yield pending.filter(() => random.fraction() < 0.5);
}

function sectorsOf(change: Pending): readonly Pending[] {
  if (change.kind !== 'write') return [change];
  const { file, offset, bytes } = change;
  const parts: Pending[] = [];
  // Sectors lie where the disk has them, not where a write begins.
  let at = 0;
  while (at < bytes.length) {
    const length = Math.min(SECTOR_BYTES - ((offset + at) % SECTOR_BYTES), bytes.length - at);
    parts.push({ kind: 'write', file, offset: offset + at, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return parts;
}

/** A third of the sectors that lengthen a file are there as zeros only. */
function perhapsZeros(part: Pending, random: SeededRandom): Pending {
  if (part.kind !== 'write' || random.fraction() > 0.33) return part;
  return { kind: 'grow', file: part.file, size: part.offset + part.bytes.length };
}

function imageOf(cut: Cut, chosen: readonly Pending[]): Image {
  // Names change in their order: as many of them as the last chosen one needs.
  const names = chosen.findLast((change) => change.kind === 'names')?.after ?? cut.certain.names;
  const image = new Map<string, Buffer>();
  for (const [name, file] of names) {
    const own = chosen.filter((change) => change.kind !== 'names' && change.file === file);
    image.set(name, applied(cut.certain.files.get(file), own));
  }
  return image;
}
