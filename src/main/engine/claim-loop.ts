import { CLAIM_LIMIT_MAX, WAIT_SECONDS_MAX } from '../../shared/wire/messages.ts';
import { backoffMs, POLL_BUSY_MS, POLL_IDLE } from '../core/backoff.ts';
import { standsAt } from '../core/hold.ts';
import { readClaim } from '../core/read-claim.ts';
import { cloudAnswered } from './cloud-answer.ts';
import { type Context, type StopSignals, wantSync } from './context.ts';
import { currentHolds } from './next-mail.ts';
import type { NewMail } from './ports.ts';
import { acceptContext } from './prepare-mail.ts';
import { takeIn } from './take-in.ts';

/** A mail that is due later than this is not about to be sent. */
const NEAR_MS = 60_000;
/** Ids of tasks that are remembered at most. */
const TASKS_ASKED_MAX = 1_000;

/**
 * Takes mails while there is room for them. The claim's id is durable before the request and stays the same until the
 * cloud has answered it, so that a lost answer is given again and no claimed mail is forgotten.
 */
export async function claimLoop(context: Context, stop: StopSignals): Promise<void> {
  const { ports, bells } = context;
  let quiet = 0;
  while (!stop.drain.aborted) {
    const room = roomForMails(context);
    if (room === 0) {
      await bells.claim.wait(ports.clock, POLL_BUSY_MS, stop.drain);
      continue;
    }
    if (await claimOnce(context, room, stop.drain)) {
      quiet = 0;
      continue;
    }
    quiet += 1;
    await bells.claim.wait(ports.clock, backoffMs(quiet, ports.random.fraction(), POLL_IDLE), stop.drain);
  }
}

/** How many mails may be claimed now: none before the first sync, none while sending is held. */
function roomForMails(context: Context): number {
  const { ports, live, config } = context;
  if (!live.synced || live.syncWanted) return 0;
  const nowMs = ports.clock.nowMs();
  if (currentHolds(context).some((hold) => standsAt(hold, nowMs))) return 0;
  const counts = ports.ledger.counts();
  // What waits for its next try, or for a person's word about its address, takes no room: it would hold up all others.
  const near = counts.claimed - ports.ledger.dueAfter(nowMs + NEAR_MS);
  const open = near + counts.attempting + counts['handed-over'];
  // Half empty before it is filled again: one request brings several mails.
  live.mailsUntilRoom = open - Math.floor(config.holdMax / 2);
  return live.mailsUntilRoom > 0 ? 0 : Math.min(CLAIM_LIMIT_MAX, config.holdMax - open);
}

/** One claim. True where the next may follow at once: it brought something new, or the cloud itself waited for mails. */
async function claimOnce(context: Context, limit: number, signal: AbortSignal): Promise<boolean> {
  const { ports, live, bells } = context;
  const { clock, ledger } = ports;
  const claimId = openClaimId(context);
  if (claimId === null) return false;

  const askedMs = clock.monotonicMs();
  const claiming = new AbortController();
  live.claiming = claiming;
  try {
    const request = { claimId, limit, waitSeconds: WAIT_SECONDS_MAX };
    const answer = await ports.cloud.claim(request, AbortSignal.any([signal, claiming.signal]));
    // Broken off by us: that says nothing about the cloud, and the same claim is asked again.
    if (!answer.ok && claiming.signal.aborted) return false;
    cloudAnswered(context, answer);
    if (!answer.ok) {
      if (answer.error.kind === 'too-large') giveUpClaim(context, claimId);
      return false;
    }
    const read = readClaim(answer.value.items, acceptContext(context), clock.nowMs());
    for (const text of read.unreadable) ports.log.error('claim.item-unreadable', { text });
    if (answer.value.items.length === 0) {
      live.emptyClaimId = claimId;
      // A cloud that cannot wait is asked less and less often.
      return clock.monotonicMs() - askedMs >= (WAIT_SECONDS_MAX * 1000) / 2;
    }
    const isNews = read.mails.some(({ id }) => [undefined, 'released'].includes(ledger.mail(id)?.state.kind));
    if (!takeIn(context, claimId, read)) return false;
    ports.log.info('claim.taken', { mails: read.mails.length, refused: read.refusals.size });
    bells.send.ring();
    bells.report.ring();
    askHowMany(context, read.mails);
    context.changed();
    // A cloud that names only what is known or unreadable is asked again like one that had nothing.
    return isNews;
  } finally {
    live.claiming = null;
    bells.sync.ring();
  }
}

/**
 * The claim to ask with: the open one, or a new one in its place where the cloud had nothing under it. A claim that was
 * answered once names the same mails for ever, and those may all have come to their end by another way.
 */
function openClaimId({ ports, journal, live }: Context): string | null {
  const open = ports.ledger.openClaim()?.claimId ?? null;
  if (open !== null && open !== live.emptyClaimId) return open;
  const claimId = ports.random.uuid();
  const atMs = ports.clock.nowMs();
  const asked = journal.commit([
    { kind: 'mails-claimed', claimId: open, mails: [], atMs },
    { kind: 'claim-asked', claimId, atMs },
  ]);
  return asked.ok ? claimId : null;
}

/** Of a task that is new here only the cloud knows how many mails it has; the next heartbeat tells, and comes now. */
function askHowMany({ live, bells }: Context, mails: readonly NewMail[]): void {
  const fresh = mails.filter(({ taskId }) => !live.tasksAsked.has(taskId));
  if (fresh.length === 0) return;
  if (live.tasksAsked.size > TASKS_ASKED_MAX) live.tasksAsked.clear();
  for (const { taskId } of fresh) live.tasksAsked.add(taskId);
  bells.heartbeat.ring();
}

/** An answer too large to read: what it claimed comes through sync, a few at a time. */
function giveUpClaim({ journal, ports, bells, live }: Context, claimId: string): void {
  journal.commit([{ kind: 'mails-claimed', claimId, mails: [], atMs: ports.clock.nowMs() }]);
  wantSync({ live, bells });
}
