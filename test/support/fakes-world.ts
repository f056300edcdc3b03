import type { StateKind } from '../../src/main/core/mail-state.ts';
import { type Agent, type StopMode, type StopReport, startAgent } from '../../src/main/engine/agent.ts';
import type { AgentConfig } from '../../src/main/engine/context.ts';
import type {
  Composer,
  Ledger,
  LedgerChange,
  LedgerFailure,
  Log,
  Mailbox,
  Ports,
} from '../../src/main/engine/ports.ts';
import { err, type Result } from '../../src/shared/result.ts';
import { Pace } from '../../src/shared/settings.ts';
import type { CloudStatus } from '../../src/shared/wire/messages.ts';
import { SeededRandom, VirtualClock } from './fakes-clock.ts';
import { ModelCloud } from './fakes-cloud.ts';
import { USER_ID } from './fakes-cloud-mail.ts';
import { type Death, Life, mortal } from './fakes-life.ts';
import { fakeComposer, fakeMailer, ModelSmtp } from './fakes-mailer.ts';
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts';

/** As fast as it goes; a test of the pace brings its own. */
export const NO_PACE = Pace.parse({ gapMinMs: 0, gapMaxMs: 0, perMinute: null, perHour: null, perDay: null });

export const CONFIG: AgentConfig = {
  pairing: {
    cloudUrl: 'https://cloud.example',
    agentId: 'agent-1',
    agentName: 'PC',
    userId: USER_ID,
    userName: '李雷',
  },
  account: {
    address: 'sales@example.com',
    name: null,
    userName: 'sales@example.com',
    smtp: { host: 'smtp.example.com', port: 465, security: 'tls', caFile: null },
    login: 'password',
    imap: null,
    savesSentCopy: 'unknown',
    keepsMessageId: 'unknown',
    aliases: [],
  },
  pace: NO_PACE,
  language: 'en',
  version: '1.0.0',
  heartbeatIntervalMs: 60_000,
  holdMax: 20,
};

/** A running agent of a world, and the way to end it without a word. */
export type RunningAgent = Agent & {
  kill(): void;
  readonly isAlive: () => boolean;
};

/** A computer with its disk, a cloud and a mail server, all in memory and in virtual time. */
export class World {
  readonly clock = new VirtualClock();
  readonly random: SeededRandom;
  readonly cloud = new ModelCloud(this.clock);
  readonly smtp = new ModelSmtp();
  /** Every commit that was tried, with what came of it. */
  readonly commits: { readonly changes: readonly LedgerChange[]; readonly failed: LedgerFailure['kind'] | null }[] = [];
  readonly logged: string[] = [];
  /** Asked before each commit. */
  diskFailure: () => LedgerFailure | null = () => null;
  /** Asked after each commit that worked: true where its answer is lost and the file cannot be looked at. */
  diskDoubt: () => boolean = () => false;
  composer: Composer = fakeComposer();
  /** Null for an account whose folders are not read. */
  mailbox: Mailbox | null = null;
  ledger: MemoryLedger;

  constructor(seed = 1) {
    this.random = new SeededRandom(seed);
    this.ledger = this.emptyLedger();
  }

  emptyLedger(): MemoryLedger {
    return memoryLedger({ failure: () => this.diskFailure() });
  }

  // ---- what a test looks at

  state(id: string): StateKind | null {
    return this.ledger.mail(id)?.state.kind ?? null;
  }

  untilState(id: string, kind: StateKind, limitMs?: number): Promise<void> {
    return this.clock.runUntil(() => this.state(id) === kind, limitMs);
  }

  untilStatus(id: string, status: CloudStatus, limitMs?: number): Promise<void> {
    return this.clock.runUntil(() => this.cloud.mail(id).status === status, limitMs);
  }

  /** The events of all commits that worked, one list a commit. */
  get events(): readonly (readonly string[])[] {
    const written = this.commits.filter(({ failed }) => failed === null);
    return written.map(({ changes }) =>
      changes.map((change) => (change.kind === 'mail' ? change.event.kind : change.kind)),
    );
  }

  /** Stops the agent and lets it come to its end. */
  async end(agent: Agent, mode: StopMode = 'drain'): Promise<StopReport> {
    let over = false;
    const ending = agent.ended.finally(() => {
      over = true;
    });
    ending.catch(() => undefined);
    agent.stop(mode);
    await this.clock.runUntil(() => over);
    return ending;
  }

  start(
    over: Partial<AgentConfig> = {},
    options: { readonly agentId?: string; readonly death?: Death | null } = {},
  ): RunningAgent {
    const config = { ...CONFIG, ...over };
    const life = new Life(options.death ?? null);
    const ports = mortal(this.#ports(options.agentId ?? config.pairing.agentId, life), life);
    const agent = startAgent(ports, config);
    // A test that does not wait for the end is not told of it; one that does still is.
    agent.ended.catch(() => undefined);
    return Object.assign(agent, { kill: () => life.end(), isAlive: () => life.isAlive });
  }

  #ports(agentId: string, life: Life): Ports {
    const { clock, random, cloud, smtp, composer, mailbox } = this;
    const mailer = fakeMailer(smtp, clock, { isAlive: () => life.isAlive });
    const note = (level: string) => (event: string, fields?: object) => {
      this.logged.push(`${level} ${event} ${JSON.stringify(fields ?? {})}`);
    };
    const log: Log = { info: note('info'), warn: note('warn'), error: note('error') };
    const ledger = this.#watched(this.ledger);
    return { clock, random, cloud: cloud.port(agentId), composer, mailer, mailbox, log, ledger };
  }

  #watched(ledger: Ledger): Ledger {
    const commit = (changes: readonly LedgerChange[]): Result<void, LedgerFailure> => {
      const written = ledger.commit(changes);
      const done =
        written.ok && this.diskDoubt() ? err({ kind: 'io', text: 'no answer', reopened: false } as const) : written;
      this.commits.push({ changes, failed: done.ok ? null : done.error.kind });
      return done;
    };
    return { ...ledger, commit };
  }
}
