import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretFile } from '../../../src/main/adapters/keychain/secret-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mail-agent-secret-file-'));
  file = path.join(folder, 'secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusal = (text: string) => ({ ok: false, error: { kind: 'unavailable', text: expect.stringContaining(text) } });

describe('the secret file', () => {
  it('keeps secrets for its owner alone, over a restart', async () => {
    const secrets = createSecretFile({ file });

    expect(await secrets.get('agent-token')).toMatchObject({ ok: false, error: { kind: 'missing' } });
    expect(await secrets.set('agent-token', 'token')).toEqual({ ok: true });
    expect(await secrets.set('smtp-password', '密码')).toEqual({ ok: true });
    expect(await secrets.delete('agent-token')).toEqual({ ok: true });

    const again = createSecretFile({ file });
    expect(await again.get('smtp-password')).toEqual({ ok: true, value: '密码' });
    expect(await again.get('agent-token')).toMatchObject({ ok: false, error: { kind: 'missing' } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  it('keeps both of two secrets that are set at once', async () => {
    const secrets = createSecretFile({ file });

    await Promise.all([secrets.set('agent-token', 'a'), secrets.set('smtp-password', 'b')]);

    expect(JSON.parse(readFileSync(file, 'utf8')).secrets).toEqual({ 'agent-token': 'a', 'smtp-password': 'b' });
  });

  it.each([0o640, 0o604, 0o660, 0o620, 0o610])(
    'refuses mode %o, names the file and what to run, and changes nothing',
    async (mode) => {
      const secrets = createSecretFile({ file });
      await secrets.set('agent-token', 'token');
      chmodSync(file, mode);

      expect(await secrets.get('agent-token')).toEqual(refusal(`chmod 600 '${file}'`));
      expect(await secrets.set('agent-token', 'other')).toEqual(refusal(`chmod 600 '${file}'`));
      chmodSync(file, 0o600);
      expect(await secrets.get('agent-token')).toEqual({ ok: true, value: 'token' });
    },
  );

  it('refuses a link, a folder, a pipe and a huge file', async () => {
    const target = path.join(folder, 'target.json');
    await createSecretFile({ file: target }).set('agent-token', 'token');
    symlinkSync(target, file);
    expect(await createSecretFile({ file }).get('agent-token')).toEqual(refusal('is a link'));
    expect(await createSecretFile({ file }).set('agent-token', 'other')).toEqual(refusal('is a link'));

    const inner = path.join(folder, 'inner');
    mkdirSync(inner, { mode: 0o700 });
    expect(await createSecretFile({ file: inner }).get('agent-token')).toEqual(refusal('not an ordinary file'));

    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    expect(await createSecretFile({ file: pipe }).get('agent-token')).toEqual(refusal('not an ordinary file'));

    const huge = path.join(folder, 'huge');
    writeFileSync(huge, 'x'.repeat(300_000), { mode: 0o600 });
    expect(await createSecretFile({ file: huge }).get('agent-token')).toEqual(refusal('larger than'));
  });

  it.runIf(process.getuid?.() === 0)('refuses the file of another user', async () => {
    await createSecretFile({ file }).set('agent-token', 'token');
    chownSync(file, 12_345, 12_345);

    expect(await createSecretFile({ file }).get('agent-token')).toEqual(refusal('belongs to another user'));
  });

  it.each([
    '',
    'password',
    '{"version":2,"secrets":{}}',
    '{"version":1,"secrets":{"other":"x"}}',
    '{"version":1,"secrets":{"agent-token":1}}',
  ])('refuses a file that is not its own, and leaves it as it is: %j', async (text) => {
    writeFileSync(file, text, { mode: 0o600 });
    const secrets = createSecretFile({ file });

    expect(await secrets.get('agent-token')).toEqual(refusal(file));
    expect(await secrets.set('agent-token', 'x')).toEqual(refusal(file));
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('says so where it cannot be written, and leaves no draft', async () => {
    const lost = path.join(folder, 'missing', 'secrets.json');

    expect(await createSecretFile({ file: lost }).set('agent-token', 'x')).toEqual(refusal(lost));
    expect(existsSync(path.dirname(lost))).toBe(false);
  });

  it.each(['', 'a\0b', '\uD800', 'x'.repeat(65_537)])(
    'refuses a value that would not come back the same',
    async (value) => {
      expect(await createSecretFile({ file }).set('agent-token', value)).toEqual(refusal('cannot be stored'));
      expect(existsSync(file)).toBe(false);
    },
  );
});
