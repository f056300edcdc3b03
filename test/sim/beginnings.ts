import type { HoldKind } from '../../src/main/core/hold.ts';
import type { LedgerChange } from '../../src/main/engine/ports.ts';
import type { Pace } from '../../src/shared/settings.ts';
import type { Computer } from './computer.ts';

/** What stands on one computer's disk, by what was written there and not by what its ledger says of it. */
type Standing = {
  readonly lineage: number;
  readonly addresses: Set<string>;
  readonly holds: Map<HoldKind, number | null>;
};

/** Further ahead only a person's pause may stand; the rest was written by a clock that was wrong. */
const HELD_MAX_MS = 86_400_000;

/** What may begin: nothing while a hold stands, nothing to an address that is held, nothing outside the working hours. */
export class Beginnings {
  readonly #pace: Pace;
  readonly #addressOf: (mailId: string) => string | null;
  readonly #standing = new Map<Computer, Standing>();

  constructor(pace: Pace, addressOf: (mailId: string) => string | null) {
    this.#pace = pace;
    this.#addressOf = addressOf;
  }

  /** Why this change must not be on that disk now; null where it may. */
  onKept(computer: Computer, change: LedgerChange): string | null {
    const standing = this.#of(computer);
    switch (change.kind) {
      case 'address-held':
        standing.addresses.add(change.held.address);
        return null;
      case 'address-lifted':
        standing.addresses.delete(change.address);
        return null;
      case 'hold-set':
        standing.holds.set(change.hold.kind, change.hold.untilMs);
        return null;
      case 'hold-lifted':
        standing.holds.delete(change.holdKind);
        return null;
      case 'mail':
        return change.event.kind === 'attempt-started' ? this.#breach(computer, standing, change.mailId) : null;
      default:
        return null;
    }
  }

  #breach(computer: Computer, standing: Standing, mailId: string): string | null {
    const address = this.#addressOf(mailId);
    if (address !== null && standing.addresses.has(address)) {
      return `hold: mail ${mailId} began, and its address is held`;
    }
    const nowMs = computer.clock.nowMs();
    for (const [kind, untilMs] of standing.holds) {
      const leftMs = untilMs === null ? 1 : untilMs - nowMs;
      const isLong = kind !== 'user' && leftMs > HELD_MAX_MS;
      const isSure = untilMs === null || !computer.hasJumped;
      if (isSure && leftMs > 0 && !isLong) return `hold: mail ${mailId} began while sending was held: ${kind}`;
    }
    // A clock that is set between the plan and the attempt shows another time for each.
    return computer.hasJumped || this.#isOpen(nowMs) ? null : `pace: mail ${mailId} began outside the working hours`;
  }

  /** Working hours of the simulator are those of China, whose clock is never changed. */
  #isOpen(nowMs: number): boolean {
    const { workingHours } = this.#pace;
    if (workingHours === null) return true;
    const wall = new Date(nowMs + 8 * 3_600_000);
    const time = wall.toISOString().slice(11, 16);
    const day = wall.getUTCDay() === 0 ? 7 : wall.getUTCDay();
    return workingHours.days.includes(day) && time >= workingHours.from && time < workingHours.to;
  }

  #of(computer: Computer): Standing {
    const { lineage } = computer.disk;
    const known = this.#standing.get(computer);
    if (known?.lineage === lineage) return known;
    const fresh = { lineage, addresses: new Set<string>(), holds: new Map<HoldKind, number | null>() };
    this.#standing.set(computer, fresh);
    return fresh;
  }
}
