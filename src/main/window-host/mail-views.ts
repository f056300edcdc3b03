import type { MailDetail, MailRow, TimelineEntry } from '../../shared/ipc/views.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import { withoutUnseenMarks } from '../../shared/unseen-marks.ts';
import type { SmtpReply } from '../../shared/wire/messages.ts';
import { Payload } from '../../shared/wire/payload.ts';
import type { ReportRow } from '../adapters/sqlite/window-reads.ts';
import type { Fact } from '../core/facts.ts';
import type { AttemptRow, LedgerMail } from '../engine/ports.ts';
import { messageIdOfMail } from '../engine/prepare-mail.ts';
import { evidenceNote } from './report-facts.ts';

/** The mail server's own words. */
export const quoteOf = (reply: SmtpReply | null): string | null =>
  reply === null ? null : `${reply.code} ${reply.enhanced === null ? '' : `${reply.enhanced} `}${reply.text}`.trim();

/** One mail as lists show it; a payload that cannot be read shows as empty, and its failure says why. */
export function mailRow(mail: LedgerMail): MailRow {
  const payload = Payload.safeParse(mail.payload);
  return {
    id: mail.id,
    kind: mail.state.kind,
    toName: payload.success && payload.data.to.name ? withoutUnseenMarks(payload.data.to.name) : null,
    toAddress: payload.success ? payload.data.to.address : '',
    subject: payload.success ? withoutUnseenMarks(payload.data.subject) : '',
    taskName: withoutUnseenMarks(mail.taskName),
    changedAtMs: mail.changedAtMs,
  };
}

export function mailDetail(
  mail: LedgerMail,
  parts: {
    readonly attempts: readonly AttemptRow[];
    readonly reports: readonly ReportRow[];
    readonly facts: readonly Fact[];
    readonly accountAddress: string;
    readonly language: Language;
  },
): MailDetail {
  const payload = Payload.safeParse(mail.payload);
  const content = payload.success ? payload.data : null;
  return {
    ...mailRow(mail),
    messageId: messageIdOfMail(mail, parts.accountAddress),
    html: content?.html ?? null,
    text: content?.text ?? null,
    attachments: (content?.attachments ?? []).map(({ name, size }) => ({
      name: withoutUnseenMarks(name),
      sizeBytes: size,
    })),
    timeline: timelineOf(mail, parts),
  };
}

/** Everything that happened to one mail, oldest first. */
function timelineOf(
  mail: LedgerMail,
  parts: {
    readonly attempts: readonly AttemptRow[];
    readonly reports: readonly ReportRow[];
    readonly facts: readonly Fact[];
    readonly language: Language;
  },
): TimelineEntry[] {
  const texts = DESKTOP_TEXTS[parts.language].timeline;
  const claimed: TimelineEntry = {
    atMs: mail.claimedAtMs,
    what: 'claimed',
    attempt: null,
    text: texts.claimed,
    quote: null,
  };
  const entries = [
    claimed,
    ...parts.attempts.flatMap((attempt) => attemptEntries(attempt, parts.language)),
    ...parts.reports.flatMap((report) => reportEntries(report, parts.language)),
    ...parts.facts.map((fact) => factEntry(fact, parts.language)),
  ];
  return entries.sort((a, b) => a.atMs - b.atMs);
}

function attemptEntries(row: AttemptRow, language: Language): TimelineEntry[] {
  const texts = DESKTOP_TEXTS[language].timeline;
  const { attempt } = row;
  const entries: TimelineEntry[] = [
    { atMs: row.startedAtMs, what: 'attempt', attempt, text: texts.attempt(attempt), quote: null },
  ];
  if (row.handedOverAtMs !== null) {
    entries.push({ atMs: row.handedOverAtMs, what: 'handed-over', attempt, text: texts.handedOver, quote: null });
  }
  if (row.endedAtMs !== null && row.outcome !== null) {
    const usual = row.outcome === 'accepted' ? texts.accepted : texts.lost;
    const text = row.failure === null || row.failure.message === '' ? usual : row.failure.message;
    entries.push({ atMs: row.endedAtMs, what: row.outcome, attempt, text, quote: quoteOf(row.reply) });
  }
  return entries;
}

function reportEntries({ body, ended, endedAtMs }: ReportRow, language: Language): TimelineEntry[] {
  if (ended === null || endedAtMs === null) return [];
  const texts = DESKTOP_TEXTS[language].timeline;
  const note = evidenceNote(body);
  const said = texts[ended];
  const text = note === null ? said : `${said}: ${note}`;
  return [{ atMs: endedAtMs, what: ended, attempt: null, text, quote: null }];
}

function factEntry(fact: Fact, language: Language): TimelineEntry {
  const texts = DESKTOP_TEXTS[language].timeline;
  const entry = { atMs: fact.atMs, attempt: null, what: fact.kind };
  if (fact.kind === 'replied') return { ...entry, text: texts.replied, quote: null };
  return { ...entry, text: fact.hard ? texts.bouncedHard : texts.bounced, quote: fact.text };
}
