import { HOLD_KINDS } from '../../core/hold.ts';
import type { StateKind } from '../../core/mail-state.ts';
import { farthestWaitMs } from '../../core/waits.ts';
import { type Ledger, type LedgerCounts, type LedgerMail, type OutboxRow, TASKS_MAX } from '../../engine/ports.ts';
import type { SqlDriver } from './driver.ts';
import {
  ATTEMPT_COLUMNS,
  attemptOf,
  claimOf,
  countOf,
  endedOutboxOf,
  FACT_COLUMNS,
  factOf,
  HEAD_COLUMNS,
  headOf,
  heldAddressOf,
  holdOf,
  idOf,
  MAIL_COLUMNS,
  mailOf,
  namedOf,
  numberOf,
  OUTBOX_COLUMNS,
  outboxOf,
  payloadOf,
  STATE_KINDS,
  settingOf,
  submissionOf,
  taskOf,
} from './rows.ts';

/** The ledger without its pen. */
export type LedgerReads = Omit<Ledger, 'commit' | 'close'>;

const FROM_MAIL = 'FROM mail JOIN payload ON payload.mail_id = mail.id';
const HELD = `state IN ('claimed', 'attempting', 'handed-over', 'uncertain')`;

/** Every reading statement by name; the plan of each is checked in the tests. */
export const READS = {
  mail: `SELECT ${MAIL_COLUMNS} ${FROM_MAIL} WHERE mail.id = ?`,
  /** Or put off into the far future by a clock that ran ahead. */
  nextDue: `SELECT ${HEAD_COLUMNS} FROM mail WHERE due_at_ms IS NOT NULL
    AND (due_at_ms <= ? OR (due_at_ms > ? AND retry_at_ms > ? AND coalesce(not_before_ms, 0) <= ?))
    ORDER BY claim_order LIMIT 1`,
  payload: `SELECT payload, mail_id AS "id" FROM payload WHERE mail_id = ?`,
  nextDueAtMs: `SELECT min(due_at_ms) AS "value" FROM mail WHERE due_at_ms IS NOT NULL`,
  dueAfter: `SELECT count(*) AS "value" FROM mail WHERE due_at_ms > ?`,
  held: `SELECT ${MAIL_COLUMNS} FROM mail INDEXED BY mail_held JOIN payload ON payload.mail_id = mail.id
    WHERE ${HELD} ORDER BY claim_order LIMIT ?`,
  heldIds: `SELECT id FROM mail INDEXED BY mail_held WHERE ${HELD} ORDER BY claim_order LIMIT ?`,
  /** One arm a state, so that each comes sorted out of the index and the page is merged from them. */
  list: `WITH page AS MATERIALIZED (
    ${STATE_KINDS.map(() => `SELECT changed_at_ms AS at, claim_order AS place FROM mail WHERE state = ?`).join(' UNION ALL ')}
    ORDER BY at DESC, place DESC LIMIT ? OFFSET ?)
    SELECT ${MAIL_COLUMNS} FROM page CROSS JOIN mail ON claim_order = place JOIN payload ON payload.mail_id = mail.id
    ORDER BY at DESC, place DESC`,
  attempts: `SELECT ${ATTEMPT_COLUMNS} FROM attempt WHERE mail_id = ? ORDER BY seq`,
  counts: `SELECT state, count(*) AS "count" FROM mail GROUP BY state`,
  untoldCount: `SELECT count(*) AS "value" FROM outbox WHERE ended IS NULL`,
  conflictCount: `SELECT count(*) AS "value" FROM outbox WHERE ended = 'conflict' AND seen_at_ms IS NULL`,
  tasks: `WITH shown AS (
      SELECT task_id FROM mail WHERE state IN ('claimed', 'attempting', 'handed-over')
      UNION SELECT task_id FROM mail WHERE state IN ('sent', 'failed', 'uncertain') AND changed_at_ms >= ?
      UNION SELECT task_id FROM told_task WHERE queued > 0)
    SELECT shown.task_id AS "taskId", coalesce(told.name, max(task_name), '') AS "name",
      coalesce(sum(state IN ('claimed', 'attempting', 'handed-over')), 0) AS "open",
      coalesce(sum(state = 'sent'), 0) AS "sent", coalesce(sum(state = 'failed'), 0) AS "failed",
      coalesce(sum(state = 'uncertain'), 0) AS "uncertain",
      told.total, told.queued, told.sent AS "toldSent", told.failed AS "toldFailed"
    FROM shown LEFT JOIN mail ON mail.task_id = shown.task_id AND state NOT IN ('released', 'cancelled')
      LEFT JOIN told_task AS told ON told.task_id = shown.task_id
    GROUP BY shown.task_id ORDER BY coalesce(max(changed_at_ms), 0) DESC, shown.task_id LIMIT ?`,
  /** The oldest untold report of each mail: a mail's reports are told in their order. */
  untold: `SELECT min(seq) AS "value" FROM outbox WHERE ended IS NULL GROUP BY mail_id`,
  report: `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE seq = ? AND (next_try_at_ms <= ? OR next_try_at_ms > ?)`,
  nextUntoldAtMs: `SELECT min(next_try_at_ms) AS "value" FROM outbox
    WHERE seq IN (SELECT min(seq) FROM outbox WHERE ended IS NULL GROUP BY mail_id)`,
  reportFor: `SELECT ${OUTBOX_COLUMNS}, ended FROM outbox WHERE mail_id = ? AND route <> 'fact' AND (? IS NULL OR nonce = ?)
    ORDER BY seq DESC LIMIT 1`,
  openClaim: `SELECT claim_id AS "claimId", asked_at_ms AS "askedAtMs" FROM claim ORDER BY seq LIMIT 1`,
  holds: `SELECT kind, since_ms AS "sinceMs", until_ms AS "untilMs", text, repeat FROM hold`,
  recentSubmissions: `SELECT submitted_at_ms AS "value" FROM attempt WHERE submitted_at_ms <= ?
    ORDER BY submitted_at_ms DESC LIMIT ?`,
  submissionsSince: `SELECT submitted_at_ms AS "atMs", mail_id AS "mailId" FROM attempt INDEXED BY attempt_submitted
    WHERE submitted_at_ms >= ? ORDER BY submitted_at_ms DESC LIMIT ?`,
  lastSubmissionBefore: `SELECT max(submitted_at_ms) AS "value" FROM attempt WHERE submitted_at_ms < ?`,
  recentEnds: `SELECT ${ATTEMPT_COLUMNS} FROM attempt WHERE ended_at_ms IS NOT NULL ORDER BY seq DESC LIMIT ?`,
  facts: `SELECT ${FACT_COLUMNS} FROM fact WHERE mail_id = ? ORDER BY seq`,
  mailNamed: `SELECT mail_id AS "mailId" FROM mail_name WHERE message_id = ?`,
  lackingCopy: `SELECT ${MAIL_COLUMNS} ${FROM_MAIL} WHERE state = 'sent' AND changed_at_ms > ?
    AND NOT EXISTS (SELECT 1 FROM sent_copy WHERE sent_copy.mail_id = mail.id)
    ORDER BY changed_at_ms, claim_order LIMIT ?`,
  heldAddress: `SELECT address, since_ms AS "sinceMs", mail_id AS "mailId", text FROM held_address WHERE address = ?`,
  heldAddresses: `SELECT address, since_ms AS "sinceMs", mail_id AS "mailId", text FROM held_address
    ORDER BY since_ms DESC, address LIMIT ?`,
  setting: `SELECT key, value FROM setting WHERE key = ?`,
} as const;

