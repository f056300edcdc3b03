import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorClient } from '../../cloud/operator/client.ts';
import type { Recipient, Task } from '../../cloud/operator/routes.ts';
import type { TaskMail } from './tally.ts';

const LOOK_MS = 100;
const PAGE_LIMIT = 200;
const NAMED_MAX = 10;

type Counts = Task['counts'];

/** Mails of the task that have an outcome, or stand before a person. */
const doneCount = (counts: Counts): number => counts.sent + counts.send_failed + counts.uncertain + counts.cancelled;

/** Asks the cloud again and again until every mail is done; false where that takes longer than `limitMs`. */
export async function followTask(
  office: OperatorClient,
  taskId: string,
  options: {
    readonly limitMs: number;
    readonly onCounts: (counts: Counts) => void;
    /** The counts are told at most so often, and at the end. */
    readonly everyMs: number;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  const deadlineMs = performance.now() + options.limitMs;
  let toldMs = Number.NEGATIVE_INFINITY;
  while (performance.now() < deadlineMs) {
    options.signal.throwIfAborted();
    const { counts } = await office.must('getTask', { params: { id: taskId } });
    const isDone = doneCount(counts) === counts.total;
    if (isDone || performance.now() - toldMs >= options.everyMs) {
      options.onCounts(counts);
      toldMs = performance.now();
    }
    if (isDone) return true;
    await sleep(LOOK_MS, undefined, { signal: options.signal });
  }
  return false;
}

/** All mails of a task, as the cloud lists them. */
export async function listMails(office: OperatorClient, taskId: string): Promise<readonly Recipient[]> {
  const all: Recipient[] = [];
  let after: string | null = null;
  do {
    const query: { task_id: string; limit: number; after?: string } = { task_id: taskId, limit: PAGE_LIMIT };
    if (after !== null) query.after = after;
    const page: { items: Recipient[]; next_after: string | null } = await office.must('listRecipients', { query });
    all.push(...page.items);
    after = page.next_after;
  } while (after !== null);
  return all.reverse();
}

export function taskMail(mail: Recipient): TaskMail {
  return { id: mail.id, toAddress: mail.to_address, state: stateOf(mail), messageId: mail.smtp_message_id };
}

function stateOf({ status, uncertain_since }: Recipient): TaskMail['state'] {
  switch (status) {
    case 'sent':
      return 'sent';
    case 'send_failed':
      return 'failed';
    case 'sending':
      return uncertain_since === null ? 'open' : 'uncertain';
    default:
      return 'open';
  }
}

/** Where the mails hang that are not done, for a person who has to find out why. */
export function whatHangs(mails: readonly Recipient[], agentStatus: string | null): string {
  const open = mails.filter((mail) => stateOf(mail) === 'open');
  const lines = open.slice(0, NAMED_MAX).map(({ id, status, status_since, attempt, begun_at }) => {
    const begun = begun_at === null ? 'not begun' : `begun ${begun_at}`;
    return `  mail ${id}: ${status} since ${status_since}, attempt ${attempt}, ${begun}`;
  });
  if (open.length > NAMED_MAX) lines.push(`  and ${open.length - NAMED_MAX} more`);
  return `${open.length} mails hang:\n${lines.join('\n')}\n  the agent says: ${agentStatus ?? 'nothing, it does not answer'}`;
}
