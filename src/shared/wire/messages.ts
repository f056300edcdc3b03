import { z } from 'zod';
import { Payload } from './payload.ts';

/** Requests are strict (the cloud refuses unknown fields), answers are loose (the agent ignores them). */

export const CLAIM_LIMIT_MAX = 50;
export const WAIT_SECONDS_MAX = 25;
export const HEARTBEAT_INTERVAL_SECONDS = 60;
export const SYNC_KNOWN_MAX = 500;
export const REPLY_TEXT_MAX_CHARS = 512;
export const ERROR_MESSAGE_MAX_CHARS = 1000;

export const RecipientId = z.string().regex(/^[0-9A-Za-z-]{1,64}$/, 'is not a recipient id');
export const IdempotencyKey = z.string().regex(/^email-recipient-[0-9A-Za-z-]{1,64}$/, 'is not an idempotency key');
export const PayloadHash = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'is not sha256: and 64 lower-case hex digits');
/** Fresh for each attempt, 128 random bits or more, never on any disk before the attempt's outcome. */
const Nonce = z.string().regex(/^[0-9A-Za-z_-]{22,64}$/, 'is not a nonce');
/** A machine that is off line for weeks starts many attempts that never get as far as the cloud. */
const Attempt = z.int().min(1).max(1_000_000);
const Instant = z.iso.datetime();
const shortText = (max: number) => z.string().max(max);

/** How far an attempt got. `prepare` is before the first connection: checks, attachments, composing. */
export const STAGES = ['prepare', 'connect', 'tls', 'auth', 'envelope', 'body', 'handed-over'] as const;
export const Stage = z.enum(STAGES);
export type Stage = z.infer<typeof Stage>;

/** What a reply or failure is about. `payload`, `expired` and `local` are the agent's own; the rest come from replies. */
export const REPLY_CLASSES = [
  'auth',
  'rate-limit',
  'mailbox-temporary',
  'recipient-invalid',
  'sender-policy',
  'content',
  'too-big',
  'connection',
  'ambiguous',
  'payload',
  'expired',
  'local',
] as const;
export const ReplyClass = z.enum(REPLY_CLASSES);
export type ReplyClass = z.infer<typeof ReplyClass>;

/** A complete reply of the mail server. Source: RFC 5321 4.2, RFC 3463. */
export const SmtpReply = z.strictObject({
  code: z.int().min(200).max(599),
  enhanced: z
    .string()
    .regex(/^[245]\.\d{1,3}\.\d{1,3}$/)
    .nullable(),
  text: shortText(REPLY_TEXT_MAX_CHARS),
});
export type SmtpReply = z.infer<typeof SmtpReply>;

// ---- pair
export const PairRequest = z.strictObject({
  pairing_code: z.string().regex(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/, 'is not a pairing code of the form ABCD-1234'),
  agent_name: z.string().min(1).max(100),
  platform: z.string().min(1).max(50),
  version: z.string().min(1).max(50),
});
export type PairRequest = z.infer<typeof PairRequest>;
/** What a provider calls the program where the office registered it. `client_secret`: where the provider gives one. */
const SignInId = z.object({
  client_id: z.string().min(1).max(256),
  client_secret: z.string().min(1).max(256).optional(),
});
/** With whose sign-in the office lets its mailboxes be used. */
export const SignInIds = z.object({
  google: SignInId.optional(),
  microsoft: SignInId.optional(),
  'microsoft-china': SignInId.optional(),
});
export type SignInIds = z.infer<typeof SignInIds>;
export const PairReply = z.object({
  agent_id: z.string().min(1).max(64),
  token: z.string().min(32).max(256),
  user: z.object({ id: z.string().min(1).max(64), name: z.string().max(200) }),
  sign_in: SignInIds.optional(),
});
export type PairReply = z.infer<typeof PairReply>;

