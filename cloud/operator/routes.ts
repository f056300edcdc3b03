import { z } from 'zod';
import {
  AgentState,
  CloudStatus,
  Evidence,
  FACT_KINDS,
  PayloadHash,
  RecipientId,
} from '../../src/shared/wire/messages.ts';
import { ATTACHMENTS_MAX_BYTES, StrictPayload } from '../../src/shared/wire/payload.ts';
import type { Route } from '../../src/shared/wire/routes.ts';
import { RECIPIENT_STATUSES } from '../queue/moves.ts';

const PREFIX = '/operator/v1';
const RECIPIENTS_PER_CALL_MAX = 1000;
const IDS_PER_CALL_MAX = 10_000;
const PAGE_MAX = 200;

const Instant = z.iso.datetime();
const Name = z.string().trim().min(1).max(200);
const Uuid = z.uuid();
const UuidParams = z.strictObject({ id: Uuid });
const RecipientParams = z.strictObject({ id: RecipientId });
const Status = z.enum(RECIPIENT_STATUSES);
const Count = z.int().min(0);
/** A query parameter is text; the page size in it is a whole number. */
const PageLimit = z.coerce.number().int().min(1).max(PAGE_MAX).default(50);

// ---- people
const User = z.object({ id: Uuid, name: z.string(), created_at: Instant });
const PairingCode = z.object({ pairing_code: z.string(), expires_at: Instant });
const Agent = z.object({
  id: Uuid,
  user_id: Uuid,
  user_name: z.string(),
  name: z.string(),
  platform: z.string(),
  version: z.string(),
  /** By the database's clock: a heartbeat within max(interval × 3, interval + 180 s). */
  online: z.boolean(),
  desired_state: z.enum(['running', 'paused']),
  revoked: z.boolean(),
  created_at: Instant,
  /** Mails in `sending` with this agent, as the cloud counts them. */
  holding: Count,
  last_heartbeat: z
    .object({
      at: Instant,
      interval_seconds: z.int(),
      state: AgentState,
      why: z.string().nullable(),
      holding: Count,
      sent: Count,
      failed: Count,
      uncertain: Count,
      untold: Count,
    })
    .nullable(),
});
export type Agent = z.infer<typeof Agent>;

// ---- tasks
const NewRecipient = z
  .strictObject({ payload: StrictPayload, not_before: Instant.nullish(), not_after: Instant.nullish() })
  .refine(({ not_before, not_after }) => !not_before || !not_after || Date.parse(not_before) < Date.parse(not_after), {
    message: 'must be later than not_before',
    path: ['not_after'],
  });
export type NewRecipient = z.infer<typeof NewRecipient>;
const NewRecipients = z.array(NewRecipient).max(RECIPIENTS_PER_CALL_MAX);
const Task = z.object({
  id: Uuid,
  user_id: Uuid,
  name: z.string(),
  status: z.enum(['draft', 'sending']),
  created_at: Instant,
  confirmed_at: Instant.nullable(),
  /** Mails by where they stand; `uncertain` ones are among `sending`. */
  counts: z.object({
    total: Count,
    draft: Count,
    queued: Count,
    sending: Count,
    uncertain: Count,
    sent: Count,
    send_failed: Count,
    cancelled: Count,
  }),
});
export type Task = z.infer<typeof Task>;
const AddedRecipients = z.object({ task_id: Uuid, recipient_ids: z.array(RecipientId) });

