import { readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';

/** File systems whose locks and syncs cannot be trusted across machines, by statfs type. Source: statfs(2), magic.h. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x564c, 'NCP'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x65735546, 'FUSE'],
]);

/** The name of the network file system that holds `folder`, or null where none can be told. */
export function networkFileSystem(folder: string): string | null {
  const place = path.resolve(folder);
  if (process.platform === 'win32') return place.startsWith('\\\\') ? 'network share' : null;
  if (process.platform !== 'linux') return null;
  return networkTypeName(statfsSync(place).type, () => mountType(place, readFileSync('/proc/self/mountinfo', 'utf8')));
}

/** `mountedAs` is asked for the mount's own type where the number says too little. */
export function networkTypeName(type: number, mountedAs: () => string | null): string | null {
  const name = NETWORK_TYPES.get(type >>> 0) ?? null;
  // FUSE also carries local disks (NTFS); those are mounted from a block device and are fine.
  return name === 'FUSE' && mountedAs() === 'fuseblk' ? null : name;
}

/** The type of the innermost mount above `place`; `mounts` as /proc/self/mountinfo has it. Source: proc(5). */
export function mountType(place: string, mounts: string): string | null {
  let best = { point: '', type: null as string | null };
  for (const line of mounts.split('\n')) {
    const [head = '', tail = ''] = line.split(' - ');
    const point = (head.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const above = point === '/' || place === point || place.startsWith(`${point}/`);
    // A later mount on the same point hides the earlier one.
    if (point !== '' && above && point.length >= best.point.length) best = { point, type: tail.split(' ')[0] ?? null };
  }
  return best.type;
}
