import type { Clock, Random } from '../../src/main/engine/ports.ts';

type Sleeper = { readonly wakeAtMs: number; readonly order: number; readonly wake: () => void };

/** Time that moves only when a test moves it. Both clocks start at `START_MS`; `jump` moves the wall clock alone. */
export class VirtualClock implements Clock {
  #nowMs = START_MS;
  #wallAheadMs = 0;
  #sleepers: Sleeper[] = [];
  #count = 0;

  nowMs = (): number => this.#nowMs + this.#wallAheadMs;
  monotonicMs = (): number => this.#nowMs;

  sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      this.#count += 1;
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      const sleeper = { wakeAtMs: this.#nowMs + Math.max(0, ms), order: this.#count, wake };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', wake, { once: true });
    });

  /** As a person who sets the clock of the machine. */
  jump(ms: number): void {
    this.#wallAheadMs += ms;
  }

  /** Lets everything happen that waits for no time. */
  settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Lets `ms` pass, one sleeper after the other. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await this.settle();
    while (await this.#step(untilMs));
    this.#nowMs = untilMs;
  }

  /** Lets time pass until `condition` holds, at most `limitMs`. */
  async runUntil(condition: () => boolean, limitMs = 24 * 3_600_000): Promise<void> {
    const untilMs = this.#nowMs + limitMs;
    await this.settle();
    while (!condition()) {
      if (!(await this.#step(untilMs))) throw new Error(`it did not come to that within ${limitMs} ms`);
    }
  }

  /** Wakes the next sleeper; false where none wakes in time. */
  async #step(untilMs: number): Promise<boolean> {
    const [next] = this.#sleepers.toSorted((a, b) => a.wakeAtMs - b.wakeAtMs || a.order - b.order);
    if (next === undefined || next.wakeAtMs > untilMs) return false;
    this.#nowMs = Math.max(this.#nowMs, next.wakeAtMs);
    next.wake();
    await this.settle();
    return true;
  }
}

/** 2026-03-02T01:00:00Z, a Monday morning in China. */
const START_MS = Date.UTC(2026, 2, 2, 1);

/** The same numbers for the same seed. */
export class SeededRandom implements Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** Source: mulberry32, a generator of 32 bits of state. */
  fraction = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }
  nonce = (): string => `n${this.#hex(31)}`;
  uuid = (): string => `${this.#hex(8)}-${this.#hex(4)}-4${this.#hex(3)}-8${this.#hex(3)}-${this.#hex(12)}`;
  #hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }
}
