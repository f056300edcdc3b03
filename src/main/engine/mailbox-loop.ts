import { type Backoff, backoffMs } from '../core/backoff.ts';
import { LOGIN_BACKOFF, MAILBOX_BACKOFF } from '../core/evidence.ts';
import { isOver } from '../core/waits.ts';
import type { Context } from './context.ts';
import { keepCopies, lacksCopies } from './keep-copies.ts';
import type { Mailbox, MailboxFailure } from './ports.ts';
import { readInbox } from './read-inbox.ts';
import { type LookMemory, nextLookAtMs, settleUncertain } from './settle-uncertain.ts';

/** The inbox is read this often while mails of the last weeks may still be answered, and this often otherwise. */
const INBOX_BUSY_MS = 5 * 60_000;
const INBOX_IDLE_MS = 60 * 60_000;
const ANSWERS_FOR_MS = 14 * 24 * 3_600_000;
/** Several mails sent one after another get their copies in one visit. */
const GATHER_MS = 30_000;
const NOT_READY_MS = 5_000;
const RECENT_MAX = 1;

type Memory = {
  readonly looks: LookMemory;
  readonly refusals: Map<string, number>;
  troubleCount: number;
  /** No visit before this instant: the mailbox was out of reach. */
  notBeforeMs: number;
  inboxAtMs: number;
};

/**
 * Reads the account's own folders beside the sending: evidence for uncertain mails, copies for Sent, bounces and
 * answers. Nothing that happens here holds up or ends the sending; a mailbox in trouble is left alone for a while.
 */
export async function mailboxLoop(context: Context, signal: AbortSignal): Promise<void> {
  const { ports, bells } = context;
  const { mailbox } = ports;
  if (mailbox === null) return;
  const memory: Memory = { looks: new Map(), refusals: new Map(), troubleCount: 0, notBeforeMs: 0, inboxAtMs: 0 };
  while (!signal.aborted) {
    const pauseMs = await round(context, mailbox, memory, signal);
    await bells.mailbox.wait(ports.clock, pauseMs, signal);
    // A ring tells of more to do, not of a mailbox that is back.
    const nowMs = ports.clock.nowMs();
    const leftMs = memory.notBeforeMs - nowMs;
    if (!isOver(memory.notBeforeMs, nowMs)) await ports.clock.sleep(Math.min(leftMs, LOGIN_BACKOFF.capMs), signal);
  }
}

/** One round of visits; answers how long to wait for the next. */
async function round(context: Context, mailbox: Mailbox, memory: Memory, signal: AbortSignal): Promise<number> {
  const { ports, live, journal } = context;
  const now = ports.clock.nowMs;
  // What the ledger says of a mail may be out of date until it was compared with the cloud.
  if (!live.synced || journal.trouble() !== null) return NOT_READY_MS;
  const isInboxTurn = isOver(memory.inboxAtMs, now());
  const works: (() => Promise<MailboxFailure | null>)[] = [
    () => settleUncertain(context, mailbox, memory.looks, signal),
  ];
  if (lacksCopies(context)) works.push(() => keepCopies(context, mailbox, memory.refusals, signal));
  if (isInboxTurn) works.push(() => readInbox(context, mailbox, signal));
  for (const work of works) {
    const failure = await guarded(context, work);
    if (signal.aborted) return 0;
    if (failure !== null) return inTrouble(context, memory, failure);
  }
  memory.troubleCount = 0;
  if (isInboxTurn) memory.inboxAtMs = now() + (hasRecentMails(context) ? INBOX_BUSY_MS : INBOX_IDLE_MS);
  const nextMs = Math.min(memory.inboxAtMs, nextLookAtMs(context, memory.looks) ?? memory.inboxAtMs);
  const waitMs = Math.max(0, nextMs - now());
  return lacksCopies(context) ? Math.min(waitMs, GATHER_MS) : waitMs;
}

/** A fault of ours in here costs evidence and copies, never the sending: it is logged and treated like trouble. */
async function guarded({ ports }: Context, work: () => Promise<MailboxFailure | null>): Promise<MailboxFailure | null> {
  try {
    return await work();
  } catch (cause) {
    ports.log.error('mailbox.fault', { name: cause instanceof Error ? cause.name : 'unknown' });
    return { kind: 'refused', text: 'a fault of the agent' };
  }
}

function inTrouble({ ports }: Context, memory: Memory, failure: MailboxFailure): number {
  memory.troubleCount += 1;
  const backoff: Backoff = ['login', 'no-credentials'].includes(failure.kind) ? LOGIN_BACKOFF : MAILBOX_BACKOFF;
  const pauseMs = backoffMs(memory.troubleCount, ports.random.fraction(), backoff);
  memory.notBeforeMs = ports.clock.nowMs() + pauseMs;
  ports.log.warn('mailbox.trouble', { kind: failure.kind, pauseMs });
  return pauseMs;
}

function hasRecentMails({ ports }: Context): boolean {
  const [latest] = ports.ledger.recentSubmissions(RECENT_MAX, ports.clock.nowMs());
  return latest !== undefined && latest > ports.clock.nowMs() - ANSWERS_FOR_MS;
}
