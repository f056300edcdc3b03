import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { askRunningAgent } from '../../src/main/headless/control.ts';
import type { Language } from '../../src/shared/texts/language.ts';
import type { DesktopProgram } from '../desktop-program.ts';

const PROGRAM = fileURLToPath(new URL('../../src/main/headless/main.ts', import.meta.url));
/** Longer than the agent's own limit for its last reports. */
const DRAIN_LIMIT_MS = 20_000;
const COMMAND_LIMIT_MS = 60_000;
const OUTPUT_MAX_CHARS = 4_000;

export type DemoAgent = {
  /** Runs one command of the agent's command line to its end; throws with its own words where it fails. */
  command(args: readonly string[], standardInput?: string): Promise<void>;
  /** Starts `run`. `onEnd` hears of an end that nobody here asked for. */
  start(onEnd: (how: string) => void): void;
  /** Ends the process as a power cut would and starts it again at once; false where none runs. */
  killAndRestart(): Promise<boolean>;
  /** Asks the running agent to try again at once; false where it does not answer. */
  resume(): Promise<boolean>;
  /** What the running agent says of itself, as JSON text; null where it does not answer. */
  status(): Promise<string | null>;
  /** Lets the agent finish its mail and end; kills it where that takes too long, or where `signal` aborts. */
  stop(signal: AbortSignal): Promise<void>;
};

export type DemoAgentParts = {
  /** Its data are in there, and its secrets where it runs in a terminal. */
  readonly folder: string;
  readonly pidFile: string;
  readonly language: Language;
  /** Null runs it in a terminal. */
  readonly desktop: DesktopProgram | null;
};

/** The real agent as a process of its own. */
export function createDemoAgent({ folder, pidFile, language, desktop }: DemoAgentParts): DemoAgent {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = dataFolderIn(folder);
  // The window knows no secrets but those in the keychain.
  const secrets = desktop === null ? ['--secret-file', path.join(folder, 'secrets.json')] : [];
  const base = [PROGRAM, '--data', data, ...secrets, '--lang', language];
  const [executable, words] =
    desktop === null
      ? [process.execPath, [...base, '--json', 'run']]
      : // Where it keeps its profile anyway; said here, it tells whose process this is.
        [desktop.executable, [`--user-data-dir=${path.join(data, 'window')}`, ...desktop.words]];
  let running: ChildProcess | null = null;
  let hearEnd: (how: string) => void = () => undefined;

  const launch = () => {
    const output = openSync(path.join(folder, 'agent-output.log'), 'a', 0o600);
    // In a process group of its own: Ctrl-C in the terminal is for the demo, which then ends the agent in order.
    const child = spawn(executable, words, {
      stdio: ['ignore', output, output],
      detached: true,
      env: { ...process.env, MAIL_AGENT_DATA: data },
    });
    closeSync(output);
    child.once('error', (error) => hearEnd(error.message));
    child.once('exit', (code, signal) => {
      if (running === child) {
        running = null;
        hearEnd(`exit code ${code ?? signal}, see ${path.join(folder, 'agent-output.log')}`);
      }
    });
    running = child;
    if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid));
  };

  return {
    async command(args, standardInput = '') {
      const child = spawn(process.execPath, [...base, ...args], { stdio: 'pipe', timeout: COMMAND_LIMIT_MS });
      let words = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          words = (words + text).slice(-OUTPUT_MAX_CHARS);
        });
      }
      child.stdin.on('error', (error) => {
        words += error.message;
      });
      child.stdin.end(standardInput);
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`agent ${args[0]} ended with ${code}: ${words.trim()}`);
    },
    start(onEnd) {
      hearEnd = onEnd;
      launch();
    },
    async killAndRestart() {
      const child = running;
      if (child === null) return false;
      running = null;
      child.kill('SIGKILL');
      await once(child, 'exit');
      launch();
      return true;
    },
    resume: async () => (await askRunningAgent(data, { command: 'resume' })).ok,
    async status() {
      const asked = await askRunningAgent(data, { command: 'status' });
      return asked.ok ? JSON.stringify(asked.value) : null;
    },
    async stop(signal) {
      const child = running;
      running = null;
      if (child !== null) await end(child, signal);
      rmSync(pidFile, { force: true });
    },
  };
}

export const dataFolderIn = (folder: string): string => path.join(folder, 'data');

async function end(child: ChildProcess, signal: AbortSignal): Promise<void> {
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  const limit = setTimeout(kill, DRAIN_LIMIT_MS);
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  else child.kill('SIGTERM');
  await exited;
  clearTimeout(limit);
  signal.removeEventListener('abort', kill);
}

/** Ends the agent of a demo that was killed outright. A process with that pid and this folder can be no other. */
export function endLeftOverAgent(folder: string, pidFile: string): void {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const commandLine = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    if (commandLine.includes(folder)) process.kill(pid, 'SIGKILL');
  } catch {
    // No such file or no such process: nothing was left. An agent that is missed here is found by its ledger's lock.
  }
}
