import { z } from 'zod';
import { ReplyClass, Stage } from '../../../shared/wire/messages.ts';
import type { Fact, HeldAddress } from '../../core/facts.ts';
import { HOLD_KINDS, type Hold } from '../../core/hold.ts';
import type { MailFacts, MailState, StateKind } from '../../core/mail-state.ts';
import type { TaskCounts } from '../../core/progress.ts';
import type { AttemptRow, LedgerMail, OutboxRow, ReportEnd } from '../../engine/ports.ts';

export const STATE_KINDS = [
  'claimed',
  'attempting',
  'handed-over',
  'sent',
  'failed',
  'uncertain',
  'cancelled',
  'released',
] as const satisfies readonly StateKind[];

/** A row that is not what the schema promises: damage that quick_check does not see. */
class BadRow extends Error {
  constructor(table: string, key: string, cause: unknown) {
    super(`the ledger's table ${table} holds a row that cannot be read: ${key}`, { cause });
    this.name = 'BadRow';
  }
}

const KEY_MAX_CHARS = 100;

/** A key as an error may name it: whatever stands there, and however long it is. */
const nameOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, KEY_MAX_CHARS) : 'unknown';

/** Parses one row; `key` is the column that names it in the error. */
function parseRow<T>(schema: z.ZodType<T>, row: unknown, table: string, key: string): T {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  const name =
    typeof row === 'object' && row !== null && key in row ? Object.entries(row).find(([k]) => k === key) : null;
  throw new BadRow(table, `${key} ${nameOf(name?.[1])}`, parsed.error);
}

const Ms = z.int();
const NullableMs = Ms.nullable();
const NullableText = z.string().nullable();
const Attempt = z.int().min(0);

/** A column that holds JSON. */
const Json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});

const StateRow = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('claimed'), attempt: Attempt, retryAtMs: Ms, stateNonce: NullableText }),
    z.object({ state: z.literal('uncertain'), attempt: Attempt, stateNonce: NullableText }),
    z.object({ state: z.enum(STATE_KINDS).exclude(['claimed', 'uncertain']), attempt: Attempt }),
  ])
  .transform((row): MailState => {
    switch (row.state) {
      case 'claimed':
        return { kind: row.state, attempt: row.attempt, retryAtMs: row.retryAtMs, settlingNonce: row.stateNonce };
      case 'uncertain':
        return { kind: row.state, attempt: row.attempt, nonce: row.stateNonce };
      default:
        return { kind: row.state, attempt: row.attempt };
    }
  });

export const FACTS_COLUMNS = `mail.id AS "id", idempotency_key AS "idempotencyKey", payload_hash AS "payloadHash",
  state, attempt, retry_at_ms AS "retryAtMs", state_nonce AS "stateNonce", not_before_ms AS "notBeforeMs"`;
const FactsRow = z.object({
  id: z.string(),
  idempotencyKey: z.string(),
  payloadHash: z.string(),
  notBeforeMs: NullableMs,
});

/** A mail as a move needs it. */
export function factsOf(row: unknown): MailFacts & { readonly notBeforeMs: number | null } {
  const facts = parseRow(FactsRow, row, 'mail', 'id');
  return { ...facts, state: parseRow(StateRow, row, 'mail', 'id') };
}

export const HEAD_COLUMNS = `${FACTS_COLUMNS}, task_id AS "taskId", task_name AS "taskName",
  not_after_ms AS "notAfterMs", claimed_at_ms AS "claimedAtMs", changed_at_ms AS "changedAtMs"`;
const HeadRow = FactsRow.extend({
  taskId: z.string(),
  taskName: z.string(),
  notAfterMs: NullableMs,
  claimedAtMs: Ms,
  changedAtMs: Ms,
});

/** A mail without its payload. */
export function headOf(row: unknown): Omit<LedgerMail, 'payload'> {
  const head = parseRow(HeadRow, row, 'mail', 'id');
  return { ...head, state: parseRow(StateRow, row, 'mail', 'id') };
}

const IdRow = z.object({ id: z.string() });
export const idOf = (row: unknown): string => parseRow(IdRow, row, 'mail', 'id').id;

const PayloadRow = z.object({ payload: Json });
export const payloadOf = (row: unknown): unknown => parseRow(PayloadRow, row, 'payload', 'id').payload;

export const MAIL_COLUMNS = `${HEAD_COLUMNS}, payload`;
export const mailOf = (row: unknown): LedgerMail => ({ ...headOf(row), payload: payloadOf(row) });

export const ATTEMPT_COLUMNS = `mail_id AS "mailId", attempt, started_at_ms AS "startedAtMs",
  handed_over_at_ms AS "handedOverAtMs", ended_at_ms AS "endedAtMs", outcome, nonce,
  stage, class, message, code, enhanced, reply_text AS "replyText"`;
