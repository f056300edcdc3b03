import { type ChildProcess, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

const LIMIT_MS = 120_000;
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * A program at a terminal of its own, with somebody who reads and types. The terminal is util-linux's `script`, which
 * every Debian has.
 */
export class TerminalRun {
  /** All that stood on the screen, without the control characters that moved it about. */
  screen = '';
  readonly finished: Promise<number | null>;
  readonly #child: ChildProcess;
  #readTo = 0;
  #hasEnded = false;

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    const command = [program, ...args].map(quoted).join(' ');
    this.#child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
      env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const deadline = setTimeout(() => this.#child.kill('SIGKILL'), LIMIT_MS);
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.screen += stripVTControlCharacters(text);
    });
    this.finished = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code) => {
        clearTimeout(deadline);
        this.#hasEnded = true;
        resolve(code);
      });
    });
  }

  /** Waits until this stands on the screen, behind what was read before; fails with the screen where it never does. */
  async read(text: string): Promise<void> {
    for (;;) {
      const at = this.screen.indexOf(text, this.#readTo);
      if (at >= 0) {
        this.#readTo = at + text.length;
        return;
      }
      if (this.#hasEnded) throw new Error(`"${text}" never came; the screen shows\n${this.screen}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Types this and Enter. */
  type(text: string): void {
    this.#child.stdin?.write(`${text}\r`);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
