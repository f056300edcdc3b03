import { ResultRequest, StoredResult } from '../../shared/wire/messages.ts';
import { backoffMs, REPORT_BACKOFF } from '../core/backoff.ts';
import { reportMeaning } from '../core/report-answer.ts';
import { cloudAnswered, tokenRefused } from './cloud-answer.ts';
import type { Context } from './context.ts';
import { LEDGER_PAUSE_MS } from './journal.ts';
import type { CloudFailure, LedgerChange, OutboxRow } from './ports.ts';

const TOGETHER_MAX = 4;
const LOOK_AGAIN_MS = 60_000;
/** An acknowledgement is written at the latest after this pause; lost before, the report is told again. */
const SETTLE_MS = 200;

/** Tells every outcome until the cloud has taken it, beside the sending and in the order written. */
export async function reportLoop(context: Context, signal: AbortSignal): Promise<void> {
  const { ports, bells, journal } = context;
  while (!signal.aborted) {
    const tried = await tellSome(context, signal);
    if (journal.trouble() !== null) {
      // What the cloud answered is not on disk: telling on would tell the same again and again.
      await ports.clock.sleep(LEDGER_PAUSE_MS, signal);
      journal.probe();
      continue;
    }
    // Fewer than fit together were all there were; a new outcome rings.
    if (tried === TOGETHER_MAX) continue;
    if (journal.deferredReports().size > 0) {
      // A ring announces a new outcome: its commit took the acknowledgements along, or the next one will.
      const word = await bells.report.wait(ports.clock, SETTLE_MS, signal);
      if (word === 'quiet') journal.commit([]);
      continue;
    }
    const nextAtMs = ports.ledger.nextUntoldAtMs();
    const ms =
      nextAtMs === null || tokenRefused(context) ? LOOK_AGAIN_MS : Math.max(SETTLE_MS, nextAtMs - ports.clock.nowMs());
    await bells.report.wait(ports.clock, Math.min(LOOK_AGAIN_MS, ms), signal);
  }
}

/** Tells what is left before the agent ends; gives up when `signal` aborts. Returns how many reports are still untold. */
export async function tellTheRest(context: Context, signal: AbortSignal): Promise<number> {
  const { journal } = context;
  while (!signal.aborted && (await tellSome(context, signal)) > 0 && journal.trouble() === null);
  journal.commit([]);
  return context.ports.ledger.counts().untold;
}

/** Returns how many reports were tried. */
async function tellSome(context: Context, signal: AbortSignal): Promise<number> {
  if (tokenRefused(context)) return 0;
  const rows = untoldNow(context).slice(0, TOGETHER_MAX);
  await Promise.all(rows.map((row) => tell(context, row, signal)));
  if (rows.length > 0) context.changed();
  return rows.length;
}

function untoldNow({ ports, journal }: Context): readonly OutboxRow[] {
  const settled = journal.deferredReports();
  return ports.ledger.untold(ports.clock.nowMs(), TOGETHER_MAX + settled.size).filter((row) => !settled.has(row.seq));
}

async function tell(context: Context, row: OutboxRow, signal: AbortSignal): Promise<void> {
  const { ports, journal, bells } = context;
  const answer = await ports.cloud.report(row, signal);
  cloudAnswered(context, answer);
  const atMs = ports.clock.nowMs();
  if (answer.ok) {
    const told: LedgerChange = { kind: 'report-ended', seq: row.seq, end: { kind: 'told' }, atMs };
    if (row.route !== 'notSent') {
      journal.defer([told]);
      return;
    }
    // The mail may be tried again only now that the cloud knows that it was not sent.
    journal.commit([told, ...settled(context, row, atMs)]);
    bells.send.ring();
    return;
  }
  if (signal.aborted) return;
  journal.commit(afterFailure(context, row, answer.error));
}

/** Nothing where the mail does not wait for this report: it was told before, or the mail has moved on. */
function settled({ ports }: Context, row: OutboxRow, atMs: number): readonly LedgerChange[] {
  const state = ports.ledger.mail(row.mailId)?.state;
  const awaited = state?.kind === 'claimed' ? state.settlingNonce : null;
  if (awaited === null || awaited !== row.nonce) return [];
  return [{ kind: 'mail', mailId: row.mailId, event: { kind: 'settled', nonce: awaited }, atMs }];
}

function afterFailure(context: Context, row: OutboxRow, failure: CloudFailure): readonly LedgerChange[] {
  const { ports } = context;
  const atMs = ports.clock.nowMs();
  if (failure.kind !== 'problem' || reportMeaning(failure.code) !== 'conflict') {
    const askedMs = 'retryAfterMs' in failure ? failure.retryAfterMs : null;
    const untilMs = atMs + (askedMs ?? backoffMs(row.tries + 1, ports.random.fraction(), REPORT_BACKOFF));
    return [{ kind: 'report-postponed', seq: row.seq, untilMs }];
  }
  ports.log.warn('report.refused', { mail: row.mailId, seq: row.seq, problem: failure.code });
  // Nothing depends on a fact: a cloud that does not take it is told no more.
  if (row.route === 'fact') {
    return [{ kind: 'report-ended', seq: row.seq, end: { kind: 'refused', problem: failure.code }, atMs }];
  }
  const concluded = finalElsewhere(row, failure.stored);
  const stands = ports.ledger.mail(row.mailId)?.state.kind;
  // We said that we do not know; the cloud does. Its word stands and contradicts nothing, and perhaps a comparison has
  // brought it already. Where a person has settled the mail otherwise here, the report of that finds out for itself.
  if (concluded !== null && (stands === 'uncertain' || stands === concluded)) {
    const told: LedgerChange = { kind: 'report-ended', seq: row.seq, end: { kind: 'told' }, atMs };
    return [told, { kind: 'mail', mailId: row.mailId, event: { kind: 'concluded', as: concluded }, atMs }];
  }
  return [
    {
      kind: 'report-ended',
      seq: row.seq,
      end: { kind: 'conflict', problem: failure.code, stored: failure.stored ?? null },
      atMs,
    },
  ];
}

function finalElsewhere(row: OutboxRow, stored: unknown): 'sent' | 'failed' | null {
  if (row.route !== 'result' || ResultRequest.parse(JSON.parse(row.body)).outcome !== 'uncertain') return null;
  const parsed = StoredResult.safeParse(stored);
  if (!parsed.success) return null;
  return parsed.data.status === 'sent' ? 'sent' : parsed.data.status === 'send_failed' ? 'failed' : null;
}
