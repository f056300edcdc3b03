import { createHash } from 'node:crypto';
import type { FactRequest } from '../../shared/wire/messages.ts';

/**
 * What was learned about a mail after its result: it came back, or somebody answered. It stands beside the result and
 * never changes it. `hard` where the address itself refuses, so that no later mail can reach it.
 */
export type Fact = {
  /** The same for the same letter about the same mail, however often it is read. */
  readonly id: string;
  /** When the letter arrived; epoch milliseconds. */
  readonly atMs: number;
} & (
  | { readonly kind: 'replied' }
  | {
      readonly kind: 'bounced';
      readonly hard: boolean;
      /** Enhanced status code (RFC 3463), null where the letter names none. */
      readonly status: string | null;
      /** What the other server said, in its own words. */
      readonly text: string;
    }
);

/** An address to which no later mail begins, since one came back from it for good. */
export type HeldAddress = {
  /** As `heldKey` writes it. */
  readonly address: string;
  readonly sinceMs: number;
  /** The mail that came back. */
  readonly mailId: string;
  readonly text: string;
};

/** One spelling for addresses that reach the same mailbox almost everywhere. */
export const heldKey = (address: string): string => address.trim().toLowerCase();

/** The address a claimed mail goes to, as `heldKey` writes it; null where the payload names none. */
export function heldKeyOf(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null || !('to' in payload)) return null;
  const { to } = payload;
  if (typeof to !== 'object' || to === null || !('address' in to) || typeof to.address !== 'string') return null;
  return heldKey(to.address);
}

/** `letter`: what tells one letter from another, its Message-ID where it has one. */
export const factId = (mailId: string, kind: Fact['kind'], letter: string): string =>
  createHash('sha256').update(`${mailId}\n${kind}\n${letter}`).digest('hex').slice(0, 32);

/** A fact as the cloud is told of it. */
export function factRequest(
  mail: { readonly idempotencyKey: string; readonly payloadHash: string },
  fact: Fact,
): FactRequest {
  return {
    idempotency_key: mail.idempotencyKey,
    payload_hash: mail.payloadHash,
    fact_id: fact.id,
    kind: fact.kind,
    at: new Date(fact.atMs).toISOString(),
    bounce: fact.kind === 'bounced' ? { hard: fact.hard, status: fact.status, text: fact.text } : null,
  };
}