// ---- claims
export const ClaimRequest = z.strictObject({
  claim_id: z.uuid(),
  limit: z.int().min(1).max(CLAIM_LIMIT_MAX),
  /** Seconds to wait for the first mail; 0 answers at once. */
  wait: z.int().min(0).max(WAIT_SECONDS_MAX),
});
export type ClaimRequest = z.infer<typeof ClaimRequest>;
const claimedFields = {
  id: RecipientId,
  user_id: z.string().min(1).max(64),
  idempotency_key: IdempotencyKey,
  payload_hash: PayloadHash,
  task: z.object({ id: z.string().max(64), name: z.string().max(200) }),
  not_before: Instant.nullable(),
  not_after: Instant.nullable(),
};
export const ClaimedItem = z.object({ ...claimedFields, payload: Payload });
export type ClaimedItem = z.infer<typeof ClaimedItem>;
/** The item without its content: enough to report that the content cannot be used. */
export const ClaimedItemHead = z.object({ ...claimedFields, payload: z.unknown() });
export type ClaimedItemHead = z.infer<typeof ClaimedItemHead>;
export const ClaimReply = z.object({ claim_id: z.uuid(), items: z.array(ClaimedItem).max(CLAIM_LIMIT_MAX) });
/** As the agent reads it: one bad item must not cost the others. */
export const ClaimReplyEnvelope = z.object({ claim_id: z.uuid(), items: z.array(z.unknown()).max(CLAIM_LIMIT_MAX) });
export type ClaimReplyEnvelope = z.infer<typeof ClaimReplyEnvelope>;

// ---- one recipient
export const RecipientParams = z.strictObject({ id: RecipientId });

export const BeginRequest = z.strictObject({
  idempotency_key: IdempotencyKey,
  payload_hash: PayloadHash,
  nonce: Nonce,
  attempt: Attempt,
});
export type BeginRequest = z.infer<typeof BeginRequest>;
export const BeginReply = z.object({ id: RecipientId, nonce: Nonce, granted: z.literal(true) });

export const NotSentRequest = z.strictObject({
  idempotency_key: IdempotencyKey,
  nonce: Nonce,
  attempt: Attempt,
  stage: Stage,
  class: ReplyClass,
  code: z.int().min(200).max(599).nullable(),
  enhanced_code: z.string().max(16).nullable(),
  reply: shortText(REPLY_TEXT_MAX_CHARS).nullable(),
});
export type NotSentRequest = z.infer<typeof NotSentRequest>;
/** `cleared` tells whether the mail stood as begun under this nonce; either way the nonce is retired. */
export const NotSentReply = z.object({ id: RecipientId, nonce: Nonce, cleared: z.boolean() });
export type NotSentReply = z.infer<typeof NotSentReply>;

/** What later settled an uncertain mail. */
export const Evidence = z.strictObject({
  kind: z.enum(['person', 'sent-folder', 'bounce', 'reply']),
  note: shortText(500),
});
export type Evidence = z.infer<typeof Evidence>;
export const OUTCOMES = ['sent', 'send_failed', 'uncertain'] as const;
export const ResultRequest = z.strictObject({
  idempotency_key: IdempotencyKey,
  payload_hash: PayloadHash,
  /** Null only where no `begin` was ever asked: a mail that cannot be sent at all. */
  nonce: Nonce.nullable(),
  attempt: z.int().min(0).max(1_000_000),
  outcome: z.enum(OUTCOMES),
  smtp_message_id: z.string().max(998).nullable(),
  error_message: shortText(ERROR_MESSAGE_MAX_CHARS).nullable(),
  stage: Stage.nullable(),
  class: ReplyClass.nullable(),
  code: z.int().min(200).max(599).nullable(),
  enhanced_code: z.string().max(16).nullable(),
  reply: shortText(REPLY_TEXT_MAX_CHARS).nullable(),
  evidence: Evidence.nullable(),
});
export type ResultRequest = z.infer<typeof ResultRequest>;
export const CLOUD_STATUSES = ['queued', 'sending', 'sent', 'send_failed', 'cancelled'] as const;
export const CloudStatus = z.enum(CLOUD_STATUSES);
export type CloudStatus = z.infer<typeof CloudStatus>;
export const ResultReply = z.object({ id: RecipientId, status: CloudStatus, deduplicated: z.boolean() });
export type ResultReply = z.infer<typeof ResultReply>;
/** What `conflicting-result` carries in `stored`. */
export const StoredResult = z.object({
  status: CloudStatus,
  smtp_message_id: z.string().nullable(),
  error_message: z.string().nullable(),
});
export type StoredResult = z.infer<typeof StoredResult>;

/**
 * Something learned after the result, from the account's own inbox; the result stays as it is. `fact_id` is the same for
 * the same letter, so that telling it again is harmless.
 */
