import type { HeldAddress } from '../core/facts.ts';
import { heldKey, heldKeyOf } from '../core/facts.ts';
import type { Context } from './context.ts';
import type { Ledger, LedgerChange, LedgerMail } from './ports.ts';

const ADDRESSES_MAX = 1_000;
const MAILS_MAX = 500;
/** A held mail is looked at again this seldom; lifting its address brings it back at once. */
const HELD_FOR_MS = 24 * 3_600_000;

export type HeldMails = HeldAddress & { readonly mails: readonly LedgerMail[] };

/** The addresses that bounced for good and to which mails wait, each with these mails. */
export function heldMails(ledger: Pick<Ledger, 'heldAddresses' | 'held'>): readonly HeldMails[] {
  const addresses = ledger.heldAddresses(ADDRESSES_MAX);
  if (addresses.length === 0) return [];
  const waiting = new Map<string, LedgerMail[]>();
  for (const mail of ledger.held(MAILS_MAX)) {
    const key = mail.state.kind === 'claimed' ? heldKeyOf(mail.payload) : null;
    if (key !== null) waiting.set(key, [...(waiting.get(key) ?? []), mail]);
  }
  return addresses.flatMap((held) => {
    const mails = waiting.get(held.address) ?? [];
    return mails.length === 0 ? [] : [{ ...held, mails }];
  });
}

/** Puts a mail off whose address is held, before anything of it begins; null for every other mail. */
export function holdBack({ ports }: Context, mail: LedgerMail): LedgerChange | null {
  const key = heldKeyOf(mail.payload);
  if (key === null || ports.ledger.heldAddress(key) === null) return null;
  const nowMs = ports.clock.nowMs();
  // Past its time it is told as expired, as every other mail is.
  if (mail.notAfterMs !== null && mail.notAfterMs <= nowMs) return null;
  ports.log.info('mail.address-held', { mail: mail.id });
  const retryAtMs = Math.min(nowMs + HELD_FOR_MS, mail.notAfterMs ?? Number.MAX_SAFE_INTEGER);
  return { kind: 'mail', mailId: mail.id, event: { kind: 'postponed', retryAtMs }, atMs: nowMs };
}

/** A person's word that an address may be written to again; its mails are due at once. */
export function liftChanges(
  ledger: Pick<Ledger, 'heldAddresses' | 'held'>,
  address: string,
  nowMs: number,
): readonly LedgerChange[] {
  const key = heldKey(address);
  const mails = heldMails(ledger).find((held) => held.address === key)?.mails ?? [];
  const due = mails.map(({ id }): LedgerChange => {
    return { kind: 'mail', mailId: id, event: { kind: 'postponed', retryAtMs: nowMs }, atMs: nowMs };
  });
  return [{ kind: 'address-lifted', address: key }, ...due];
}
