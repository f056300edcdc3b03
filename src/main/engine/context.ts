import type { MailAccount, Pace, Pairing } from '../../shared/settings.ts';
import type { WaitReason } from '../../shared/status.ts';
import type { Language } from '../../shared/texts/language.ts';
import type { Stage } from '../../shared/wire/messages.ts';
import { type Bell, createBell } from './bell.ts';
import { createJournal, type Journal } from './journal.ts';
import type { PaceMemoryOfAgent } from './pace-memory.ts';
import type { Ports, SentCopy } from './ports.ts';

/** What does not change while the agent runs; a changed account or pace starts the agent anew. */
export type AgentConfig = {
  readonly pairing: Pairing;
  readonly account: MailAccount;
  readonly pace: Pace;
  readonly language: Language;
  readonly version: string;
  readonly heartbeatIntervalMs: number;
  /**
   * Mails held and about to be sent at most; the rest stays in the queue, where another agent can take them. One that
   * waits for its next try does not count.
   */
  readonly holdMax: number;
};

/** What the loops share: the ports, the pen, the bells, and what is known of this moment only. */
export type Context = {
  readonly ports: Ports;
  readonly config: AgentConfig;
  readonly journal: Journal;
  /** New for every start of the process. */
  readonly bootId: string;
  readonly bells: Readonly<Record<'send' | 'claim' | 'report' | 'heartbeat' | 'sync' | 'mailbox', Bell>>;
  readonly live: Live;
  /** Tells whoever watches that the status may have changed. */
  readonly changed: () => void;
};

export type Live = {
  /** False from the start, and while ledger and cloud are compared: no attempt starts. */
  synced: boolean;
  syncWanted: boolean;
  current: { readonly mailId: string; readonly attempt: number; readonly stage: Stage } | null;
  /** The outcome of the last mail is known here and not yet in the ledger. */
  unwritten: boolean;
  /** So many outcomes more, and a claim loop that found the ledger full has room again; 0 or less where it did not. */
  mailsUntilRoom: number;
  /** How often in a row a mail could not be prepared, since the start, by its id. */
  readonly postponedCounts: Map<string, number>;
  /** The claim for which the cloud had nothing. */
  emptyClaimId: string | null;
  /** A claim request is on the wire or its answer is being written; aborted, it is asked again later. */
  claiming: AbortController | null;
  waiting: { readonly why: WaitReason; readonly untilMs: number | null } | null;
  readonly pace: PaceMemoryOfAgent;
  /** Messages whose copy in the Sent folder is still to be kept, as they left. */
  readonly sentMessages: Map<string, SentCopy>;
  /** Tasks of which the cloud was asked how many mails they have. */
  readonly tasksAsked: Set<string>;
  /** The tasks of the last heartbeat's answer, as JSON; null before the first. */
  tasksTold: string | null;
  cloudReachable: boolean;
  lastHeartbeatAtMs: number | null;
};

/** Two ways to end: `drain` finishes what runs and starts nothing; `abandon` drops what has not been handed over. */
export type StopSignals = { readonly drain: AbortSignal; readonly abandon: AbortSignal };

export function createContext(
  ports: Ports,
  config: AgentConfig,
  pace: PaceMemoryOfAgent,
  changed: () => void,
): Context {
  const bells = {
    send: createBell(),
    claim: createBell(),
    report: createBell(),
    heartbeat: createBell(),
    sync: createBell(),
    mailbox: createBell(),
  };
  return {
    ports,
    config,
    // The send loop tries the disk while it waits; it may have lain down for a minute before the trouble began.
    journal: createJournal(ports, () => {
      bells.send.ring();
      changed();
    }),
    bootId: ports.random.uuid(),
    bells,
    live: {
      synced: false,
      syncWanted: true,
      current: null,
      unwritten: false,
      mailsUntilRoom: 0,
      postponedCounts: new Map(),
      emptyClaimId: null,
      claiming: null,
      waiting: null,
      pace,
      sentMessages: new Map(),
      tasksAsked: new Set(),
      tasksTold: null,
      cloudReachable: true,
      lastHeartbeatAtMs: null,
    },
    changed,
  };
}

/** Asks for a comparison of ledger and cloud as soon as nothing moves; a claim that only waits for mails gives way. */
export function wantSync({ live, bells }: Pick<Context, 'live' | 'bells'>): void {
  live.syncWanted = true;
  live.claiming?.abort('a comparison with the cloud is wanted');
  bells.sync.ring();
}