// ---- recipients
const Recipient = z.object({
  id: RecipientId,
  idempotency_key: z.string(),
  task_id: Uuid,
  task_name: z.string(),
  user_id: Uuid,
  user_name: z.string(),
  to_address: z.string(),
  subject: z.string(),
  status: Status,
  status_since: Instant,
  created_at: Instant,
  not_before: Instant.nullable(),
  not_after: Instant.nullable(),
  agent_id: Uuid.nullable(),
  agent_name: z.string().nullable(),
  attempt: Count,
  begun_at: Instant.nullable(),
  uncertain_since: Instant.nullable(),
  uncertain_reason: z.string().nullable(),
  smtp_message_id: z.string().nullable(),
  error_message: z.string().nullable(),
  resend_of: RecipientId.nullable(),
  /** The latest letter that came back or answered; beside the result, which stays. */
  bounced_at: Instant.nullable(),
  replied_at: Instant.nullable(),
});
export type Recipient = z.infer<typeof Recipient>;
const HistoryEntry = z.object({
  at: Instant,
  actor: z.string(),
  event: z.enum(['created', 'move', 'begin', 'not-sent', 'uncertain', 'bounced', 'replied']),
  from_status: Status.nullable(),
  to_status: Status,
  detail: z.unknown(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;
const FactEntry = z.object({
  kind: z.enum(FACT_KINDS),
  at: Instant,
  told_at: Instant,
  hard: z.boolean().nullable(),
  status_code: z.string().nullable(),
  text: z.string().nullable(),
});
const RecipientWithHistory = Recipient.extend({
  payload: z.unknown(),
  payload_hash: PayloadHash,
  result: z.unknown(),
  resent_as: RecipientId.nullable(),
  history: z.array(HistoryEntry),
  facts: z.array(FactEntry),
});
export type RecipientWithHistory = z.infer<typeof RecipientWithHistory>;
const RecipientPage = z.object({ items: z.array(Recipient), next_after: RecipientId.nullable() });
const RecipientQuery = z.strictObject({
  task_id: Uuid.optional(),
  user_id: Uuid.optional(),
  status: Status.optional(),
  uncertain: z.enum(['true', 'false']).optional(),
  /** Part of the address or the subject, in any case. */
  text: z.string().min(1).max(200).optional(),
  after: RecipientId.optional(),
  limit: PageLimit,
});
export type RecipientQuery = z.infer<typeof RecipientQuery>;
const Which = z.union(
  [z.strictObject({ task_id: Uuid }), z.strictObject({ ids: z.array(RecipientId).min(1).max(IDS_PER_CALL_MAX) })],
  'names either task_id or ids',
);
const Cancelled = z.object({
  /** Will never be sent. */
  stopped: Count,
  /** Had begun, or already had a result. */
  too_late: Count,
  already_cancelled: Count,
});
const Resolve = z
  .strictObject({
    as: z.enum(['sent', 'send_failed']),
    evidence: Evidence.extend({ note: Evidence.shape.note.trim().min(1) }),
    smtp_message_id: z.string().max(998).nullish(),
  })
  .refine((resolve) => resolve.as === 'sent' || !resolve.smtp_message_id, {
    message: 'belongs to a sent mail only',
    path: ['smtp_message_id'],
  });
export type Resolve = z.infer<typeof Resolve>;
const Moved = z.object({ id: RecipientId, status: CloudStatus });

// ---- files
const NewFile = z.strictObject({
  name: z.string().min(1).max(255),
  type: z.string().regex(/^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/, 'is not a media type'),
  content_base64: z.base64().max(Math.ceil(ATTACHMENTS_MAX_BYTES / 3) * 4),
});
export type NewFile = z.infer<typeof NewFile>;
/** The fields of a payload's attachment, as they are. */
const StoredFile = z.object({ name: z.string(), type: z.string(), size: Count, sha256: z.string(), url: z.url() });
export type StoredFile = z.infer<typeof StoredFile>;

const base = { auth: 'operator', problems: ['not-found'] } as const;

/** The operator's JSON API, for the office: everything that is not an agent's business. */
export const OPERATOR_ROUTES = {
  createUser: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/users`,
    summary: 'Add a user',
    request: z.strictObject({ name: Name }),
    reply: User,
  },
  listUsers: {
    ...base,
    method: 'GET',
    path: `${PREFIX}/users`,
    summary: 'All users',
    reply: z.object({ items: z.array(User) }),
  },
  createPairingCode: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/users/:id/pairing-codes`,
    summary: 'A code that pairs one agent with this user within ten minutes',
    params: UuidParams,
    reply: PairingCode,
  },
  uploadFile: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/files`,
    summary: 'Keep a file that payloads can name as attachment',
    request: NewFile,
    reply: StoredFile,
  },
  createTask: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/tasks`,
    summary: 'A draft task with its mails; nothing is sent before it is confirmed',
    request: z.strictObject({ user_id: Uuid, name: Name, recipients: NewRecipients }),
    reply: AddedRecipients,
  },
  addRecipients: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/tasks/:id/recipients`,
    summary: 'More mails for a task that is still a draft',
    params: UuidParams,
    request: z.strictObject({ recipients: NewRecipients.min(1) }),
    reply: AddedRecipients,
    problems: ['not-found', 'illegal-move'],
  },
  confirmTask: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/tasks/:id/confirm`,
    summary: 'Queue all mails of a draft task in one transaction; repeating it changes nothing',
    params: UuidParams,
    reply: Task,
  },
  getTask: {
    ...base,
    method: 'GET',
    path: `${PREFIX}/tasks/:id`,
    summary: 'One task with its counts',
    params: UuidParams,
    reply: Task,
  },
  listTasks: {
    ...base,
    method: 'GET',
    path: `${PREFIX}/tasks`,
    summary: 'The newest tasks with their counts',
    query: z.strictObject({ limit: PageLimit }),
    reply: z.object({ items: z.array(Task) }),
  },
  listRecipients: {
    ...base,
    method: 'GET',
    path: `${PREFIX}/recipients`,
    summary: 'Mails by task, user, status, doubt or text, newest first, page by page',
    query: RecipientQuery,
    reply: RecipientPage,
  },
  listSending: {
    ...base,
    method: 'GET',
    path: `${PREFIX}/sending`,
    summary: 'Mails that hang in `sending`, longest first',
    query: z.strictObject({ limit: PageLimit }),
    reply: z.object({ items: z.array(Recipient) }),
  },
  getRecipient: {
    ...base,
    method: 'GET',
    path: `${PREFIX}/recipients/:id`,
    summary: 'One mail with everything that happened to it',
    params: RecipientParams,
    reply: RecipientWithHistory,
  },
  cancel: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/recipients/cancel`,
    summary: 'Stop every named mail that has not begun; says how many were stopped and how many were too late',
    request: Which,
    reply: Cancelled,
  },
  giveBack: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/recipients/:id/give-back`,
    summary: 'Put a mail that its agent holds and has not begun back into the queue',
    params: RecipientParams,
    reply: Moved,
    problems: ['not-found', 'illegal-move'],
  },
  resolve: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/recipients/:id/resolve`,
    summary: 'Settle an uncertain mail as sent or send_failed, with the evidence',
    params: RecipientParams,
    request: Resolve,
    reply: Moved,
    problems: ['not-found', 'illegal-move'],
  },
  sendAgain: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/recipients/:id/send-again`,
    summary: 'A new mail with a new key and the same payload, for one that failed or was cancelled; once for each mail',
    params: RecipientParams,
    reply: z.object({ id: RecipientId, idempotency_key: z.string(), resend_of: RecipientId }),
    problems: ['not-found', 'illegal-move'],
  },
  listAgents: {
    ...base,
    method: 'GET',
    path: `${PREFIX}/agents`,
    summary: 'All agents, online or offline',
    reply: z.object({ items: z.array(Agent) }),
  },
  pauseAgent: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/agents/:id/pause`,
    summary: 'Ask an agent to start no mail; it hears of it with its next heartbeat',
    params: UuidParams,
    reply: Agent,
  },
  resumeAgent: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/agents/:id/resume`,
    summary: 'Take a pause back',
    params: UuidParams,
    reply: Agent,
  },
  revokeAgent: {
    ...base,
    method: 'POST',
    path: `${PREFIX}/agents/:id/revoke`,
    summary: 'Refuse the token of this agent from now on, within seconds; mails it has begun become uncertain',
    params: UuidParams,
    reply: Agent,
  },
} as const satisfies Record<string, Route>;

export type OperatorRouteName = keyof typeof OPERATOR_ROUTES;
