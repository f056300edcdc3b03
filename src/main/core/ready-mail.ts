import type { Payload } from '../../shared/wire/payload.ts';

/** A mail whose payload was checked: parsed, hash equal, one recipient. What the composer builds from. */
export type ReadyMail = {
  readonly id: string;
  readonly messageId: string;
  readonly payload: Payload;
  /** Written as the Date header; epoch milliseconds of the attempt. */
  readonly dateMs: number;
};
