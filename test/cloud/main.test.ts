import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorClient } from '../../cloud/operator/client.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-cloud-'));
});
afterAll(async () => {
  // After a failed assertion one may still run.
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(running.map((child) => [once(child, 'exit'), child.kill('SIGINT')][0]));
  await rm(folder, { recursive: true, force: true });
});

type Started = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly database: string;
  readonly token: string;
};

async function start(): Promise<Started> {
  const child = spawn(process.execPath, ['cloud/main.ts', '--port', '0', '--data', path.join(folder, 'cloud')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  children.push(child);
  let text = '';
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('Ctrl-C')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
  await ready;
  const field = (name: string) => new RegExp(`^${name}: +(.*)$`, 'm').exec(text)?.[1] ?? '';
  const token = (await readFile(field('Operator token'), 'utf8')).trim();
  return { child, url: field('Cloud'), database: field('Database'), token };
}

async function postgresPid(started: Started): Promise<number> {
  const text = await readFile(path.join(started.database, 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function endBy(started: Started, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(started.child, 'exit');
  started.child.kill(signal);
  const [code] = (await ended) as [number | null];
  return code;
}

describe('npm run cloud', () => {
  it('starts with nothing given, ends on SIGINT without a process left, and starts again with the same data', async () => {
    const first = await start();
    const pid = await postgresPid(first);
    const user = await operatorClient(first.url, first.token).must('createUser', { request: { name: 'Wang' } });
    const mode = (await stat(path.join(folder, 'cloud', 'operator-token'))).mode & 0o777;
    expect(isRunning(pid)).toBe(true);

    const code = await endBy(first, 'SIGINT');
    expect([code, isRunning(pid), mode]).toEqual([0, false, 0o600]);

    const second = await start();
    const users = await operatorClient(second.url, second.token).must('listUsers', {});
    expect(users.items.map(({ id }) => id)).toEqual([user.id]);
    expect(await endBy(second, 'SIGTERM')).toBe(0);
  });

  it('takes over the database of a killed process, and refuses one that a living process uses', async () => {
    const killed = await start();
    const leftOver = await postgresPid(killed);
    await endBy(killed, 'SIGKILL');
    expect(isRunning(leftOver)).toBe(true);

    const next = await start();
    expect(await postgresPid(next)).not.toBe(leftOver);
    await expect(start()).rejects.toThrow(`in use by process ${next.child.pid}`);
    expect((await fetch(new URL('/healthz', next.url))).status).toBe(200);

    expect(await endBy(next, 'SIGINT')).toBe(0);
  });

  it('ends with 2 and the reason for a wrong option', async () => {
    const child = spawn(process.execPath, ['cloud/main.ts', '--port', 'x'], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });

    const [code] = (await once(child, 'close')) as [number];

    expect([code, text.split('\n')[0]]).toEqual([2, '--port (PORT) "x": is not a port number (0 to 65535)']);
  });
});
