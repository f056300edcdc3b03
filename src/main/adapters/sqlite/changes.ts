import { assertNever, err, ok, type Result } from '../../../shared/result.ts';
import { factRequest } from '../../core/facts.ts';
import type { MailEvent, MailFacts, MailState, Report } from '../../core/mail-state.ts';
import { step } from '../../core/step.ts';
import type { LedgerChange, LedgerFailure, NewMail, ReportEnd } from '../../engine/ports.ts';
import { recordEvent } from './attempt-rows.ts';
import type { SqlDriver, SqlValue } from './driver.ts';
import { FACTS_COLUMNS, factsOf } from './rows.ts';

type Done = Result<void, LedgerFailure>;
const DONE: Done = ok(undefined);

const SQL = {
  addClaim: `INSERT INTO claim (claim_id, asked_at_ms) VALUES (?, ?) ON CONFLICT (claim_id) DO NOTHING`,
  closeClaim: `DELETE FROM claim WHERE claim_id = ?`,
  facts: `SELECT ${FACTS_COLUMNS} FROM mail WHERE id = ?`,
  namesakes: `SELECT ${FACTS_COLUMNS} FROM mail WHERE id = ? OR idempotency_key = ?`,
  addMail: `INSERT INTO mail (id, idempotency_key, payload_hash, task_id, task_name, not_before_ms, not_after_ms,
    claimed_at_ms, changed_at_ms, state, attempt, retry_at_ms, state_nonce, due_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  addPayload: `INSERT INTO payload (mail_id, payload) VALUES (?, ?)`,
  takeUp: `UPDATE mail SET task_id = ?, task_name = ?, not_before_ms = ?, not_after_ms = ?, claimed_at_ms = ?,
    claim_order = (SELECT max(claim_order) + 1 FROM mail) WHERE id = ?`,
  move: `UPDATE mail SET changed_at_ms = ?, state = ?, attempt = ?, retry_at_ms = ?, state_nonce = ?, due_at_ms = ?
    WHERE id = ?`,
  addReport: `INSERT INTO outbox (mail_id, route, body, nonce, written_at_ms, tries, next_try_at_ms)
    VALUES (?, ?, ?, ?, ?, 0, 0)`,
  knownReport: `SELECT seq FROM outbox WHERE seq = ?`,
  endReport: `UPDATE outbox SET ended = ?, ended_at_ms = ?, problem = ?, stored = ? WHERE seq = ? AND ended IS NULL`,
  postponeReport: `UPDATE outbox SET tries = tries + 1, next_try_at_ms = ? WHERE seq = ? AND ended IS NULL`,
  addFact: `INSERT INTO fact (mail_id, id, kind, at_ms, hard, status, text) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (mail_id, id) DO NOTHING`,
  nameMail: `INSERT INTO mail_name (message_id, mail_id) VALUES (?, ?) ON CONFLICT (message_id) DO NOTHING`,
  endCopy: `INSERT INTO sent_copy (mail_id, ended, at_ms) VALUES (?, ?, ?) ON CONFLICT (mail_id) DO NOTHING`,
  holdAddress: `INSERT INTO held_address (address, since_ms, mail_id, text) VALUES (?, ?, ?, ?)
    ON CONFLICT (address) DO NOTHING`,
  liftAddress: `DELETE FROM held_address WHERE address = ?`,
  reopenReport: `UPDATE outbox SET ended = NULL, ended_at_ms = NULL, problem = NULL, stored = NULL, seen_at_ms = NULL,
    next_try_at_ms = 0 WHERE seq = ?`,
  setHold: `INSERT INTO hold (kind, since_ms, until_ms, text, repeat) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (kind) DO UPDATE SET since_ms = excluded.since_ms, until_ms = excluded.until_ms,
    text = excluded.text, repeat = excluded.repeat`,
  liftHold: `DELETE FROM hold WHERE kind = ?`,
  emptyQueues: `UPDATE told_task SET queued = 0 WHERE queued > 0`,
  tellTask: `INSERT INTO told_task (task_id, name, total, queued, sent, failed) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (task_id) DO UPDATE SET name = excluded.name, total = excluded.total, queued = excluded.queued,
    sent = excluded.sent, failed = excluded.failed`,
  seeFailure: `UPDATE mail SET seen_at_ms = ? WHERE id = ? AND state = 'failed'`,
  seeConflict: `UPDATE outbox SET seen_at_ms = ? WHERE mail_id = ? AND ended = 'conflict' AND seen_at_ms IS NULL`,
  set: `INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  unset: `DELETE FROM setting WHERE key = ?`,
} as const;