export const FACT_KINDS = ['bounced', 'replied'] as const;
const Bounce = z.strictObject({
  /** The address itself refused: no later mail can reach it. */
  hard: z.boolean(),
  /** Enhanced status code. Source: RFC 3463. */
  status: z
    .string()
    .regex(/^[245]\.\d{1,3}\.\d{1,3}$/)
    .nullable(),
  /** The other server's own words. */
  text: shortText(REPLY_TEXT_MAX_CHARS),
});
export const FactRequest = z
  .strictObject({
    idempotency_key: IdempotencyKey,
    payload_hash: PayloadHash,
    fact_id: z.string().regex(/^[0-9a-f]{32}$/, 'is not 32 lower-case hex digits'),
    kind: z.enum(FACT_KINDS),
    /** When the letter arrived. */
    at: Instant,
    bounce: Bounce.nullable(),
  })
  .refine((fact) => (fact.kind === 'bounced') === (fact.bounce !== null), {
    message: 'is there exactly with the kind "bounced"',
    path: ['bounce'],
  });
export type FactRequest = z.infer<typeof FactRequest>;
export const FactReply = z.object({ id: RecipientId, fact_id: z.string(), deduplicated: z.boolean() });
export type FactReply = z.infer<typeof FactReply>;

export const ReleaseRequest = z.strictObject({ idempotency_key: IdempotencyKey });
export const ReleaseReply = z.object({ id: RecipientId, status: CloudStatus });

// ---- heartbeat
const Count = z.int().min(0).max(10_000_000);
const AGENT_STATES = ['idle', 'sending', 'paused', 'needs-you', 'offline'] as const;
export const AgentState = z.enum(AGENT_STATES);
export type AgentState = z.infer<typeof AgentState>;
export const HeartbeatRequest = z.strictObject({
  interval_seconds: z.int().min(1).max(3600),
  boot_id: z.uuid(),
  state: AgentState,
  why: shortText(300).nullable(),
  counts: z.strictObject({
    /** Mails claimed and not yet sent, failed, cancelled or released; uncertain ones included. */
    holding: Count,
    sent: Count,
    failed: Count,
    uncertain: Count,
    /** Reports written and not yet told. */
    untold: Count,
  }),
  version: z.string().min(1).max(50),
});
export type HeartbeatRequest = z.infer<typeof HeartbeatRequest>;
export const COMMANDS = ['pause', 'resume', 'sync'] as const;
/** Tasks a heartbeat tells of at most: those of the user that were confirmed last. */
export const TASKS_TOLD_MAX = 8;
/** One task of the agent's user, counted over all agents; cancelled mails count nowhere. */
const TaskTotals = z.object({
  id: z.string().min(1).max(64),
  name: z.string().max(200),
  /** Everything confirmed: queued, being sent, sent and failed. */
  total: Count,
  queued: Count,
  sent: Count,
  failed: Count,
});
export type TaskTotals = z.infer<typeof TaskTotals>;
export const HeartbeatReply = z.object({
  server_time: Instant,
  /** A command this agent does not know is ignored. */
  commands: z.array(z.object({ kind: z.string().max(50) })).max(20),
  /** How far the user's tasks are; a cloud that does not count leaves it out. */
  tasks: z.array(TaskTotals).max(TASKS_TOLD_MAX).optional(),
  sign_in: SignInIds.optional(),
});
export type HeartbeatReply = z.infer<typeof HeartbeatReply>;

// ---- sync
export const SyncRequest = z.strictObject({
  boot_id: z.uuid(),
  /** Page cursor: the `next_after` of the page before, null for the first. */
  after: RecipientId.nullable(),
  limit: z.int().min(1).max(CLAIM_LIMIT_MAX),
  /** Mails this agent's ledger has open; those the cloud does not hold for it come back under `others`. */
  known: z.array(RecipientId).max(SYNC_KNOWN_MAX),
});
export type SyncRequest = z.infer<typeof SyncRequest>;
const heldFields = { begun_nonce: Nonce.nullable(), uncertain: z.boolean() };
const HeldItem = ClaimedItem.extend(heldFields);
export const HeldItemHead = ClaimedItemHead.extend(heldFields);
export type HeldItemHead = z.infer<typeof HeldItemHead>;
const OtherItem = z.object({
  id: RecipientId,
  /** `unknown` where the cloud has no such mail for this user. */
  status: z.enum([...CLOUD_STATUSES, 'unknown']),
  smtp_message_id: z.string().nullable(),
  error_message: z.string().nullable(),
});
export type OtherItem = z.infer<typeof OtherItem>;
const syncFields = { next_after: RecipientId.nullable(), others: z.array(OtherItem).max(SYNC_KNOWN_MAX) };
export const SyncReply = z.object({ items: z.array(HeldItem).max(CLAIM_LIMIT_MAX), ...syncFields });
export const SyncReplyEnvelope = z.object({ items: z.array(z.unknown()).max(CLAIM_LIMIT_MAX), ...syncFields });
export type SyncReplyEnvelope = z.infer<typeof SyncReplyEnvelope>;
