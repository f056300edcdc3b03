import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formsOf } from './forms.ts';
import { canarySearch } from './search.ts';

const SECRET = 'Canary/9+ü word&=42';
const search = canarySearch({ password: SECRET });
const found = (bytes: Buffer): boolean => search.inBytes('here', bytes).length > 0;
const around = fc.uint8Array({ maxLength: 40 });

describe('the search for a secret', () => {
  it.each<[string, (before: Buffer, after: Buffer) => Buffer]>([
    ['UTF-8', (a, b) => Buffer.concat([a, Buffer.from(SECRET), b])],
    ['UTF-16LE', (a, b) => Buffer.concat([a, Buffer.from(SECRET, 'utf16le'), b])],
    ['UTF-16BE', (a, b) => Buffer.concat([a, Buffer.from(SECRET, 'utf16le').swap16(), b])],
    [
      'Base64 in the middle of more',
      (a, b) => Buffer.from(Buffer.concat([a, Buffer.from(SECRET), b]).toString('base64')),
    ],
    ['Base64 for URLs', (a, b) => Buffer.from(Buffer.concat([a, Buffer.from(SECRET), b]).toString('base64url'))],
    [
      'Base64 of UTF-16',
      (a, b) => Buffer.from(Buffer.concat([a, Buffer.from(SECRET, 'utf16le'), b]).toString('base64')),
    ],
    [
      'Base64 kept in UTF-16',
      (a, b) => Buffer.from(Buffer.concat([a, Buffer.from(SECRET), b]).toString('base64'), 'utf16le'),
    ],
    ['hex', (a, b) => Buffer.from(Buffer.concat([a, Buffer.from(SECRET), b]).toString('hex'))],
    ['a URL', (a, b) => Buffer.concat([a, Buffer.from(`?p=${encodeURIComponent(SECRET)}&x`), b])],
    ['a form', (a, b) => Buffer.concat([a, Buffer.from(new URLSearchParams({ p: SECRET }).toString()), b])],
    ['JSON', (a, b) => Buffer.concat([a, Buffer.from(JSON.stringify({ p: SECRET })), b])],
  ])('finds it in %s', (_form, hide) => {
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(found(hide(Buffer.from(before), Buffer.from(after)))).toBe(true);
      }),
    );
  });

  it('finds nothing where there is nothing, and names no form twice', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        expect(found(Buffer.from(bytes))).toBe(false);
      }),
    );
    const names = formsOf(SECRET).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('looks into every file of a folder, into its names, and across the pieces it reads', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'canary-'));
    try {
      mkdirSync(path.join(folder, 'deep/er'), { recursive: true });
      const large = Buffer.alloc(8 * 1024 * 1024 + 5_000, 'x');
      large.write(SECRET, 8 * 1024 * 1024 - 7);
      writeFileSync(path.join(folder, 'deep/er/large'), large);
      writeFileSync(path.join(folder, `a ${Buffer.from(SECRET).toString('hex')}`), '');
      writeFileSync(path.join(folder, 'innocent'), 'Canary');

      const { findings, fileCount } = await search.inFolder(folder);

      expect(fileCount).toBe(3);
      expect(findings.map((one) => one.replace(folder, '').replace(/[0-9a-f]{30,}/, '…')).sort()).toEqual([
        '/deep/er/large: password as UTF-8',
        'the name /a …: password as hex',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('looks at the command line and the environment of a process and its children', async () => {
    const child = spawn('/bin/sh', ['-c', `sleep 30 & wait; : "${SECRET}"`], {
      detached: true,
      env: { PATH: '/bin:/usr/bin', PW: SECRET },
    });
    try {
      await expect
        .poll(() => search.inProcesses(child.pid ?? 0), { timeout: 20_000 })
        .toMatchObject({ processCount: 2 });
      const { findings } = search.inProcesses(child.pid ?? 0);
      expect(findings).toContain(`process ${child.pid} cmdline: password as UTF-8`);
      expect(findings.filter((one) => one.includes('environ: password')).length).toBe(2);
    } finally {
      // The whole group: the shell's child would outlive it.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }
  });

  it('refuses a secret too short to be told from chance', () => {
    expect(() => canarySearch({ password: 'secret' })).toThrow('too short');
  });
});
