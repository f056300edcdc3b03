import { type Agent, startAgent } from '../../src/main/engine/agent.ts';
import type { AgentConfig } from '../../src/main/engine/context.ts';
import type { Composer, LedgerChange, Log, OutboxRow, Ports } from '../../src/main/engine/ports.ts';
import { SeededRandom, VirtualClock } from '../support/fakes-clock.ts';
import type { ModelCloud } from '../support/fakes-cloud.ts';
import { Killed, Life, mortal } from '../support/fakes-life.ts';
import { type Dialogue, type DialogueStep, fakeMailer, type ModelSmtp, type Play } from '../support/fakes-mailer.ts';
import type { Timeline } from '../support/fakes-timeline.ts';
import { CONFIG } from '../support/fakes-world.ts';
import type { MemoryLedger } from '../support/memory-ledger.ts';
import { Disk } from './disk.ts';
import type { Mailroom } from './mailroom.ts';
import { Network } from './network.ts';
import type { LifeStep } from './plan.ts';

/** What a computer stands in, and who hears what happens on it. */
export type Surroundings = {
  readonly timeline: Timeline;
  readonly cloud: ModelCloud;
  readonly smtp: ModelSmtp;
  readonly composer: Composer;
  readonly mailroom: Mailroom;
  readonly random: SeededRandom;
  readonly config: Omit<AgentConfig, 'pairing'>;
  readonly roughness: number;
  readonly reach: (computer: Computer, step: LifeStep, mailId: string | null) => void;
  readonly kept: (computer: Computer, changes: readonly LedgerChange[]) => void;
  readonly told: (computer: Computer, row: Pick<OutboxRow, 'mailId' | 'route' | 'body'>) => void;
  readonly fault: (computer: Computer, error: unknown) => void;
  /** Null where nobody reads what happens. */
  readonly note: ((text: string) => void) | null;
  /** Stands between the engine and its ports; the ports as they are, unless a test breaks one to see it noticed. */
  readonly bend: (ports: Ports) => Ports;
};

/** A process; `agent` is null while it is being started, and it can die even then. */
type Running = { agent: Agent | null; readonly life: Life; readonly close: () => void };

/** One salesperson's PC: its clock, disk and network, and the agent that runs on it, if one does. */
export class Computer {
  readonly name: string;
  readonly agentId: string;
  readonly clock: VirtualClock;
  readonly disk: Disk;
  readonly network: Network;
  /** Dialogues that start before `untilMs` go so. */
  smtpTrouble: { readonly play: Play; readonly untilMs: number } | null = null;
  dialogue: Dialogue | null = null;
  /** True after the power failed: what the system had not sent may be lost too. */
  powerFailed = false;
  /** Another computer runs on a copy of this one's disk, or did. */
  isShared = false;
  /** The wall clock was set while an agent knew it. */
  hasJumped = false;
  readonly #around: Surroundings;
  readonly #running = new Set<Running>();

  constructor(name: string, agentId: string, around: Surroundings, file?: MemoryLedger) {
    this.name = name;
    this.agentId = agentId;
    this.#around = around;
    this.clock = new VirtualClock(around.timeline);
    this.disk = new Disk(around.random, () => around.timeline.nowMs, file);
    this.network = new Network(this.clock, around.random, around.roughness);
  }

  get isOn(): boolean {
    return this.#running.size > 0;
  }

  get processCount(): number {
    return this.#running.size;
  }

  /** Starts the agent; a second one on the same data folder too, where the file's lock does not hold it off. */
  start(lock: 'holds' | 'fails' = 'holds'): 'started' | 'in-use' {
    const life = new Life(null);
    const opened = this.disk.open(
      {
        before: (changes) => this.#reachAll(changes, stepBefore),
        after: (changes) => {
          this.#around.kept(this, changes);
          this.#reachAll(changes, stepAfter);
        },
        isAlive: () => life.isAlive,
      },
      lock,
    );
    if (opened === 'in-use') return 'in-use';
    this.powerFailed = false;
    const ports = this.#around.bend(this.#ports(opened.ledger, life));
    const { pairing } = CONFIG;
    const config = { ...this.#around.config, pairing: { ...pairing, agentId: this.agentId, agentName: this.name } };
    const running: Running = { agent: null, life, close: opened.close };
    this.#running.add(running);
    const agent = startAgent(mortal(ports, life), config);
    running.agent = agent;
    agent.ended.then(
      () => this.#end(running),
      (error: unknown) => {
        if (life.isAlive && !(error instanceof Killed)) this.#around.fault(this, error);
        this.#end(running);
      },
    );
    return 'started';
  }

  #end(running: Running): void {
    running.life.end();
    running.close();
    this.#running.delete(running);
  }