/** `driver` answers the open database, or throws why there is none. */
export function ledgerReads(driver: () => SqlDriver): LedgerReads {
  // The next mail is read several times before its turn comes, and its payload never changes.
  let due: { readonly id: string; readonly payload: unknown } | null = null;
  const withPayload = (head: Omit<LedgerMail, 'payload'>): LedgerMail => {
    if (due?.id !== head.id) due = { id: head.id, payload: payloadOf(driver().get(READS.payload, [head.id])) };
    return { ...head, payload: due.payload };
  };
  return {
    mail: (id) => optional(driver().get(READS.mail, [id]), mailOf),
    nextDue: (nowMs) => {
      const farMs = farthestWaitMs(nowMs);
      return optional(driver().get(READS.nextDue, [nowMs, farMs, farMs, nowMs]), (row) => withPayload(headOf(row)));
    },
    nextDueAtMs: () => numberOf(driver().get(READS.nextDueAtMs), 'mail'),
    dueAfter: (atMs) => numberOf(driver().get(READS.dueAfter, [atMs]), 'mail') ?? 0,
    held: (limit) => driver().all(READS.held, [limit]).map(mailOf),
    heldIds: (limit) => driver().all(READS.heldIds, [limit]).map(idOf),
    list: ({ kinds, limit, offset }) => {
      const wanted: readonly StateKind[] = kinds ?? STATE_KINDS;
      const arms = STATE_KINDS.map((kind) => (wanted.includes(kind) ? kind : null));
      return driver()
        .all(READS.list, [...arms, limit, offset])
        .map(mailOf);
    },
    attempts: (mailId) => driver().all(READS.attempts, [mailId]).map(attemptOf),
    counts: () => counts(driver()),
    tasks: (sinceMs) => driver().all(READS.tasks, [sinceMs, TASKS_MAX]).map(taskOf),
    untold: (nowMs, limit) => untold(driver(), nowMs, limit),
    nextUntoldAtMs: () => numberOf(driver().get(READS.nextUntoldAtMs), 'outbox'),
    reportFor: (mailId, nonce) => optional(driver().get(READS.reportFor, [mailId, nonce, nonce]), endedOutboxOf),
    openClaim: () => optional(driver().get(READS.openClaim), claimOf),
    holds: () =>
      driver()
        .all(READS.holds)
        .map(holdOf)
        .sort((a, b) => HOLD_KINDS.indexOf(a.kind) - HOLD_KINDS.indexOf(b.kind)),
    facts: (mailId) => driver().all(READS.facts, [mailId]).map(factOf),
    mailNamed: (messageId) => optional(driver().get(READS.mailNamed, [messageId]), namedOf),
    lackingCopy: (sinceMs, limit) => driver().all(READS.lackingCopy, [sinceMs, limit]).map(mailOf),
    heldAddress: (address) => optional(driver().get(READS.heldAddress, [address]), heldAddressOf),
    heldAddresses: (limit) => driver().all(READS.heldAddresses, [limit]).map(heldAddressOf),
    recentSubmissions: (limit, nowMs) =>
      driver()
        .all(READS.recentSubmissions, [farthestWaitMs(nowMs), limit])
        .map((row) => numberOf(row, 'attempt') ?? 0),
    submissionsSince: (sinceMs, limit) => driver().all(READS.submissionsSince, [sinceMs, limit]).map(submissionOf),
    submissionDays: (sinceMs) => submissionDays(driver(), sinceMs),
    recentEnds: (limit) => driver().all(READS.recentEnds, [limit]).map(attemptOf),
    setting: (key) => {
      const row = driver().get(READS.setting, [key]);
      return row === undefined ? undefined : settingOf(row);
    },
  };
}

