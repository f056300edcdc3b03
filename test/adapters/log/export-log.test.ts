import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportLog } from '../../../src/main/adapters/log/export-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mail-agent-export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (event: string, fields: Record<string, string | number> = {}) =>
  `${JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', event, fields })}\n`;
const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const exported = (to: string) =>
  readFileSync(to, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));

describe('the exported log', () => {
  it('holds a header and all files in the order they were written', async () => {
    put('agent.10.log', line('third'));
    put('agent.2.log', line('second'));
    put('agent.1.log', line('first'));
    put('other.log', line('not ours'));
    const to = path.join(folder, 'support.jsonl');

    const result = await exportLog({ folder, to, version: '1.2.3' });

    expect(result).toEqual({ ok: true, value: to });
    const [header, ...lines] = exported(to);
    expect(header).toMatchObject({
      version: '1.2.3',
      platform: process.platform,
      node: process.versions.node,
      files: 3,
    });
    expect(lines.map(({ event }) => event)).toEqual(['first', 'second', 'third']);
    expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  it('takes out addresses, secrets and foreign hosts that a line still holds, and keeps the named hosts', async () => {
    put(
      'agent.1.log',
      line('smtp.refused', {
        reply: 'mx3.recipient-company.cn 203.0.113.9 said: <zhang@recipient-company.cn> unknown, password=hunter2',
        server: 'smtp.qq.com:465',
        attempt: 3,
      }),
    );
    const to = path.join(folder, 'support.jsonl');

    await exportLog({ folder, to, version: '1.2.3', keepHosts: ['smtp.qq.com'] });

    expect(readFileSync(to, 'utf8')).not.toMatch(/zhang|recipient-company|203\.0|hunter2/);
    expect(exported(to)[1]).toMatchObject({ event: 'smtp.refused', fields: { server: 'smtp.qq.com:465', attempt: 3 } });
  });

  it('leaves out and counts lines that are not the log’s own', async () => {
    put('agent.1.log', `${line('good')}zhang@example.com half a li\n{"event":"zhang@example.com"}\n`);
    const to = path.join(folder, 'support.jsonl');

    await exportLog({ folder, to, version: '1.2.3' });

    expect(readFileSync(to, 'utf8')).not.toContain('zhang');
    expect(exported(to).at(-1)).toEqual({ linesLeftOut: 2 });
  });

  it('says why it could not write, and leaves nothing behind', async () => {
    const to = path.join(folder, 'missing', 'support.jsonl');

    const result = await exportLog({ folder, to, version: '1.2.3' });

    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(to) });
    expect(readdirSync(folder)).toEqual([]);
  });
});
