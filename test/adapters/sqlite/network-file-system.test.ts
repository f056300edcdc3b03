import { describe, expect, it } from 'vitest';
import {
  mountType,
  networkFileSystem,
  networkTypeName,
} from '../../../src/main/adapters/sqlite/network-file-system.ts';
import { inFolder } from './ledger-folder.ts';

const MOUNTS = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:44 / /home/li/My\\040Disk rw,nosuid - fuseblk /dev/sdb1 rw
41 22 0:45 / /home/li/server rw - fuse.sshfs li@server:/ rw
42 22 0:46 / /home/li/server rw - tmpfs tmpfs rw
`;

describe('A network file system', () => {
  it.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0xff534d42 | 0, 'CIFS'],
    [0xfe534d42, 'SMB2'],
    [0x01021997, '9P'],
    [0x517b, 'SMB'],
    [0x564c, 'NCP'],
    [0x5346414f, 'AFS'],
    [0x6b414653, 'AFS'],
    [0x73757245, 'Coda'],
    [0x00c36400, 'Ceph'],
    [0x0bd00bd0, 'Lustre'],
    [0x01161970, 'GFS2'],
    [0x7461636f, 'OCFS2'],
    [0x65735546, 'FUSE'],
    [0xef53, null],
    [0x01021994, null],
    [0x9123683e, null],
  ])('is told by its type %d: %s', (type, name) => {
    expect(networkTypeName(type, () => 'fuse.sshfs')).toBe(name);
  });

  it('is not a disk of this computer that FUSE carries', () => {
    expect(networkTypeName(0x65735546, () => 'fuseblk')).toBeNull();
    expect(networkTypeName(0x6969, () => 'fuseblk')).toBe('NFS');
  });

  it('is looked up in the innermost mount, whichever was mounted last', () => {
    const [root = '', ...others] = MOUNTS.split('\n');
    expect(mountType('/home/li/server/data', [...others, root].join('\n'))).toBe('tmpfs');
  });

  it('is nothing that can be told where the list of mounts says nothing', () => {
    expect(mountType('/home/li', '\n\n')).toBeNull();
  });

  it('is not what the tests run on', () =>
    inFolder((folder) => {
      expect(networkFileSystem(folder)).toBeNull();
    }));

  it.each([
    ['/', 'ext4'],
    ['/home/li/data', 'ext4'],
    ['/home/li/My Disk/data', 'fuseblk'],
    ['/home/li/My Disk', 'fuseblk'],
    ['/home/li/My Diskette', 'ext4'],
    ['/home/li/server/data', 'tmpfs'],
  ])('is looked up for %s in the innermost, latest mount: %s', (place, type) => {
    expect(mountType(place, MOUNTS)).toBe(type);
  });
});
