import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { createSecretFile } from '../../src/main/adapters/keychain/secret-file.ts';
import { LEDGER_FILE } from '../../src/main/adapters/sqlite/files.ts';
import { openLedger, openLedgerReadOnly } from '../../src/main/adapters/sqlite/open-ledger.ts';
import type { LedgerMail } from '../../src/main/engine/ports.ts';
import { askRunningAgent, type ControlRequest } from '../../src/main/headless/control.ts';
import { checkSetting } from '../../src/main/set-up.ts';
import { StatusView } from '../../src/shared/status.ts';
import type { TestAgent } from './cloud.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/main/headless/main.ts');
const COMMAND_LIMIT_MS = 60_000;
/** Kept between starts: a process that need not strip and compile the sources anew starts twice as fast. */
const COMPILED = path.resolve(import.meta.dirname, '../../node_modules/.cache/agent');
const NO_PAUSES = { gapMinMs: 0, gapMaxMs: 0, perMinute: null, perHour: null, perDay: null };

export type SetUpFacts = {
  readonly cloudUrl: string;
  readonly paired: TestAgent;
  readonly smtpPort: number;
  readonly address: string;
  /** Of the mail account; an ordinary one where none is given. */
  readonly password?: string;
};

export type StartOptions = {
  /** A command put in front of the agent that ends up as the agent's own process. */
  readonly under?: readonly string[];
  /** What lies in the data folder is seen by this process alone: `under` mounts something over it. */
  readonly ownView?: true;
  /** Options for Node itself. */
  readonly node?: readonly string[];
};

export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

/** The headless agent as a process of its own, which a test can kill, restart, copy and rob of its ledger. */
export class AgentProcess {
  /** Who it is for the cloud; a copy has the same. */
  readonly agentId: string;
  readonly data: string;
  readonly #root: string;
  /** The file with its password and token. */
  readonly secrets: string;
  #child: ChildProcess | null = null;
  #ended: Promise<string> = Promise.resolve('never started');
  #words = '';
  #hasOwnView = false;

  private constructor(root: string, agentId: string) {
    this.#root = root;
    this.agentId = agentId;
    this.data = path.join(root, 'data');
    this.secrets = path.join(root, 'secrets.json');
  }

  /** A data folder as `pair`, `account` and `set pace` leave it, mails one after another without a pause. */
  static async make(facts: SetUpFacts): Promise<AgentProcess> {
    const agent = new AgentProcess(await newRoot(), facts.paired.agentId);
    await agent.#setUp(facts);
    return agent;
  }

  /** The same folder, paired anew while it does not run. */
  renamed(agentId: string): AgentProcess {
    return new AgentProcess(this.#root, agentId);
  }

  async #setUp({ cloudUrl, paired, smtpPort, address, password = 'correct horse' }: SetUpFacts): Promise<void> {
    const secrets = createSecretFile({ file: this.secrets });
    await secrets.set('agent-token', paired.token);
    await secrets.set('smtp-password', password);
    const { agentId, userId } = paired;
    const smtp = { host: '127.0.0.1', port: smtpPort, security: 'none' };
    const opened = openLedger({ folder: this.data });
    if (!opened.ok) throw new Error(opened.error.text);
    const settings = {
      pairing: { cloudUrl, agentId, agentName: 'PC', userId, userName: '王芳' },
      account: { address, userName: address, smtp },
      pace: NO_PAUSES,
    };
    for (const key of ['pairing', 'account', 'pace'] as const) {
      const checked = checkSetting(key, settings[key]);
      if (!checked.ok) throw new Error(checked.error);
      const written = opened.value.ledger.commit([{ kind: 'setting', key, value: checked.value }]);
      if (!written.ok) throw new Error(written.error.kind);
    }
    opened.value.ledger.close();
  }

  get running(): boolean {
    return this.#child !== null;
  }

