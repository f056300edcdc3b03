import type { WaitReason } from '../../shared/status.ts';
import type { AgentState } from '../../shared/wire/messages.ts';
import { type Hold, type HoldKind, standsAt } from './hold.ts';
import type { Allowed } from './pace.ts';

/** What the send loop knows when it asks what to do. Instants are epoch milliseconds. */
export type PlanFacts<Mail> = {
  readonly holds: readonly Hold[];
  /** True once the cloud has answered the first sync after the start. */
  readonly synced: boolean;
  /** The first mail that may be tried, null where none is due. */
  readonly next: Mail | null;
  /** When the earliest waiting mail becomes due, null where none waits. */
  readonly nextDueAtMs: number | null;
  /** What the pace says about one more mail. */
  readonly allowed: Allowed;
  readonly nowMs: number;
};

/** `untilMs` is when to ask again; null where only an event can change the answer. */
export type Plan<Mail> =
  | { readonly kind: 'send'; readonly mail: Mail }
  | { readonly kind: 'wait'; readonly untilMs: number | null; readonly why: 'held'; readonly hold: Hold }
  | { readonly kind: 'wait'; readonly untilMs: number | null; readonly why: Exclude<WaitReason, 'held'> };

/** What the send loop does now, and if it waits, for what and how long. */
export function plan<Mail>(facts: PlanFacts<Mail>): Plan<Mail> {
  const { next, allowed, nowMs } = facts;
  if (!facts.synced) return { kind: 'wait', untilMs: null, why: 'not-synced' };
  const standing = standingHolds(facts.holds, nowMs);
  const [worst] = standing;
  if (worst !== undefined) return { kind: 'wait', untilMs: endOf(standing), why: 'held', hold: worst };
  if (next === null) {
    return facts.nextDueAtMs === null
      ? { kind: 'wait', untilMs: null, why: 'nothing-to-send' }
      : { kind: 'wait', untilMs: facts.nextDueAtMs, why: 'due-later' };
  }
  if (allowed.why !== 'now' && allowed.atMs > nowMs) return { kind: 'wait', untilMs: allowed.atMs, why: allowed.why };
  return { kind: 'send', mail: next };
}

/** Worst first: what stops everything, what needs a person, what somebody chose, what passes by itself. */
const HOLD_RANK: Record<HoldKind, number> = {
  ledger: 0,
  token: 1,
  keychain: 2,
  account: 3,
  cloud: 4,
  user: 5,
  'back-off': 6,
};

/** The holds that stand at `nowMs`, the worst first. */
export function standingHolds(holds: readonly Hold[], nowMs: number): readonly Hold[] {
  return holds.filter((hold) => standsAt(hold, nowMs)).sort((a, b) => HOLD_RANK[a.kind] - HOLD_RANK[b.kind]);
}

/** When the last of them ends by itself, null where one does not. */
function endOf(holds: readonly Hold[]): number | null {
  let lastMs = 0;
  for (const { untilMs } of holds) {
    if (untilMs === null) return null;
    lastMs = Math.max(lastMs, untilMs);
  }
  return lastMs;
}

const NEEDS_PERSON: readonly HoldKind[] = ['ledger', 'token', 'keychain', 'account'];
const PAUSED: readonly HoldKind[] = ['cloud', 'user'];

/** The one word for the agent; of several that fit, the worst: needs-you, offline, paused, sending, idle. */
export function agentState(facts: {
  readonly holds: readonly Hold[];
  readonly cloudReachable: boolean;
  readonly sending: boolean;
  /** Uncertain mails and conflicting results: questions only a person can answer. */
  readonly openQuestions: number;
  readonly nowMs: number;
}): AgentState {
  const kinds = standingHolds(facts.holds, facts.nowMs).map((hold) => hold.kind);
  if (facts.openQuestions > 0 || kinds.some((kind) => NEEDS_PERSON.includes(kind))) return 'needs-you';
  if (!facts.cloudReachable) return 'offline';
  if (kinds.some((kind) => PAUSED.includes(kind))) return 'paused';
  return facts.sending ? 'sending' : 'idle';
}
