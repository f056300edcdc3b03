import { assertNever } from '../../../shared/result.ts';
import type { SmtpReply } from '../../../shared/wire/messages.ts';
import type { Failure, MailEvent } from '../../core/mail-state.ts';
import type { AttemptRow } from '../../engine/ports.ts';
import type { SqlDriver } from './driver.ts';

const SQL = {
  start: `INSERT INTO attempt (mail_id, attempt, started_at_ms) VALUES (?, ?, ?)`,
  handOver: `UPDATE attempt SET handed_over_at_ms = ?, submitted_at_ms = ? WHERE mail_id = ? AND ended_at_ms IS NULL`,
  end: `UPDATE attempt SET ended_at_ms = ?, outcome = ?, nonce = ?, stage = ?, class = ?, message = ?, code = ?,
    enhanced = ?, reply_text = ? WHERE mail_id = ? AND ended_at_ms IS NULL`,
  notSubmitted: `UPDATE attempt SET submitted_at_ms = NULL WHERE mail_id = ? AND ended_at_ms IS NULL`,
  stop: `UPDATE attempt SET ended_at_ms = ? WHERE mail_id = ? AND ended_at_ms IS NULL`,
  /** For a mail that ended while no attempt ran: the timeline still says why. */
  addEnded: `INSERT INTO attempt (mail_id, attempt, started_at_ms, ended_at_ms, outcome, nonce, stage, class, message,
    code, enhanced, reply_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
} as const;

type Verdict = {
  readonly attempt: number;
  readonly outcome: NonNullable<AttemptRow['outcome']>;
  readonly nonce: string | null;
  readonly failure: Failure | null;
  readonly reply: SmtpReply | null;
  /** Whether the server may have the whole mail: what counts for the pace. */
  readonly mayHaveArrived: boolean;
};

/** Writes what an event means for the mail's timeline. A nonce is written together with the outcome, never before. */
export function recordEvent(driver: SqlDriver, mailId: string, event: MailEvent, atMs: number): void {
  switch (event.kind) {
    case 'attempt-started':
      driver.run(SQL.start, [mailId, event.attempt, atMs]);
      return;
    case 'handed-over':
      driver.run(SQL.handOver, [atMs, atMs, mailId]);
      return;
    case 'accepted':
      end(driver, mailId, { ...event, outcome: 'accepted', failure: null, mayHaveArrived: true }, atMs);
      return;
    case 'lost':
      end(driver, mailId, { ...event, outcome: 'lost', reply: event.failure.reply, mayHaveArrived: true }, atMs);
      return;
    case 'refused':
    case 'not-sent': {
      // A negative reply to the whole mail is a submission too: the server counts it.
      const mayHaveArrived = event.failure.stage === 'handed-over';
      end(driver, mailId, { ...event, outcome: event.kind, reply: event.failure.reply, mayHaveArrived }, atMs);
      return;
    }
    case 'withdrawn':
    case 'cleared':
      // The cloud says that the mail never began, so it cannot have left.
      stop(driver, mailId, false, atMs);
      return;
    case 'concluded':
      stop(driver, mailId, true, atMs);
      return;
    case 'settled':
    case 'postponed':
    case 'reclaimed':
    case 'resolved':
      return;
    default:
      assertNever(event);
  }
}

function end(driver: SqlDriver, mailId: string, verdict: Verdict, atMs: number): void {
  const { attempt, outcome, nonce, failure, reply, mayHaveArrived } = verdict;
  const words = [
    outcome,
    nonce,
    failure?.stage ?? null,
    failure?.class ?? null,
    failure?.message ?? null,
    reply?.code ?? null,
    reply?.enhanced ?? null,
    reply?.text ?? null,
  ];
  if (!mayHaveArrived) driver.run(SQL.notSubmitted, [mailId]);
  const { changes } = driver.run(SQL.end, [atMs, ...words, mailId]);
  if (changes === 0) driver.run(SQL.addEnded, [mailId, attempt, atMs, atMs, ...words]);
}

/** Ends the running attempt, if there is one, without an outcome. */
function stop(driver: SqlDriver, mailId: string, mayHaveArrived: boolean, atMs: number): void {
  if (!mayHaveArrived) driver.run(SQL.notSubmitted, [mailId]);
  driver.run(SQL.stop, [atMs, mailId]);
}
