import { createHash } from 'node:crypto';
import type { LedgerChange, Ports } from '../../src/main/engine/ports.ts';
import type { Pace } from '../../src/shared/settings.ts';
import type { HeartbeatRequest } from '../../src/shared/wire/messages.ts';
import { SeededRandom, VirtualClock } from '../support/fakes-clock.ts';
import { CLOUD_RULES, type CloudRules, ModelCloud } from '../support/fakes-cloud.ts';
import { isSettled } from '../support/fakes-cloud-mail.ts';
import { ModelSmtp } from '../support/fakes-mailer.ts';
import { Timeline } from '../support/fakes-timeline.ts';
import { CONFIG } from '../support/fakes-world.ts';
import type { MemoryLedger } from '../support/memory-ledger.ts';
import { applyTrouble } from './apply.ts';
import { Computer } from './computer.ts';
import { Mailroom } from './mailroom.ts';
import { COMPOSER, Mails } from './mails.ts';
import type { LifeStep, Plan, PlannedTrouble } from './plan.ts';
import { drawPlay } from './plays.ts';
import { checkFacts, checkRest, isAtRest, isInboxRead, whatIsOpen } from './rest.ts';
import { Safety } from './safety.ts';

/** A part that is broken on purpose, to see that the checks notice. */
export type Mutation = {
  readonly rules?: Partial<CloudRules>;
  readonly bend?: (ports: Ports) => Ports;
  /** So many commits that were said to be on the disk are gone after the power failed. */
  readonly forgottenCommits?: number;
  /** What the agents keep to, while the checks expect the plan's pace. */
  readonly pace?: Pace;
};

export type RunResult = {
  readonly seed: number;
  readonly mailCount: number;
  readonly acceptedCount: number;
  readonly eventCount: number;
  /** Troubles of the plan that came to pass. */
  readonly appliedCount: number;
  /** Where each mail stands at the end; `uncertain` for one that a person must settle. */
  readonly ends: readonly string[];
  /** The promise that broke, null where all held. */
  readonly failure: string | null;
  /** What happened, line by line; empty unless asked for. */
  readonly trace: readonly string[];
};

export type RunOptions = { readonly mutation?: Mutation; readonly keepsTrace?: boolean };

const CALM_MAX_MS = 100 * 3_600_000;
/** So often somebody looks into the window. */
const LOOK_IN_EVERY_MS = 10 * 60_000;
const EVENTS_MAX = 3_000_000;
/** Heartbeats in a row with another count than the cloud's before it asks for a comparison, as in the real cloud. */
const MISMATCHES_BEFORE_SYNC = 2;

/** One run from its first mail to its rest. */
export async function runPlan(plan: Plan, options: RunOptions = {}): Promise<RunResult> {
  return new Simulation(plan, options).run();
}

/** A world in which everything that happens is drawn from one seed. */
class Simulation {
  readonly plan: Plan;
  readonly random: SeededRandom;
  readonly timeline: Timeline;
  readonly cloud: ModelCloud;
  readonly smtp = new ModelSmtp();
  readonly safety: Safety;
  readonly computers: Computer[] = [];
  readonly trace: string[] = [];
  isCalm = false;
  readonly #startMs: number;
  readonly #mutation: Mutation;
  readonly #keepsTrace: boolean;
  readonly #mails: Mails;
  readonly #mailroom: Mailroom;
  readonly #waiting: PlannedTrouble[];
  readonly #reached = new Map<LifeStep, number>();
  readonly #mismatches = new Map<string, number>();
  #reachedCount = 0;
  #appliedCount = 0;
  #eventCount = 0;
  #leaving: Computer | null = null;