const DAY_MS = 86_400_000;
const DAYS_MAX = 100;

/** From day to day through the index: a year of mails has many rows and few days. */
function submissionDays(driver: SqlDriver, sinceMs: number): readonly number[] {
  const days: number[] = [];
  let beforeMs = Number.MAX_SAFE_INTEGER;
  while (days.length < DAYS_MAX) {
    const atMs = numberOf(driver.get(READS.lastSubmissionBefore, [beforeMs]), 'attempt');
    if (atMs === null || atMs < sinceMs) break;
    const day = Math.floor(atMs / DAY_MS);
    days.push(day);
    beforeMs = day * DAY_MS;
  }
  return days;
}

/** In two steps: joined in one statement SQLite builds a table for each call, which costs ten times the rest. */
function untold(driver: SqlDriver, nowMs: number, limit: number): OutboxRow[] {
  const seqs = driver.all(READS.untold).map((row) => numberOf(row, 'outbox') ?? 0);
  seqs.sort((a, b) => a - b);
  const rows: OutboxRow[] = [];
  for (const seq of seqs) {
    if (rows.length >= limit) break;
    const row = driver.get(READS.report, [seq, nowMs, farthestWaitMs(nowMs)]);
    if (row !== undefined) rows.push(outboxOf(row));
  }
  return rows;
}

function counts(driver: SqlDriver): LedgerCounts {
  return {
    claimed: 0,
    attempting: 0,
    'handed-over': 0,
    sent: 0,
    failed: 0,
    uncertain: 0,
    cancelled: 0,
    released: 0,
    ...Object.fromEntries(driver.all(READS.counts).map(countOf)),
    untold: numberOf(driver.get(READS.untoldCount), 'outbox') ?? 0,
    conflicts: numberOf(driver.get(READS.conflictCount), 'outbox') ?? 0,
  };
}

function optional<T>(row: unknown, parse: (row: unknown) => T): T | null {
  return row === undefined ? null : parse(row);
}