const AttemptColumns = z.object({
  mailId: z.string(),
  attempt: Attempt,
  startedAtMs: Ms,
  handedOverAtMs: NullableMs,
  endedAtMs: NullableMs,
  outcome: z.enum(['accepted', 'refused', 'not-sent', 'lost']).nullable(),
  nonce: NullableText,
  stage: Stage.nullable(),
  class: ReplyClass.nullable(),
  message: NullableText,
  code: z.int().nullable(),
  enhanced: NullableText,
  replyText: NullableText,
});

export function attemptOf(row: unknown): AttemptRow {
  const {
    stage,
    class: replyClass,
    message,
    code,
    enhanced,
    replyText,
    ...times
  } = parseRow(AttemptColumns, row, 'attempt', 'mailId');
  const reply = code === null ? null : { code, enhanced, text: replyText ?? '' };
  const failure =
    stage === null || replyClass === null ? null : { stage, class: replyClass, reply, message: message ?? '' };
  return { ...times, failure, reply };
}

export const OUTBOX_COLUMNS = `seq, mail_id AS "mailId", route, body, nonce, tries`;
const OutboxColumns = z.object({
  seq: z.int(),
  mailId: z.string(),
  route: z.enum(['result', 'notSent', 'fact']),
  body: z.string(),
  nonce: NullableText,
  tries: z.int(),
});
const EndedColumns = OutboxColumns.extend({ ended: z.enum(['told', 'conflict', 'refused']).nullable() });

export const outboxOf = (row: unknown): OutboxRow => parseRow(OutboxColumns, row, 'outbox', 'seq');
export const endedOutboxOf = (row: unknown): OutboxRow & { readonly ended: ReportEnd['kind'] | null } =>
  parseRow(EndedColumns, row, 'outbox', 'seq');

const HoldRow = z.object({
  kind: z.enum(HOLD_KINDS),
  sinceMs: Ms,
  untilMs: NullableMs,
  text: z.string(),
  repeat: z.int(),
});
export const holdOf = (row: unknown): Hold => parseRow(HoldRow, row, 'hold', 'kind');

export const FACT_COLUMNS = `id, kind, at_ms AS "atMs", hard, status, text`;
const factFields = { id: z.string(), atMs: Ms };
const FactRow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('replied'), ...factFields }),
  z.object({
    kind: z.literal('bounced'),
    ...factFields,
    hard: z.int().transform((hard) => hard === 1),
    status: NullableText,
    text: z.string(),
  }),
]);
export const factOf = (row: unknown): Fact => parseRow(FactRow, row, 'fact', 'id');

const HeldAddressRow = z.object({ address: z.string(), sinceMs: Ms, mailId: z.string(), text: z.string() });
export const heldAddressOf = (row: unknown): HeldAddress => parseRow(HeldAddressRow, row, 'held_address', 'mailId');

const NameRow = z.object({ mailId: z.string() });
export const namedOf = (row: unknown): string => parseRow(NameRow, row, 'mail_name', 'mailId').mailId;

const ClaimRow = z.object({ claimId: z.string(), askedAtMs: Ms });
export const claimOf = (row: unknown): z.infer<typeof ClaimRow> => parseRow(ClaimRow, row, 'claim', 'claimId');

const SubmissionRow = z.object({ atMs: Ms, mailId: z.string() });
export const submissionOf = (row: unknown): z.infer<typeof SubmissionRow> =>
  parseRow(SubmissionRow, row, 'attempt', 'mailId');

/** A setting that is no JSON comes out as the text it is: no schema takes it, so its name is told and it is asked anew. */
const SettingJson = z.string().transform((text): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
});
const SettingRow = z.object({ key: z.string(), value: SettingJson });
export const settingOf = (row: unknown): unknown => parseRow(SettingRow, row, 'setting', 'key').value;

const CountColumn = z.int().min(0);
/** All of them or none: the cloud tells them together. */
const ToldCounts = z.object({ total: z.int(), queued: z.int(), sent: z.int(), failed: z.int() });
const TaskRow = z
  .object({
    taskId: z.string(),
    name: z.string(),
    open: CountColumn,
    sent: CountColumn,
    failed: CountColumn,
    uncertain: CountColumn,
    total: CountColumn.nullable(),
    queued: CountColumn.nullable(),
    toldSent: CountColumn.nullable(),
    toldFailed: CountColumn.nullable(),
  })
  .transform(({ total, queued, toldSent, toldFailed, ...here }): TaskCounts => {
    const told = ToldCounts.safeParse({ total, queued, sent: toldSent, failed: toldFailed });
    return { ...here, told: told.success ? told.data : null };
  });
export const taskOf = (row: unknown): TaskCounts => parseRow(TaskRow, row, 'told_task', 'taskId');

const NumberRow = z.object({ value: z.int().nullable() });
/** A row of one column `value`; `what` names it in the error. */
export const numberOf = (row: unknown, what: string): number | null => parseRow(NumberRow, row, what, 'value').value;

const CountRow = z.object({ state: z.enum(STATE_KINDS), count: z.int() });
export function countOf(row: unknown): readonly [StateKind, number] {
  const { state, count } = parseRow(CountRow, row, 'mail', 'state');
  return [state, count];
}
