import { isOver } from './waits.ts';

/**
 * A reason why no new attempt starts. Several may stand at once.
 * `user` and `cloud`: somebody paused. `account`: the mail account needs a person (login, blocked sender, content).
 * `back-off`: the provider's limit; ends by itself. `keychain`, `ledger`, `token`: a part the agent needs is missing.
 */
export const HOLD_KINDS = ['user', 'cloud', 'account', 'back-off', 'keychain', 'ledger', 'token'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

export type Hold = {
  readonly kind: HoldKind;
  readonly sinceMs: number;
  /** When it ends by itself; null where somebody must end it. */
  readonly untilMs: number | null;
  /** For a person: what happened, in words, with the server's own text where there is one. */
  readonly text: string;
  /** How often in a row, from 1; doubles the next back-off. */
  readonly repeat: number;
};

/** A person's own pause may be as long as they like; every other hold that ends by itself does so within a day. */
export function standsAt({ kind, untilMs }: Pick<Hold, 'kind' | 'untilMs'>, nowMs: number): boolean {
  if (untilMs === null) return true;
  return kind === 'user' ? untilMs > nowMs : !isOver(untilMs, nowMs);
}
