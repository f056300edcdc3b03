import type { HeldItemHead, OtherItem } from '../../shared/wire/messages.ts';
import { isOpen, type MailEvent, type MailState } from './mail-state.ts';

/** What the ledger knows of a mail the cloud names. */
export type LedgerSide = {
  readonly state: MailState | null;
  /** The report that carries the begun nonce, or the mail's latest one where nothing has begun. */
  readonly report: { readonly seq: number; readonly ended: boolean } | null;
};

export type RecoverAction =
  | { readonly kind: 'nothing' }
  /** It enters the ledger as claimed. */
  | { readonly kind: 'adopt' }
  /** Nobody can have sent it: go on. */
  | { readonly kind: 'go-on' }
  /** The outcome is known here: tell it (again). */
  | { readonly kind: 'tell'; readonly seq: number }
  /** It may have been sent and nobody knows: a person decides. `adopt` where the ledger has no row yet. */
  | { readonly kind: 'uncertain'; readonly adopt: boolean };

/**
 * The restart table for a mail the cloud still holds for this agent. Begun in the cloud and no outcome known here means
 * that it may have been sent; not begun means that nobody can have sent it, whatever any disk says.
 */
export function recoverHeld(held: Pick<HeldItemHead, 'begun_nonce' | 'uncertain'>, ledger: LedgerSide): RecoverAction {
  const { state, report } = ledger;
  if (held.begun_nonce === null && !held.uncertain) {
    if (state === null || state.kind === 'released') return { kind: 'adopt' };
    if (state.kind === 'attempting' || state.kind === 'handed-over') return { kind: 'go-on' };
    if (report === null || !report.ended) return { kind: 'nothing' };
    // Another copy of this agent took the begin back. A doubt is never sent again by itself: the cloud is told of it anew.
    if (state.kind === 'uncertain' && state.nonce !== null) return { kind: 'uncertain', adopt: false };
    // What was told does not show: a final outcome is told again, and nobody waits any more for a "not sent".
    if (state.kind === 'claimed') return state.settlingNonce === null ? { kind: 'nothing' } : { kind: 'go-on' };
    return { kind: 'tell', seq: report.seq };
  }
  const open = state !== null && isOpen(state.kind);
  // Both sides doubt: a person's turn.
  if (state?.kind === 'uncertain' && held.uncertain) return { kind: 'nothing' };
  // Without the nonce that began, an earlier "not sent" says nothing about the doubt.
  const outcome = held.begun_nonce === null && open ? null : report;
  if (outcome !== null) return outcome.ended ? { kind: 'tell', seq: outcome.seq } : { kind: 'nothing' };
  if (state === null || state.kind === 'released') return { kind: 'uncertain', adopt: true };
  // Uncertain about another attempt: a copy of this ledger was used meanwhile, and the cloud does not know the doubt.
  const otherDoubt = state.kind === 'uncertain' && !held.uncertain && state.nonce !== held.begun_nonce;
  return open || otherDoubt ? { kind: 'uncertain', adopt: false } : { kind: 'nothing' };
}

/** The restart table for a mail open in the ledger that the cloud does not hold for this agent; null: nothing moves. */
export function recoverOther(status: OtherItem['status'], state: MailState): MailEvent | null {
  const open = isOpen(state.kind);
  if (!open && state.kind !== 'uncertain') return null;
  switch (status) {
    case 'sent':
      return { kind: 'concluded', as: 'sent' };
    case 'send_failed':
      return { kind: 'concluded', as: 'failed' };
    case 'cancelled':
      return { kind: 'concluded', as: 'cancelled' };
    case 'queued':
    case 'sending':
    case 'unknown':
      // Held by nobody or by another agent. An uncertain mail stays before its person: this agent may have sent it.
      return open ? { kind: 'withdrawn', as: 'released' } : null;
  }
}
