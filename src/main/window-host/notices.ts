import type { StatusView } from '../../shared/status.ts';
import { taskSum } from '../../shared/task-sum.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import type { Language } from '../../shared/texts/language.ts';

/** One notification: its words and the place a click on it opens. */
export type Notice = {
  readonly kind: 'batch-done' | 'needs-you' | 'account-refused';
  readonly text: string;
  readonly place: 'today' | 'needs-you';
};

/** What a run of mails had come to when its first one was there; null while nothing is to be sent. */
export type Batch = { readonly sentBefore: number; readonly failedBefore: number } | null;

export type NoticeMemory = { readonly batch: Batch; readonly questions: number; readonly accountHeld: boolean };

/** What is known at the start is not news. */
export function firstMemory({ counts, holds }: StatusView): NoticeMemory {
  return {
    batch: null,
    questions: counts.uncertain + counts.conflicts,
    accountHeld: holds.some(({ kind }) => kind === 'account'),
  };
}

/** What to say about the change to `status`, each thing once, and what to remember for the next. */
export function noticesOf(
  memory: NoticeMemory,
  status: StatusView,
  language: Language,
): { readonly notices: readonly Notice[]; readonly memory: NoticeMemory } {
  const texts = DESKTOP_TEXTS[language].notice;
  const { counts, holds } = status;
  const notices: Notice[] = [];

  // With what the queue still holds: a batch is not done because this computer has none of it just now.
  const { total, ...settled } = taskSum(status.tasks);
  const open = total - settled.sent - settled.failed - settled.uncertain;
  let batch = memory.batch;
  if (open > 0) batch ??= { sentBefore: counts.sent, failedBefore: counts.failed };
  else if (batch !== null) {
    const sent = counts.sent - batch.sentBefore;
    const failed = counts.failed - batch.failedBefore;
    if (sent + failed > 0)
      notices.push({ kind: 'batch-done', text: texts.batchDone({ sent, failed }), place: 'today' });
    batch = null;
  }

  const questions = counts.uncertain + counts.conflicts;
  if (questions > memory.questions) {
    notices.push({ kind: 'needs-you', text: texts.needsYou(questions), place: 'needs-you' });
  }

  const refused = holds.find(({ kind }) => kind === 'account');
  if (refused !== undefined && !memory.accountHeld) {
    notices.push({ kind: 'account-refused', text: refused.text, place: 'needs-you' });
  }
  return { notices, memory: { batch, questions, accountHeld: refused !== undefined } };
}