/** Makes one change inside the open transaction. Throws what SQLite throws, and for a report that does not exist. */
export function applyChange(driver: SqlDriver, change: LedgerChange): Done {
  switch (change.kind) {
    case 'claim-asked':
      driver.run(SQL.addClaim, [change.claimId, change.atMs]);
      return DONE;
    case 'mails-claimed':
      return enterMails(driver, change);
    case 'mail': {
      const row = driver.get(SQL.facts, [change.mailId]);
      if (row === undefined) return err({ kind: 'unknown-mail', mailId: change.mailId });
      return moveMail(driver, factsOf(row), change.event, change.atMs);
    }
    case 'report-ended':
      // The first end stands: a report is never told to have ended in two ways.
      return toReport(driver, change.seq, SQL.endReport, [change.end.kind, change.atMs, ...answerOf(change.end)]);
    case 'report-postponed':
      return toReport(driver, change.seq, SQL.postponeReport, [change.untilMs]);
    case 'report-reopened':
      return toReport(driver, change.seq, SQL.reopenReport, []);
    case 'fact':
      return addFact(driver, change);
    case 'mail-named':
      return ofKnownMail(driver, change.mailId, SQL.nameMail, [change.messageId, change.mailId]);
    case 'copy-ended':
      return ofKnownMail(driver, change.mailId, SQL.endCopy, [change.mailId, change.end, change.atMs]);
    case 'address-held': {
      const { address, sinceMs, mailId, text } = change.held;
      return ofKnownMail(driver, mailId, SQL.holdAddress, [address, sinceMs, mailId, text]);
    }
    case 'address-lifted':
      driver.run(SQL.liftAddress, [change.address]);
      return DONE;
    case 'hold-set': {
      const { kind, sinceMs, untilMs, text, repeat } = change.hold;
      driver.run(SQL.setHold, [kind, sinceMs, untilMs, text, repeat]);
      return DONE;
    }
    case 'hold-lifted':
      driver.run(SQL.liftHold, [change.holdKind]);
      return DONE;
    case 'tasks-told':
      driver.run(SQL.emptyQueues, []);
      for (const { id, name, total, queued, sent, failed } of change.tasks) {
        driver.run(SQL.tellTask, [id, name, total, queued, sent, failed]);
      }
      return DONE;
    case 'seen': {
      const see = change.what === 'failure' ? SQL.seeFailure : SQL.seeConflict;
      for (const mailId of change.mailIds) driver.run(see, [change.atMs, mailId]);
      return DONE;
    }
    case 'setting':
      if (change.value === undefined) driver.run(SQL.unset, [change.key]);
      else driver.run(SQL.set, [change.key, JSON.stringify(change.value)]);
      return DONE;
    default:
      return assertNever(change);
  }
}

function enterMails(driver: SqlDriver, change: Extract<LedgerChange, { kind: 'mails-claimed' }>): Done {
  // A sync closes no claim: no row has null for its id.
  driver.run(SQL.closeClaim, [change.claimId]);
  for (const mail of change.mails) {
    const done = enterMail(driver, mail, change.atMs);
    if (!done.ok) return done;
  }
  return DONE;
}

function enterMail(driver: SqlDriver, mail: NewMail, atMs: number): Done {
  const known = driver.all(SQL.namesakes, [mail.id, mail.idempotencyKey]).map(factsOf);
  const same = (facts: MailFacts) =>
    facts.id === mail.id && facts.idempotencyKey === mail.idempotencyKey && facts.payloadHash === mail.payloadHash;
  if (!known.every(same)) return err({ kind: 'key-conflict', mailId: mail.id });
  const [facts] = known;
  if (facts === undefined) {
    addMail(driver, mail, atMs);
    return DONE;
  }
  if (facts.state.kind !== 'released') return DONE;
  // It is claimed anew: in today's order, and within the times that hold today.
  const { taskId, taskName, notBeforeMs, notAfterMs, claimedAtMs } = mail;
  driver.run(SQL.takeUp, [taskId, taskName, notBeforeMs, notAfterMs, claimedAtMs, mail.id]);
  return moveMail(driver, { ...facts, notBeforeMs }, { kind: 'reclaimed' }, atMs);
}

