import { CLAIM_LIMIT_MAX, HeldItemHead, type OtherItem, SYNC_KNOWN_MAX } from '../../shared/wire/messages.ts';
import { backoffMs, POLL_IDLE } from '../core/backoff.ts';
import { localFailure } from '../core/conclude.ts';
import { readClaim } from '../core/read-claim.ts';
import { recoverHeld, recoverOther } from '../core/recover.ts';
import { cloudAnswered, tokenRefused } from './cloud-answer.ts';
import type { Context } from './context.ts';
import type { LedgerChange } from './ports.ts';
import { acceptContext, messageIdOfMail } from './prepare-mail.ts';
import { takeIn } from './take-in.ts';

const QUIET_POLL_MS = 20;
const LOOK_AGAIN_MS = 60_000;
/** Pages of one sync at most; a cloud that never ends is nonsense. */
const PAGES_MAX = 200;

/**
 * Compares ledger and cloud: at the start before anything is sent, and whenever the cloud asks for it. While it runs
 * nothing is claimed and no attempt starts, so that no mail moves under it.
 */
export async function syncLoop(context: Context, signal: AbortSignal): Promise<void> {
  const { ports, bells, live } = context;
  let failures = 0;
  while (!signal.aborted) {
    // A claim under way ends first, while mails go on being sent; no new one starts meanwhile.
    if (!live.syncWanted || live.claiming !== null) {
      await bells.sync.wait(ports.clock, LOOK_AGAIN_MS, signal);
      continue;
    }
    live.synced = false;
    if (live.current !== null || live.unwritten) {
      await bells.sync.wait(ports.clock, QUIET_POLL_MS, signal);
      continue;
    }
    if (!tokenRefused(context) && (await syncOnce(context, signal))) {
      failures = 0;
      live.synced = true;
      live.syncWanted = false;
      ports.log.info('sync.done');
      for (const bell of [bells.send, bells.claim, bells.report]) bell.ring();
      context.changed();
      continue;
    }
    failures += 1;
    await bells.sync.wait(ports.clock, backoffMs(failures, ports.random.fraction(), POLL_IDLE), signal);
  }
}

async function syncOnce(context: Context, signal: AbortSignal): Promise<boolean> {
  const { ports, bootId } = context;
  const open = ports.ledger.heldIds(SYNC_KNOWN_MAX * PAGES_MAX);
  let namedCount = 0;
  let after: string | null = null;
  let limit = CLAIM_LIMIT_MAX;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    // The mails of the ledger are named once, with as many pages as that takes.
    const known = open.slice(namedCount, namedCount + SYNC_KNOWN_MAX);
    const answer = await ports.cloud.sync({ boot_id: bootId, after, limit, known }, signal);
    cloudAnswered(context, answer);
    if (!answer.ok && answer.error.kind === 'too-large' && limit > 1) {
      limit = 1;
      continue;
    }
    if (!answer.ok) return false;
    // One mail was large; the next ones need not be.
    limit = Math.min(CLAIM_LIMIT_MAX, limit * 2);
    for (const item of answer.value.items) if (!reconcileHeld(context, item)) return false;
    for (const other of answer.value.others) if (!reconcileOther(context, other)) return false;
    namedCount += known.length;
    const next = answer.value.next_after;
    if (next === null && namedCount === open.length) return true;
    // Where only names are left, the last page comes again, which changes nothing.
    after = next ?? after;
  }
  ports.log.error('sync.endless', { pages: PAGES_MAX });
  return false;
}

function reconcileHeld(context: Context, item: unknown): boolean {
  const { ports, journal, config } = context;
  const { ledger, clock } = ports;
  const head = HeldItemHead.safeParse(item);
  if (!head.success) {
    // Which mail it is may still be readable: then it is taken in and reported as one that cannot be sent.
    return takeIn(context, null, readClaim([item], acceptContext(context), clock.nowMs()));
  }
  const held = head.data;
  const known = ledger.mail(held.id);
  const report = ledger.reportFor(held.id, held.begun_nonce);
  const action = recoverHeld(held, {
    state: known?.state ?? null,
    report: report === null ? null : { seq: report.seq, ended: report.ended !== null },
  });
  const atMs = clock.nowMs();
  if (action.kind !== 'nothing') ports.log.info('sync.mail', { mail: held.id, action: action.kind });
  switch (action.kind) {
    case 'nothing':
      return true;
    case 'adopt':
      return takeIn(context, null, readClaim([item], acceptContext(context), atMs));
    case 'go-on': {
      const event = { kind: 'cleared', retryAtMs: atMs } as const;
      return journal.commit([{ kind: 'mail', mailId: held.id, event, atMs }]).ok;
    }
    case 'tell':
      return journal.commit([{ kind: 'report-reopened', seq: action.seq }]).ok;
    case 'uncertain': {
      const read = readClaim([item], acceptContext(context), atMs);
      if (action.adopt && !takeIn(context, null, { ...read, refusals: new Map() })) return false;
      const mail = ledger.mail(held.id);
      // Its key belongs to another mail here; logged, and no reason to hold up the rest.
      if (mail === null) return true;
      const lost: LedgerChange = {
        kind: 'mail',
        mailId: held.id,
        event: {
          kind: 'lost',
          attempt: mail.state.attempt,
          nonce: held.begun_nonce,
          messageId: messageIdOfMail(mail, config.account.address),
          failure: { ...localFailure(config.language, 'lost-at-restart', 'ambiguous'), stage: 'handed-over' },
        },
        atMs,
      };
      return journal.commit([lost]).ok;
    }
  }
}

function reconcileOther({ ports, journal }: Context, other: OtherItem): boolean {
  const known = ports.ledger.mail(other.id);
  const event = known === null ? null : recoverOther(other.status, known.state);
  if (event === null) return true;
  ports.log.info('sync.mail', { mail: other.id, action: event.kind, status: other.status });
  return journal.commit([{ kind: 'mail', mailId: other.id, event, atMs: ports.clock.nowMs() }]).ok;
}
