import type { MailRow, PendingAnswer, Question } from '../../shared/ipc/views.ts';
import type { StatusView } from '../../shared/status.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import { FAILURE_TEXTS } from '../../shared/texts/failure-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import type { WindowReads } from '../adapters/sqlite/window-reads.ts';
import { heldMails } from '../engine/held-addresses.ts';
import type { Ledger } from '../engine/ports.ts';
import { mailRow, quoteOf } from './mail-views.ts';
import { outcomeTold, statusStored } from './report-facts.ts';
import { NEEDS_PERSON } from './tray-view.ts';

const UNCERTAIN_MAX = 200;
const CONFLICTS_MAX = 50;
const FAILED_MAX = 5_000;
/** Mails shown of each cause; the count tells of the rest. */
const FAILED_SHOWN = 20;
const DAY_MS = 86_400_000;
/** A failed mail asks for nothing; after this it is found among all mails only. */
const FAILED_FOR_MS = 7 * DAY_MS;

export type QuestionParts = {
  readonly ledger: Pick<Ledger, 'list' | 'mail' | 'attempts' | 'held' | 'heldAddresses'>;
  readonly reads: Pick<WindowReads, 'conflicts' | 'failed'>;
  readonly status: Pick<StatusView, 'holds'>;
  readonly answerTo: (mailId: string) => PendingAnswer | null;
  readonly language: Language;
  readonly nowMs: number;
};

/** Everything that waits for a person: what stops all mails first, then each mail in doubt, then what failed. */
export function questionsOf(parts: QuestionParts): readonly Question[] {
  return [
    ...accountQuestions(parts),
    ...uncertainQuestions(parts),
    ...conflictQuestions(parts),
    ...heldQuestions(parts),
    ...failedGroups(parts),
  ];
}

const accountQuestions = ({ status }: QuestionParts): Question[] =>
  status.holds
    .filter(({ kind }) => NEEDS_PERSON.has(kind))
    .map(({ kind, text, sinceMs, untilMs }) => ({ kind: 'account', hold: kind, text, sinceMs, untilMs }));

function uncertainQuestions({ ledger, answerTo, language }: QuestionParts): Question[] {
  return ledger.list({ kinds: ['uncertain'], limit: UNCERTAIN_MAX, offset: 0 }).map((mail) => {
    const last = ledger.attempts(mail.id).at(-1);
    return {
      kind: 'uncertain',
      mail: mailRow(mail),
      known: last?.failure?.message || DESKTOP_TEXTS[language].timeline.lost,
      quote: quoteOf(last?.reply ?? null),
      answer: answerTo(mail.id),
    };
  });
}

function conflictQuestions({ ledger, reads, language }: QuestionParts): Question[] {
  const texts = DESKTOP_TEXTS[language];
  return reads.conflicts(CONFLICTS_MAX).flatMap(({ mailId, body, stored }): Question[] => {
    const mail = ledger.mail(mailId);
    if (mail === null) return [];
    const [here, cloud] = [outcomeTold(body), statusStored(stored)];
    return [
      {
        kind: 'conflict',
        mail: mailRow(mail),
        here: here === null ? texts.unknown : texts.outcome[here],
        cloud: cloud === null ? texts.unknown : texts.outcome[cloud],
      },
    ];
  });
}

const heldQuestions = ({ ledger }: QuestionParts): Question[] =>
  heldMails(ledger).map(({ address, text, mails }) => ({
    kind: 'held-address',
    address,
    text,
    mails: mails.slice(0, FAILED_SHOWN).map(mailRow),
    count: mails.length,
  }));

function failedGroups(parts: QuestionParts): Question[] {
  return [...failedByCause(parts)].map(([cause, mails]) => ({
    kind: 'failed',
    cause,
    mails: mails.slice(0, FAILED_SHOWN),
    count: mails.length,
    newestAtMs: mails[0]?.changedAtMs ?? 0,
  }));
}

/** Mails that failed lately and were not yet taken note of, newest first, by their cause in words. */
export function failedByCause({
  reads,
  language,
  nowMs,
}: Pick<QuestionParts, 'language' | 'nowMs'> & {
  readonly reads: Pick<WindowReads, 'failed'>;
}): ReadonlyMap<string, readonly MailRow[]> {
  const { about } = FAILURE_TEXTS[language];
  const groups = new Map<string, MailRow[]>();
  for (const { class: reason, message, ...mail } of reads.failed(nowMs - FAILED_FOR_MS, FAILED_MAX)) {
    const cause = reason === null ? (message ?? DESKTOP_TEXTS[language].outcome.send_failed) : about[reason];
    const group = groups.get(cause);
    if (group === undefined) groups.set(cause, [mail]);
    else group.push(mail);
  }
  return groups;
}
