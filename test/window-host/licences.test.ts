import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licencesOf } from '../../scripts/package/licences.ts';
import { readLicences } from '../../src/main/window-host/licences.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-licences-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('The licences of what is inside', () => {
  it('come as the build wrote them', async () => {
    await writeFile(path.join(folder, 'LICENSE'), 'Permission is hereby granted\r\nto all.\r\n');
    const listed = licencesOf([{ name: 'a-package', version: '1.0.0', license: 'MIT', author: null, folder }]);
    const file = path.join(folder, 'licences.json');
    await writeFile(file, JSON.stringify(listed));

    expect(await readLicences(file)).toEqual({
      ok: true,
      value: [{ name: 'a-package', version: '1.0.0', license: 'MIT', text: 'Permission is hereby granted\nto all.' }],
    });
  });

  it('are unreadable where the file is missing or holds something else', async () => {
    const file = path.join(folder, 'licences.json');
    expect(await readLicences(file)).toEqual({ ok: false, error: 'unreadable' });
    await writeFile(file, '[{"name":"a-package"}]');
    expect(await readLicences(file)).toEqual({ ok: false, error: 'unreadable' });
  });

  it('stop the build where a package has no licence to ship', () => {
    expect(() => licencesOf([{ name: 'a-package', version: '1.0.0', license: 'MIT', author: null, folder }])).toThrow(
      'has no licence file',
    );
  });
});
