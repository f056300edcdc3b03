import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOwnersOnly, syncFile, syncFolder } from '../../../src/main/adapters/sqlite/files.ts';
import { inFolder } from './ledger-folder.ts';

describe('A file for its owner alone', () => {
  it('is made where there is none, and left alone where there is one', () =>
    inFolder((folder) => {
      const [fresh, known] = [path.join(folder, 'fresh'), path.join(folder, 'known')];
      writeFileSync(known, 'text', { mode: 0o644 });
      for (const file of [fresh, known]) createOwnersOnly(file);
      expect([statSync(fresh).mode & 0o777, statSync(fresh).size]).toEqual([0o600, 0]);
      expect([statSync(known).mode & 0o777, readFileSync(known, 'utf8')]).toEqual([0o644, 'text']);
    }));

  it('is no file where its folder is missing: that is said', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'missing', 'file');
      expect(() => createOwnersOnly(file)).toThrow('ENOENT');
      expect(existsSync(file)).toBe(false);
    }));
});

describe('Waiting for the disk', () => {
  it('leaves no handle open', () =>
    inFolder((folder) => {
      writeFileSync(path.join(folder, 'file'), 'text');
      mkdirSync(path.join(folder, 'inner'));
      const open = () => readdirSync('/proc/self/fd').length;
      const before = open();
      syncFile(path.join(folder, 'file'));
      syncFolder(path.join(folder, 'inner'));
      expect(open()).toBe(before);
    }));
});
