import type { MailState } from './mail-state.ts';

/** One mail as the ledger keeps it. */
export type LedgerMail = {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly payloadHash: string;
  readonly taskId: string;
  readonly taskName: string;
  /** As delivered; parsed again before use. */
  readonly payload: unknown;
  readonly notBeforeMs: number | null;
  readonly notAfterMs: number | null;
  readonly claimedAtMs: number;
  readonly changedAtMs: number;
  readonly state: MailState;
};

/** A mail as it comes from the cloud; it enters the ledger as `claimed`. */
export type NewMail = Omit<LedgerMail, 'state' | 'changedAtMs'>;
