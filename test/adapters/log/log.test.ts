import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/main/adapters/log/log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mail-agent-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const written = (inside = folder) =>
  readdirSync(inside)
    .map((name) => readFileSync(path.join(inside, name), 'utf8'))
    .join('');

describe('the log', () => {
  it('writes one JSON line for each event with level, time, event and fields', async () => {
    const log = createLog({ folder });

    log.info('mail.sent', { mailId: 'r-1', attempt: 2 });
    log.warn('cloud.unreachable');
    await log.close();

    const lines = written()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        event: 'mail.sent',
        fields: { mailId: 'r-1', attempt: 2 },
      },
      { level: 'warn', time: expect.any(String), event: 'cloud.unreachable' },
    ]);
  });

  it('never lets an address, password or token reach the file', async () => {
    const log = createLog({ folder });

    log.error('smtp.refused by zhang@example.com', {
      reply: '550 5.1.1 <zhang@example.com>: AUTH PLAIN AGh1bnRlcjIxMjM= password=hunter2',
      password: 'hunter2',
      to: 'zhang',
      answer: '{"error":"Bearer Zk3v9QpLr8XwYb2NnT5uJc7HdGfEaSs1 unknown"}',
    });
    await log.close();

    expect(written()).toContain('smtp.refused');
    expect(written()).not.toMatch(/zhang|hunter2|AGh1|Zk3v9/);
  });

  it('keeps file and folder to their owner', async () => {
    const inner = path.join(folder, 'log');
    const log = createLog({ folder: inner });

    log.info('agent.started');
    await log.flush();

    expect(written(inner)).toContain('agent.started');
    expect(statSync(inner).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(inner)) expect(statSync(path.join(inner, name)).mode & 0o777).toBe(0o600);
    await log.close();
  });

  it('leaves out what is below its level', async () => {
    const log = createLog({ folder, level: 'warn' });

    log.info('quiet');
    log.error('loud');
    await log.close();

    expect(written()).not.toContain('quiet');
    expect(written()).toContain('loud');
  });

  it('rolls to a new file at 10 MB and keeps five', async () => {
    for (let number = 1; number <= 7; number += 1) writeFileSync(path.join(folder, `agent.${number}.log`), 'old\n');
    writeFileSync(path.join(folder, 'agent.7.log'), 'x'.repeat(10 * 1024 * 1024 - 10));
    const log = createLog({ folder });

    log.info('fills-the-file');
    await log.flush();
    await expect.poll(() => readdirSync(folder).length).toBe(5);
    log.info('in-the-next');
    await log.close();

    expect(readFileSync(path.join(folder, 'agent.8.log'), 'utf8')).toContain('in-the-next');
    expect(readdirSync(folder)).not.toContain('agent.1.log');
  });

  it('drops its lines where the folder cannot be written, and goes on', async () => {
    const file = path.join(folder, 'not-a-folder');
    writeFileSync(file, '');
    const log = createLog({ folder: file });

    log.info('lost');
    await log.flush();
    log.info('lost too');
    await log.close();

    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('drops its lines on a full disk, goes on, and still closes', async () => {
    symlinkSync('/dev/full', path.join(folder, 'agent.1.log'));
    const log = createLog({ folder });

    log.info('lost');
    await log.flush();
    log.info('lost too');

    await expect(log.close()).resolves.toBeUndefined();
  });

  it('takes lines after it was closed without a fault', async () => {
    const log = createLog({ folder });
    await log.close();

    log.info('too late');

    await expect(log.flush()).resolves.toBeUndefined();
    expect(written()).not.toContain('too late');
  });
});
