import type { ReadClaim } from '../core/read-claim.ts';
import type { Context } from './context.ts';
import type { LedgerChange, NewMail } from './ports.ts';

/**
 * Writes claimed mails into the ledger in one commit, those that cannot be sent as failed with their report. A mail the
 * ledger knows under another hash is left out and logged. Returns whether it was written.
 */
export function takeIn(context: Context, claimId: string | null, read: ReadClaim): boolean {
  const { ports, journal } = context;
  let mails = read.mails;
  for (;;) {
    const changes = changesFor(context, claimId, mails, read);
    const written = journal.commit(changes);
    if (written.ok) break;
    if (written.error.kind !== 'key-conflict') return false;
    const { mailId } = written.error;
    ports.log.error('claim.key-conflict', { mail: mailId });
    const fewer = mails.filter((mail) => mail.id !== mailId);
    if (fewer.length === mails.length) return false;
    mails = fewer;
  }
  return true;
}

function changesFor(
  { ports }: Context,
  claimId: string | null,
  mails: readonly NewMail[],
  read: ReadClaim,
): LedgerChange[] {
  const atMs = ports.clock.nowMs();
  const changes: LedgerChange[] = [{ kind: 'mails-claimed', claimId, mails, atMs }];
  for (const { id } of mails) {
    const known = ports.ledger.mail(id);
    const failure = read.refusals.get(id);
    if (known === null && failure !== undefined) {
      const event = { kind: 'refused', attempt: 0, nonce: null, failure } as const;
      changes.push({ kind: 'mail', mailId: id, event, atMs });
    }
    // The cloud hands out a mail whose end this ledger knows: it has not heard, so it is told again.
    if (
      known !== null &&
      (known.state.kind === 'sent' || known.state.kind === 'failed' || known.state.kind === 'uncertain')
    ) {
      const report = ports.ledger.reportFor(id, null);
      if (report !== null && report.ended !== null) changes.push({ kind: 'report-reopened', seq: report.seq });
    }
  }
  return changes;
}