  /** Of the running process, null where none runs. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Starts `run` and does not wait for anything.
   */
  start(how: StartOptions = {}): void {
    if (this.#child !== null) throw new Error('the agent runs already');
    this.#hasOwnView = how.ownView === true;
    const child = this.#spawn(
      ['run'],
      (text) => {
        this.#words = (this.#words + text).slice(-8_000);
      },
      how,
    );
    child.stdin?.end();
    this.#child = child;
    this.#ended = once(child, 'exit').then(([code, signal]) => {
      this.#child = null;
      return String(signal ?? code);
    });
  }

  /** What power loss does to a process; resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ctrl-C: it finishes the mail under way and tells what it knows. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#child?.kill(signal);
    await this.#ended;
  }

  /** Resolves when it has ended, with the signal that ended it or its exit code. */
  gone(): Promise<string> {
    return this.#ended;
  }

  /** One command of the command line, to its end or until `signal` aborts. */
  async command(
    args: readonly string[],
    input = '',
    signal: AbortSignal = AbortSignal.timeout(COMMAND_LIMIT_MS),
  ): Promise<Finished> {
    let out = '';
    let err = '';
    const child = this.#spawn(args, (text, from) => {
      if (from === 'stdout') out += text;
      else err += text;
    });
    child.stdin?.end(input);
    const end = () => child.kill('SIGKILL');
    signal.addEventListener('abort', end, { once: true });
    const [code] = await once(child, 'close');
    signal.removeEventListener('abort', end);
    return { code: typeof code === 'number' ? code : null, out, err };
  }

  #spawn(
    args: readonly string[],
    hear: (text: string, from: 'stdout' | 'stderr') => void,
    how: StartOptions = {},
  ): ChildProcess {
    const options = ['--data', this.data, '--secret-file', this.secrets, '--lang', 'en', '--json'];
    const agent = [process.execPath, ...(how.node ?? []), MAIN, ...options, ...args];
    const [program = process.execPath, ...rest] = [...(how.under ?? []), ...agent];
    const child = spawn(program, rest, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    });
    for (const from of ['stdout', 'stderr'] as const) {
      child[from].setEncoding('utf8').on('data', (text: string) => hear(text, from));
    }
    // A command may end without reading what it is given.
    child.stdin.on('error', () => undefined);
    return child;
  }

  /** The data folder as the running agent sees it. */
  get view(): string {
    return this.#hasOwnView && this.pid !== null ? `/proc/${this.pid}/root${this.data}` : this.data;
  }

  /** False where no agent answers on this folder. */
  async tell(request: ControlRequest): Promise<boolean> {
    return this.running && (await askRunningAgent(this.view, request)).ok;
  }

  /** What the running agent says of itself, null while it does not answer. */
  async status(): Promise<StatusView | null> {
    const asked = this.running ? await askRunningAgent(this.view, { command: 'status' }) : null;
    return asked?.ok === true ? StatusView.parse(asked.value) : null;
  }

  /** The mails of its ledger by id, read beside it. */
  ledger(): ReadonlyMap<string, LedgerMail> {
    const opened = openLedgerReadOnly({ folder: this.view });
    if (!opened.ok) throw new Error(opened.error.text);
    const mails = opened.value.list({ kinds: null, limit: 1_000_000, offset: 0 });
    opened.value.close();
    return new Map(mails.map((mail) => [mail.id, mail]));
  }

  /** What it said on its terminal lately, for a failure's message. */
  get words(): string {
    return this.#words;
  }

  // ---- what befalls a disk; only while it does not run

  /** A copy of the data folder and the secrets as they are now: another machine, or a backup. */
  async copy(): Promise<AgentProcess> {
    const copy = new AgentProcess(await newRoot(), this.agentId);
    await mkdir(copy.data, { recursive: true, mode: 0o700 });
    await copyFile(this.secrets, copy.secrets);
    await copy.restoreLedgerOf(this);
    return copy;
  }

  /** Puts another folder's ledger in the place of this one's. */
  async restoreLedgerOf(backup: AgentProcess): Promise<void> {
    await this.deleteLedger();
    for (const name of await ledgerFiles(backup.data)) {
      await copyFile(path.join(backup.data, name), path.join(this.data, name));
    }
  }

  /** Empties it of everything but the settings and the pauses. */
  forgetMails(): void {
    const database = new Database(path.join(this.data, LEDGER_FILE));
    for (const table of ['outbox', 'attempt', 'payload', 'mail', 'claim']) database.exec(`DELETE FROM ${table}`);
    database.close();
  }

  async deleteLedger(): Promise<void> {
    for (const name of await ledgerFiles(this.data)) await rm(path.join(this.data, name));
  }

  /** Kills what still runs and removes the folder. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#root, { recursive: true, force: true });
  }
}

const newRoot = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'mail-agent-e2e-'));

const ledgerFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith(LEDGER_FILE));