function addMail(driver: SqlDriver, mail: NewMail, atMs: number): void {
  const state: MailState = { kind: 'claimed', attempt: 0, retryAtMs: 0, settlingNonce: null };
  driver.run(SQL.addMail, [
    mail.id,
    mail.idempotencyKey,
    mail.payloadHash,
    mail.taskId,
    mail.taskName,
    mail.notBeforeMs,
    mail.notAfterMs,
    mail.claimedAtMs,
    atMs,
    ...stateColumns(state, mail.notBeforeMs),
  ]);
  driver.run(SQL.addPayload, [mail.id, JSON.stringify(mail.payload) ?? 'null']);
}

function moveMail(
  driver: SqlDriver,
  mail: MailFacts & { readonly notBeforeMs: number | null },
  event: MailEvent,
  atMs: number,
): Done {
  const moved = step(mail, event);
  if (!moved.ok) return err({ kind: 'illegal', mailId: mail.id, move: moved.error });
  const { state, report } = moved.value;
  // The very same state: the event had its effect already, and its first instant stands.
  if (state === mail.state) return DONE;
  driver.run(SQL.move, [atMs, ...stateColumns(state, mail.notBeforeMs), mail.id]);
  recordEvent(driver, mail.id, event, atMs);
  if (report !== null) addReport(driver, mail.id, report, atMs);
  return DONE;
}

/** state, attempt, retry_at_ms, state_nonce, due_at_ms. */
function stateColumns(state: MailState, notBeforeMs: number | null): SqlValue[] {
  switch (state.kind) {
    case 'claimed': {
      const dueAtMs = state.settlingNonce === null ? Math.max(state.retryAtMs, notBeforeMs ?? 0) : null;
      return [state.kind, state.attempt, state.retryAtMs, state.settlingNonce, dueAtMs];
    }
    case 'uncertain':
      return [state.kind, state.attempt, null, state.nonce, null];
    default:
      return [state.kind, state.attempt, null, null, null];
  }
}

function ofKnownMail(driver: SqlDriver, mailId: string, sql: string, values: readonly SqlValue[]): Done {
  if (driver.get(SQL.facts, [mailId]) === undefined) return err({ kind: 'unknown-mail', mailId });
  driver.run(sql, values);
  return DONE;
}

/** A fact that is known already changes nothing and is not told anew. */
function addFact(driver: SqlDriver, { mailId, fact, atMs }: Extract<LedgerChange, { kind: 'fact' }>): Done {
  const row = driver.get(SQL.facts, [mailId]);
  if (row === undefined) return err({ kind: 'unknown-mail', mailId });
  const words = fact.kind === 'bounced' ? [fact.hard ? 1 : 0, fact.status, fact.text] : [null, null, null];
  const { changes } = driver.run(SQL.addFact, [mailId, fact.id, fact.kind, fact.atMs, ...words]);
  if (changes === 1) addReport(driver, mailId, { route: 'fact', body: factRequest(factsOf(row), fact) }, atMs);
  return DONE;
}

function addReport(driver: SqlDriver, mailId: string, report: Report, atMs: number): void {
  const nonce = report.route === 'fact' ? null : report.body.nonce;
  driver.run(SQL.addReport, [mailId, report.route, JSON.stringify(report.body), nonce, atMs]);
}

function toReport(driver: SqlDriver, seq: number, sql: string, values: readonly SqlValue[]): Done {
  const { changes } = driver.run(sql, [...values, seq]);
  if (changes === 0 && driver.get(SQL.knownReport, [seq]) === undefined) throw new Error(`there is no report ${seq}`);
  return DONE;
}

/** problem, stored. */
function answerOf(end: ReportEnd): SqlValue[] {
  switch (end.kind) {
    case 'told':
      return [null, null];
    case 'refused':
      return [end.problem, null];
    case 'conflict':
      return [end.problem, JSON.stringify(end.stored) ?? 'null'];
  }
}
