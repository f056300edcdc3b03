import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const RUN_LIMIT_MS = 180_000;

const Counts = z.strictObject({
  queued: z.int(),
  sent: z.int(),
  failed: z.int(),
  uncertain: z.int(),
  delivered: z.int(),
  duplicates: z.int(),
  seconds: z.number(),
});

/** One data folder for all runs, as a person would have it. The database's own account must get into it. */
const parent = mkdtempSync(path.join(os.tmpdir(), 'demo-test-'));
chmodSync(parent, 0o755);
const folder = path.join(parent, 'data');

afterAll(() => rmSync(parent, { recursive: true, force: true }));

type Run = { readonly exitCode: number | null; readonly output: string; readonly messages: string };

/** `whenSaid` is called once, as soon as the messages hold its words. */
async function demo(
  args: readonly string[],
  whenSaid?: { readonly words: string; readonly act: (pid: number) => void },
): Promise<Run> {
  const child = spawn(process.execPath, ['scripts/demo.ts', '--json', '--lang', 'en', ...args], { stdio: 'pipe' });
  let output = '';
  let messages = '';
  let waiting = whenSaid;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text;
    if (waiting !== undefined && child.pid !== undefined && messages.includes(waiting.words)) {
      const { act } = waiting;
      waiting = undefined;
      act(child.pid);
    }
  });
  await once(child, 'close');
  return { exitCode: child.exitCode, output, messages };
}

const countsOf = ({ output }: Run) => Counts.parse(JSON.parse(output.trimEnd().split('\n').at(-1) ?? ''));

/** Command lines that name the data folder: the agent's and the database's do. */
function processesOnFolder(): string[] {
  const all = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(folder));
}

describe('the demo', () => {
  it(
    'sends every mail once and says so in one JSON object',
    async () => {
      const run = await demo(['--once', '--mails', '8', '--data', folder]);

      expect(run.messages).toContain('nothing arrived twice');
      expect(run.exitCode).toBe(0);
      expect(countsOf(run)).toMatchObject({ queued: 8, sent: 8, failed: 0, uncertain: 0, delivered: 8, duplicates: 0 });
      expect(processesOnFolder()).toEqual([]);
    },
    RUN_LIMIT_MS,
  );

  it(
    'ends everything it started when it is interrupted',
    async () => {
      const interrupt = (pid: number) => process.kill(pid, 'SIGINT');

      const run = await demo(['--once', '--mails', '200', '--data', folder], {
        words: ' of 200 sent',
        act: interrupt,
      });

      expect(run.exitCode).toBe(130);
      expect(processesOnFolder()).toEqual([]);
    },
    RUN_LIMIT_MS,
  );

  it(
    'loses nothing and sends nothing twice while the agent is killed and connections are cut, on a used data folder',
    async () => {
      const run = await demo(['--once', '--chaos', '1', '--mails', '12', '--data', folder]);

      expect(run.messages).toContain('nothing arrived twice');
      expect(run.exitCode).toBe(0);
      const counts = countsOf(run);
      expect(counts).toMatchObject({ queued: 12, failed: 0, duplicates: 0 });
      expect(counts.sent + counts.uncertain).toBe(12);
      const [, kills = '', cuts = ''] = /(\d+) kills, (\d+) cuts/.exec(run.messages) ?? [];
      expect(Number(kills)).toBeGreaterThanOrEqual(2);
      expect(Number(cuts)).toBeGreaterThanOrEqual(4);
      expect(processesOnFolder()).toEqual([]);
    },
    RUN_LIMIT_MS,
  );

  it('names a wrong option, its value and what is allowed', async () => {
    const wrong = [
      ['--mails', 'many'],
      ['--chaos', '-1'],
      ['--lang', 'fr'],
    ];

    const [mails, seed, language] = await Promise.all(wrong.map((args) => demo(args)));

    expect([mails?.exitCode, seed?.exitCode, language?.exitCode]).toEqual([2, 2, 2]);
    expect(mails?.messages).toMatch(/--mails.*'many'.*whole number from 1 to 1000/);
    expect(seed?.messages).toMatch(/--chaos.*'-1'.*whole number from 0 to 4294967295/);
    expect(language?.messages).toMatch(/--lang.*'fr'.*en, zh-CN/);
  });
});
