import type { AgentState, Stage } from './wire/messages.ts';

/** Everything a glance at the agent answers. Instants are epoch milliseconds. */
export type StatusView = {
  readonly state: AgentState;
  /** False until the cloud has answered the first sync after the start. */
  readonly synced: boolean;
  readonly counts: MailCounts;
  readonly current: { readonly mailId: string; readonly attempt: number; readonly stage: Stage } | null;
  /** Why nothing is being sent just now and when that ends; null while something is. */
  readonly waiting: { readonly why: WaitReason; readonly untilMs: number | null } | null;
  readonly holds: readonly HoldView[];
  readonly lastHeartbeatAtMs: number | null;
  readonly cloudReachable: boolean;
};

export type MailCounts = {
  readonly waiting: number;
  readonly sending: number;
  readonly sent: number;
  readonly failed: number;
  readonly uncertain: number;
  readonly cancelled: number;
  readonly released: number;
  readonly untold: number;
  readonly conflicts: number;
};

export type HoldView = {
  readonly kind: string;
  readonly sinceMs: number;
  readonly untilMs: number | null;
  readonly text: string;
};

export const WAIT_REASONS = [
  'not-synced',
  'held',
  'nothing-to-send',
  'retry-later',
  'not-before',
  'gap',
  'per-minute',
  'per-hour',
  'per-day',
  'working-hours',
  'stopping',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];
