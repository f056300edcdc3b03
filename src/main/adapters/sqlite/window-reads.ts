import path from 'node:path';
import { z } from 'zod';
import { ReplyClass } from '../../../shared/wire/messages.ts';
import type { StateKind } from '../../core/mail-state.ts';
import { openSqlite, type SqlDriver } from './driver.ts';
import { LEDGER_FILE } from './files.ts';
import { STATE_KINDS } from './rows.ts';

/** What lists of mails show of one. */
export type MailSummary = {
  readonly id: string;
  readonly kind: StateKind;
  readonly toName: string | null;
  readonly toAddress: string;
  readonly subject: string;
  readonly taskName: string;
  readonly changedAtMs: number;
};

export type ReportRow = {
  readonly mailId: string;
  readonly body: string;
  readonly ended: 'told' | 'conflict' | null;
  readonly endedAtMs: number | null;
  /** The cloud's stored result as JSON text, with a conflict. */
  readonly stored: string | null;
};

/** What only a window asks of the ledger: searches, sums and groups. */
export type WindowReads = {
  /** Newest change first. `text` is looked for in name, address and subject; empty finds all. */
  mails(query: {
    readonly kinds: readonly StateKind[] | null;
    readonly text: string;
    readonly limit: number;
    readonly offset: number;
  }): { readonly rows: readonly MailSummary[]; readonly total: number };
  /** Reports the cloud contradicted and no person has taken note of, newest first. */
  conflicts(limit: number): readonly ReportRow[];
  /** The reports of one mail's outcomes in order. */
  reports(mailId: string): readonly ReportRow[];
  /**
   * Mails that failed since `sinceMs` and no person has taken note of, newest first, each with the class and words of
   * its last attempt.
   */
  failed(
    sinceMs: number,
    limit: number,
  ): readonly (MailSummary & { readonly class: ReplyClass | null; readonly message: string | null })[];
  close(): void;
};

const SUMMARY = `mail.id AS "id", state AS "kind", task_name AS "taskName", changed_at_ms AS "changedAtMs",
  CAST(json_extract(payload, '$.to.name') AS TEXT) AS "toName",
  CAST(json_extract(payload, '$.to.address') AS TEXT) AS "toAddress",
  CAST(json_extract(payload, '$.subject') AS TEXT) AS "subject"`;
const KINDS = `state IN (${STATE_KINDS.map(() => '?').join(', ')})`;
const FOUND = `instr(lower(coalesce(json_extract(payload, '$.to.name'), '') || ' ' ||
  coalesce(json_extract(payload, '$.to.address'), '') || ' ' ||
  coalesce(json_extract(payload, '$.subject'), '')), ?) > 0`;
const REPORT = `mail_id AS "mailId", body, ended, ended_at_ms AS "endedAtMs", stored`;
const JOIN_PAYLOAD = 'JOIN payload ON payload.mail_id = mail.id';

const SQL = {
  // The page is cut before the payloads are read.
  page: `WITH page AS MATERIALIZED (SELECT claim_order AS place, changed_at_ms AS at FROM mail WHERE ${KINDS}
      ORDER BY at DESC, place DESC LIMIT ? OFFSET ?)
    SELECT ${SUMMARY} FROM page CROSS JOIN mail ON claim_order = place ${JOIN_PAYLOAD} ORDER BY at DESC, place DESC`,
  count: `SELECT count(*) AS "count" FROM mail WHERE ${KINDS}`,
  foundPage: `SELECT ${SUMMARY} FROM mail ${JOIN_PAYLOAD} WHERE ${KINDS} AND ${FOUND}
    ORDER BY changed_at_ms DESC, claim_order DESC LIMIT ? OFFSET ?`,
  foundCount: `SELECT count(*) AS "count" FROM mail ${JOIN_PAYLOAD} WHERE ${KINDS} AND ${FOUND}`,
  conflicts: `SELECT ${REPORT} FROM outbox WHERE ended = 'conflict' AND seen_at_ms IS NULL ORDER BY seq DESC LIMIT ?`,
  reports: `SELECT ${REPORT} FROM outbox WHERE mail_id = ? AND route <> 'fact' ORDER BY seq`,
  failed: `SELECT ${SUMMARY},
      (SELECT class FROM attempt WHERE attempt.mail_id = mail.id ORDER BY seq DESC LIMIT 1) AS "class",
      (SELECT message FROM attempt WHERE attempt.mail_id = mail.id ORDER BY seq DESC LIMIT 1) AS "message"
    FROM mail ${JOIN_PAYLOAD} WHERE state = 'failed' AND mail.seen_at_ms IS NULL AND changed_at_ms >= ?
    ORDER BY changed_at_ms DESC, claim_order DESC LIMIT ?`,
} as const;

const text = z.string().nullable();
const shown = text.transform((value) => value ?? '');
const Summary = z.object({
  id: z.string(),
  kind: z.enum(STATE_KINDS),
  toName: text,
  toAddress: shown,
  subject: shown,
  taskName: z.string(),
  changedAtMs: z.int(),
});
const Summaries = z.array(Summary);
const Failures = z.array(Summary.extend({ class: ReplyClass.nullable(), message: text }));
const Count = z.object({ count: z.int() });
const Reports = z.array(
  z.object({
    mailId: z.string(),
    body: z.string(),
    ended: z.enum(['told', 'conflict']).nullable(),
    endedAtMs: z.int().nullable(),
    stored: text,
  }),
);

/** Reads beside the open ledger in `folder`, on a connection that cannot write. Throws what SQLite throws. */
export function openWindowReads(folder: string): WindowReads {
  return windowReads(openSqlite(path.join(folder, LEDGER_FILE), 'read'));
}

function windowReads(driver: SqlDriver): WindowReads {
  return {
    mails({ kinds, text: wanted, limit, offset }) {
      const arms = STATE_KINDS.map((kind) => (kinds === null || kinds.includes(kind) ? kind : null));
      // SQLite lowers ASCII only; the same must hold for both sides.
      const needle = wanted.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      const found = needle === '' ? [] : [needle];
      const [page, count] = needle === '' ? [SQL.page, SQL.count] : [SQL.foundPage, SQL.foundCount];
      return {
        rows: Summaries.parse(driver.all(page, [...arms, ...found, limit, offset])),
        total: Count.parse(driver.get(count, [...arms, ...found])).count,
      };
    },
    conflicts: (limit) => Reports.parse(driver.all(SQL.conflicts, [limit])),
    reports: (mailId) => Reports.parse(driver.all(SQL.reports, [mailId])),
    failed: (sinceMs, limit) => Failures.parse(driver.all(SQL.failed, [sinceMs, limit])),
    close: () => driver.close(),
  };
}
