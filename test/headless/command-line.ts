import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TerminalRun } from '../support/terminal.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/main/headless/main.ts');
const NODE = path.resolve(import.meta.dirname, '../../node_modules/node/bin/node');
const LIMIT_MS = 120_000;

/** No keyring of this machine, and English whatever its language. */
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), LANG: 'C.UTF-8' };

export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

/** One run of the command line as a process of its own. */
export class CommandRun {
  out = '';
  err = '';
  readonly finished: Promise<Finished>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[], input = '') {
    this.#child = spawn(NODE, [MAIN, ...args], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'] });
    const deadline = setTimeout(() => this.#child.kill('SIGKILL'), LIMIT_MS);
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.#child.stdin?.end(input);
    this.finished = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code) => {
        clearTimeout(deadline);
        resolve({ code, out: this.out, err: this.err });
      });
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until something is so; fails with what was said where the process ends first. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    let ended = false;
    void this.finished.then(() => {
      ended = true;
    });
    while (!(await condition())) {
      if (ended) throw new Error(`it ended first, saying\n${this.out}\n${this.err}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** A data folder and its secret file, and the command line that works on them. */
export class DataFolder {
  readonly root: string;
  readonly data: string;
  readonly secrets: string;
  readonly #running = new Set<CommandRun>();
  readonly #terminals: TerminalRun[] = [];

  private constructor(root: string) {
    this.root = root;
    this.data = path.join(root, 'data');
    this.secrets = path.join(root, 'secrets.json');
  }

  static async make(): Promise<DataFolder> {
    return new DataFolder(await mkdtemp(path.join(tmpdir(), 'mail-agent-cli-')));
  }

  /** Starts a command and does not wait for it. */
  start(args: readonly string[], input?: string): CommandRun {
    const run = new CommandRun(['--data', this.data, '--secret-file', this.secrets, '--json', ...args], input);
    this.#running.add(run);
    void run.finished.finally(() => this.#running.delete(run));
    return run;
  }

  run(args: readonly string[], input?: string): Promise<Finished> {
    return this.start(args, input).finished;
  }

  /** What a command says to a person. */
  async said(args: readonly string[]): Promise<string> {
    const run = new CommandRun(['--data', this.data, '--secret-file', this.secrets, ...args]);
    return (await run.finished).out;
  }

  /** Starts a command at a terminal of its own, on a computer that trusts what is in `authorities`. */
  atTerminal(args: readonly string[], authorities: string): TerminalRun {
    const words = [MAIN, '--data', this.data, '--secret-file', this.secrets, ...args];
    const run = new TerminalRun(NODE, words, { ...ENVIRONMENT, NODE_EXTRA_CA_CERTS: authorities });
    this.#terminals.push(run);
    return run;
  }

  /** Ends what still runs and removes the folder. */
  async remove(): Promise<void> {
    for (const run of this.#running) {
      run.signal('SIGKILL');
      await run.finished;
    }
    for (const terminal of this.#terminals) {
      terminal.kill();
      await terminal.finished;
    }
    await rm(this.root, { recursive: true, force: true });
  }
}

/** The last line of standard output, which is one JSON object. */
export function lastObject(out: string): Record<string, unknown> {
  const value: unknown = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  if (typeof value !== 'object' || value === null) throw new Error(`no JSON object: ${out}`);
  return { ...value };
}