  constructor(plan: Plan, options: RunOptions) {
    this.plan = plan;
    this.#mutation = options.mutation ?? {};
    this.#keepsTrace = options.keepsTrace ?? false;
    this.random = new SeededRandom(plan.seed ^ 0x2f_6e_2b_1);
    const ties = new SeededRandom(plan.seed ^ 0x77_41);
    this.timeline = new Timeline(() => ties.fraction());
    this.#startMs = this.timeline.nowMs;
    this.cloud = new ModelCloud(new VirtualClock(this.timeline));
    this.cloud.keepsCalls = false;
    this.cloud.rules = { ...CLOUD_RULES, ...this.#mutation.rules };
    this.smtp.keepsDialogues = false;
    this.#mails = new Mails(plan, this.random, this.cloud, this.timeline);
    this.#mailroom = new Mailroom(plan, new SeededRandom(plan.seed ^ 0x1e_77_e2), this.timeline);
    this.safety = new Safety(plan.pace, this.#mails.approved);
    this.#waiting = plan.troubles.filter(({ when }) => when.kind === 'step');
    this.#listen();
  }

  async run(): Promise<RunResult> {
    const { plan, timeline } = this;
    this.queueMails(plan.mailCount);
    this.addComputer('agent-1').start();
    for (const { when, what } of plan.troubles) {
      if (when.kind === 'at') timeline.after(when.ms, () => this.#apply(what, this.random.oneOf(this.computers), null));
    }
    try {
      await timeline.settle();
      await this.#live(this.#startMs + plan.calmAfterMs, () => this.#isQuiet());
      this.#calmDown();
      await timeline.settle();
      await this.#live(timeline.nowMs + CALM_MAX_MS, () => this.#isOver());
      if (this.safety.failure === null) {
        const { mails } = this.cloud;
        if (!this.#isOver())
          this.safety.fail(`I3: no rest: ${whatIsOpen(mails.values(), this.computers, this.#mailroom)}`);
        checkRest(mails, this.computers, this.safety);
        checkFacts(this.#mailroom, this.safety);
      }
    } catch (error) {
      this.safety.fail(`fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    for (const computer of this.computers) computer.kill();
    return {
      seed: plan.seed,
      mailCount: this.cloud.mails.size,
      acceptedCount: this.safety.acceptances.size,
      eventCount: this.#eventCount,
      appliedCount: this.#appliedCount,
      ends: [...this.cloud.mails.values()].map(({ status, uncertain }) =>
        status === 'sending' && uncertain ? 'uncertain' : status,
      ),
      failure: this.safety.failure,
      trace: this.trace,
    };
  }

  note(text: string): void {
    if (this.#keepsTrace) this.trace.push(`${((this.timeline.nowMs - this.#startMs) / 1000).toFixed(3)} ${text}`);
  }

  queueMails(count: number): void {
    this.#mails.queue(count);
  }

  sendAgain(mailId: string): void {
    this.#mails.sendAgain(mailId);
  }

  addComputer(agentId: string, file?: MemoryLedger): Computer {
    const around = {
      timeline: this.timeline,
      cloud: this.cloud,
      smtp: this.smtp,
      composer: COMPOSER,
      random: this.random,
      config: {
        ...CONFIG,
        account: { ...CONFIG.account, savesSentCopy: this.plan.folders === 'none' ? 'unknown' : this.plan.folders },
        pace: this.#mutation.pace ?? this.plan.pace,
      } as const,
      mailroom: this.#mailroom,
      roughness: this.isCalm ? 0 : this.plan.roughness,
      reach: (computer: Computer, step: LifeStep, mailId: string | null) => this.#reach(computer, step, mailId),
      kept: (computer: Computer, changes: readonly LedgerChange[]) => {
        this.safety.onKept(computer, changes, this.timeline.nowMs);
      },
      told: this.safety.onTold.bind(this.safety),
      fault: (computer: Computer, error: unknown) => {
        // Two agents that write one file behind each other's back may well find it impossible; they end.
        if (!computer.isShared) this.safety.fail(`fault of the agent on ${computer.name}: ${stackOf(error)}`);
        else this.comeBack(computer, 1_000);
      },
      note: (text: string) => this.note(text),
      bend: this.#mutation.bend ?? ((ports: Ports) => ports),
    };
    const computer = new Computer(`pc${this.computers.length + 1}`, agentId, around, file);
    computer.disk.forgottenCommits = this.#mutation.forgottenCommits ?? 0;
    this.computers.push(computer);
    return computer;
  }

  /** Somebody starts the agent again. */
  comeBack(computer: Computer, afterMs: number): void {
    this.timeline.after(afterMs, () => {
      if (!computer.isOn) computer.start();
    });
  }

  async #live(untilMs: number, isOver: () => boolean): Promise<void> {
    for (let turn = 0; this.safety.failure === null; turn += 1) {
      if (turn % 16 === 0 && isOver()) return;
      if (!(await this.timeline.step(untilMs))) {
        this.timeline.nowMs = Math.max(this.timeline.nowMs, untilMs);
        return;
      }
      this.#eventCount += 1;
      if (this.#eventCount > EVENTS_MAX) return this.safety.fail('I3: it never ends');
    }
  }

  /** Every mail is at rest, every letter has come and is read, and what it says is told. */
  #isOver(): boolean {
    if (this.#mailroom.onTheWay > 0 || !isAtRest(this.cloud.mails.values(), this.computers)) return false;
    return this.computers.every((computer) => isInboxRead(computer, this.#mailroom));
  }

  /** Somebody ends every pause and lets the held addresses go, now and from time to time. */
  #lookIn(): void {
    for (const computer of this.computers) {
      computer.ask((agent) => agent.resume());
      for (const { address } of computer.disk.file.heldAddresses(1_000)) {
        computer.ask((agent) => void agent.liftAddress(address));
      }
    }
    this.timeline.after(LOOK_IN_EVERY_MS, () => this.#lookIn());
  }

  /** Nothing more is planned, and nothing moves: the time until the calm would be empty. */
  #isQuiet(): boolean {
    const planned = this.plan.troubles.length - this.#appliedCount - this.#waiting.length;
    return planned <= 0 && this.#waiting.length === 0 && isAtRest(this.cloud.mails.values(), this.computers);
  }

  /** The faults stop, every computer runs, the clocks are right, and somebody ends every pause. */
  #calmDown(): void {
    this.isCalm = true;
    this.note('calm');
    this.#waiting.length = 0;
    this.smtp.playFor = () => ({ kind: 'accept' });
    for (const computer of this.computers) {
      computer.mend();
      computer.clock.setRight();
      if (computer.processCount > 1) computer.kill();
      if (!computer.isOn) computer.start();
    }
    this.#lookIn();
    const agents = new Set(this.computers.map(({ agentId }) => agentId));
    for (const mail of this.cloud.mails.values()) {
      // An operator gives back what nobody will ever send.
      if (!isSettled(mail) && mail.agentId !== null && !agents.has(mail.agentId)) this.cloud.giveBack(mail.id);
    }
  }

  #listen(): void {
    const { cloud, smtp, safety, plan, random } = this;
    cloud.onChange = (mail, change) => {
      const mark = mail.uncertain ? ' uncertain' : '';
      if (this.#keepsTrace) this.note(`cloud: ${mail.id} ${change.kind} by ${change.by} -> ${mail.status}${mark}`);
      safety.onCloudChange(mail, change);
    };
    cloud.commandsFor = (agentId, request) => this.#commandsFor(agentId, request);
    smtp.stageMs = 5;
    smtp.playFor = () => (random.chance(plan.roughness * 0.7) ? drawPlay(random, null) : QUICK);
    smtp.onEnd = (mailId, arrived, bytes) => {
      if (this.#keepsTrace) this.note(`smtp: end of ${mailId}, ${arrived ? 'accepted' : 'not taken'}`);
      const mail = cloud.mail(mailId);
      safety.onEnd(mail, arrived, bytes.toString('utf8'));
      if (this.#leaving !== null) safety.onLeaving(this.#leaving, mailId);
      if (arrived) this.#mailroom.onAccepted(mail, this.#leaving);
    };
  }

  #commandsFor(agentId: string, request: HeartbeatRequest): readonly string[] {
    let held = 0;
    for (const mail of this.cloud.mails.values()) if (mail.status === 'sending' && mail.agentId === agentId) held += 1;
    const differs = request.counts.untold === 0 && request.counts.holding !== held;
    const mismatches = differs ? (this.#mismatches.get(agentId) ?? 0) + 1 : 0;
    this.#mismatches.set(agentId, mismatches);
    const commands = mismatches >= MISMATCHES_BEFORE_SYNC ? ['sync'] : [];
    return this.isCalm ? [...commands, 'resume'] : commands;
  }

  #reach(computer: Computer, step: LifeStep, mailId: string | null): void {
    if (step === 'end-of-data') this.#leaving = computer;
    if (this.#keepsTrace) this.note(`${computer.name} ${step} ${mailId ?? ''}`);
    if (this.#waiting.length === 0) return;
    this.#reachedCount += 1;
    const count = (this.#reached.get(step) ?? 0) + 1;
    this.#reached.set(step, count);
    for (let place = this.#waiting.length - 1; place >= 0; place -= 1) {
      const planned = this.#waiting[place];
      if (planned?.when.kind !== 'step') continue;
      const { when } = planned;
      const isNow = when.step === null ? when.nth === this.#reachedCount : when.step === step && when.nth === count;
      if (!isNow) continue;
      this.#waiting.splice(place, 1);
      this.#apply(planned.what, computer, mailId);
    }
  }

  #apply(what: PlannedTrouble['what'], computer: Computer, mailId: string | null): void {
    if (this.isCalm) return;
    this.#appliedCount += 1;
    if (this.#keepsTrace) this.note(`trouble on ${computer.name}: ${JSON.stringify(what)}`);
    applyTrouble(this, what, computer, mailId);
  }
}

const QUICK = { kind: 'accept' } as const;
const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** One number for a whole trace: equal where two runs were equal to the last byte. */
export const traceHash = (trace: readonly string[]): string =>
  createHash('sha256').update(trace.join('\n')).digest('hex');