  /** Every process here dies at once, without a word. */
  kill(): void {
    this.clock.wake();
    for (const running of [...this.#running]) this.#end(running);
    this.network.cutAll();
  }

  stop(mode: 'drain' | 'abandon'): void {
    for (const { agent } of this.#running) agent?.stop(mode);
  }

  /** What a person does in the window; the process may die in the middle of it. */
  ask(what: (agent: Agent) => void): void {
    for (const { agent, life } of [...this.#running]) {
      try {
        if (agent !== null) what(agent);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        life.end();
      }
    }
  }

  mend(): void {
    this.clock.wake();
    this.disk.trouble = null;
    this.network.mend();
    this.smtpTrouble = null;
  }

  #reachAll(changes: readonly LedgerChange[], steps: (change: LedgerChange) => LifeStep | null): void {
    for (const change of changes) {
      const step = steps(change);
      if (step !== null) this.#around.reach(this, step, mailOf(change));
    }
  }

  #ports(ledger: Ports['ledger'], life: Life): Ports {
    const { cloud, smtp, composer, mailroom, random, reach, told, note } = this.#around;
    const mailer = fakeMailer(smtp, this.clock, {
      isAlive: () => life.isAlive,
      outlivesProcess: () => !this.powerFailed || random.chance(0.5),
      watch: (step, dialogue) => this.#onDialogue(step, dialogue),
    });
    const port = cloud.port(this.agentId);
    const { network } = this;
    return {
      clock: this.clock,
      random: new SeededRandom(random.below(2 ** 31)),
      ledger,
      composer: {
        compose: async (mail, signal) => {
          reach(this, 'preparing', mail.id);
          if (random.chance(0.1)) await this.clock.sleep(random.below(400), signal);
          return composer.compose(mail, signal);
        },
      },
      mailer,
      mailbox: mailroom.reachedFrom({
        clock: this.clock,
        roughness: () => network.roughness,
        isDown: () => network.downUntilMs > this.clock.timeline.nowMs,
        onRead: () => reach(this, 'letters-read', null),
      }),
      log: note === null ? SILENT : writtenLog(this.name, note),
      cloud: {
        claim: (request, signal) =>
          network.call({
            name: 'claim',
            effect: (gone) => port.claim(request, gone),
            signal,
            onAsked: () => reach(this, 'claim-asked', null),
            onAnswered: (answer) => {
              if (answer.ok && answer.value.items.length > 0) reach(this, 'claim-answered', null);
            },
          }),
        begin: (mailId, request, signal) =>
          network.call({
            name: 'begin',
            effect: () => port.begin(mailId, request, NEVER),
            signal,
            onAsked: () => reach(this, 'begin-asked', mailId),
            onAnswered: (answer) => {
              if (answer.ok) reach(this, 'begin-granted', mailId);
            },
          }),
        report: (row, signal) => {
          told(this, row);
          return network.call({
            name: row.route,
            effect: () => port.report(row, NEVER),
            signal,
            onAsked: () => reach(this, REPORT_ASKED[row.route], row.mailId),
            onAnswered: (answer) => {
              const step = REPORT_ANSWERED[row.route];
              if (answer.ok && step !== null) reach(this, step, row.mailId);
            },
          });
        },
        heartbeat: (request, signal) =>
          network.call({ name: 'heartbeat', effect: () => port.heartbeat(request, NEVER), signal, ...UNHEARD }),
        sync: (request, signal) =>
          network.call({ name: 'sync', effect: () => port.sync(request, NEVER), signal, ...UNHEARD }),
        close: port.close,
      },
    };
  }

  #onDialogue(step: DialogueStep, dialogue: Dialogue): void {
    if (this.dialogue !== dialogue) {
      this.dialogue = dialogue;
      const { smtpTrouble } = this;
      if (smtpTrouble !== null && smtpTrouble.untilMs > this.clock.timeline.nowMs) dialogue.play = smtpTrouble.play;
    }
    this.#around.reach(this, step, dialogue.mailId);
  }
}

const NEVER = new AbortController().signal;
const UNHEARD = { onAsked: () => undefined, onAnswered: () => undefined };

const REPORT_ASKED = { result: 'report-asked', notSent: 'not-sent-asked', fact: 'fact-asked' } as const;
const REPORT_ANSWERED = { result: 'report-answered', notSent: null, fact: 'fact-answered' } as const;

const mailOf = (change: LedgerChange): string | null => ('mailId' in change ? change.mailId : null);

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function writtenLog(name: string, note: (text: string) => void): Log {
  const write =
    (level: string): Log['info'] =>
    (event, fields) =>
      note(`${name} ${level} ${event} ${JSON.stringify(fields ?? {})}`);
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

function stepBefore(change: LedgerChange): LifeStep | null {
  switch (change.kind) {
    case 'claim-asked':
      return 'claim-id-written';
    case 'mails-claimed':
      return change.mails.length === 0 ? null : 'claim-written';
    case 'mail':
      if (change.event.kind === 'attempt-started') return 'attempt-written';
      if (change.event.kind === 'handed-over') return 'mark-written';
      return isOutcome(change.event.kind) ? 'outcome-written' : null;
    case 'fact':
      return 'fact-written';
    default:
      return null;
  }
}

function stepAfter(change: LedgerChange): LifeStep | null {
  if (change.kind === 'fact') return 'fact-kept';
  if (change.kind === 'mails-claimed') return change.mails.length === 0 ? null : 'waiting';
  if (change.kind === 'report-ended') return change.end.kind === 'told' ? 'report-settled' : null;
  return change.kind === 'mail' && isOutcome(change.event.kind) ? 'outcome-kept' : null;
}

const isOutcome = (kind: string): boolean =>
  kind === 'accepted' || kind === 'refused' || kind === 'not-sent' || kind === 'lost';
