import type { CloudStatus } from '../../src/shared/wire/messages.ts';

/** Where a mail stands in the cloud. A `draft` belongs to a task nobody confirmed; no agent ever hears of it. */
export type RecipientStatus = CloudStatus | 'draft';
export const RECIPIENT_STATUSES = [
  'draft',
  'queued',
  'sending',
  'sent',
  'send_failed',
  'cancelled',
] as const satisfies readonly RecipientStatus[];

/**
 * Every legal move of a mail in the cloud. The table `recipient_moves` holds the same rows, and its trigger refuses any
 * other move (cloud/migrations/0003_recipient_moves.sql); a test holds the two together.
 */
export const RECIPIENT_MOVES: readonly {
  readonly from: RecipientStatus;
  readonly to: RecipientStatus;
  /** Only while no attempt has begun and the mail is not marked uncertain. */
  readonly needsNotBegun: boolean;
  readonly meaning: string;
}[] = [
  { from: 'draft', to: 'queued', needsNotBegun: false, meaning: 'the task was confirmed' },
  { from: 'draft', to: 'cancelled', needsNotBegun: false, meaning: 'stopped before the task was confirmed' },
  { from: 'queued', to: 'sending', needsNotBegun: false, meaning: 'an agent claimed the mail' },
  { from: 'queued', to: 'cancelled', needsNotBegun: false, meaning: 'stopped before any agent took it' },
  { from: 'sending', to: 'sent', needsNotBegun: false, meaning: "accepted by the user's mail server, or settled so" },
  { from: 'sending', to: 'send_failed', needsNotBegun: false, meaning: 'refused for good, or settled so' },
  { from: 'sending', to: 'cancelled', needsNotBegun: true, meaning: 'a late stop, before any attempt began' },
  { from: 'sending', to: 'queued', needsNotBegun: true, meaning: 'given back by its agent or an operator' },
];

/** Which agent of which user is asking; every statement of the agent API is limited to this user's mails. */
export type AgentIdentity = { readonly agentId: string; readonly userId: string };

export const agentActor = (agent: AgentIdentity): string => `agent:${agent.agentId}`;
export const OPERATOR_ACTOR = 'operator';

/** Runs of one call that found the row changed between its statement and the look at why it was refused. */
export const RACE_TURNS = 4;
