import { z } from 'zod';
import { AgentState, Stage } from './wire/messages.ts';

export const WAIT_REASONS = [
  'not-synced',
  'held',
  'nothing-to-send',
  'due-later',
  'gap',
  'per-minute',
  'per-hour',
  'per-day',
  'ramp-up',
  'per-domain',
  'working-hours',
  'stopping',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

const AtMs = z.number();
const Count = z.int().min(0);

const MailCounts = z.object({
  waiting: Count,
  sending: Count,
  sent: Count,
  failed: Count,
  uncertain: Count,
  cancelled: Count,
  released: Count,
  untold: Count,
  conflicts: Count,
});
export type MailCounts = Readonly<z.infer<typeof MailCounts>>;

/**
 * How far one task is. `total` is every mail of it that was confirmed for this user, as far as the cloud has told, and
 * never less than this computer holds or has settled.
 */
const TaskProgress = z.object({
  taskId: z.string(),
  name: z.string(),
  total: Count,
  sent: Count,
  failed: Count,
  uncertain: Count,
});
export type TaskProgress = Readonly<z.infer<typeof TaskProgress>>;

const HoldView = z.object({ kind: z.string(), sinceMs: AtMs, untilMs: AtMs.nullable(), text: z.string() });

/** Everything a glance at the agent answers. Instants are epoch milliseconds. */
export const StatusView = z.object({
  state: AgentState,
  /** False until the cloud has answered the first sync after the start. */
  synced: z.boolean(),
  counts: MailCounts,
  /** The tasks of today: at work, or lately done; the one changed last where there is none. */
  tasks: z.array(TaskProgress),
  current: z.object({ mailId: z.string(), attempt: Count, stage: Stage }).nullable(),
  /** Why nothing is being sent just now and when that ends; null while something is. */
  waiting: z.object({ why: z.enum(WAIT_REASONS), untilMs: AtMs.nullable() }).nullable(),
  holds: z.array(HoldView),
  lastHeartbeatAtMs: AtMs.nullable(),
  cloudReachable: z.boolean(),
});
type StatusShape = z.infer<typeof StatusView>;
export type StatusView = Readonly<Omit<StatusShape, 'holds' | 'tasks'>> & {
  readonly tasks: readonly TaskProgress[];
  readonly holds: readonly StatusShape['holds'][number][];
};
