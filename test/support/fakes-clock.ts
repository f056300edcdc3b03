import type { Clock, Random } from '../../src/main/engine/ports.ts';
import { Timeline } from './fakes-timeline.ts';

/**
 * One computer's clock on a timeline: time moves only when a test moves it. `jump` moves the wall clock alone. While
 * the computer sleeps, what is due waits for its waking.
 */
export class VirtualClock implements Clock {
  readonly timeline: Timeline;
  #wallAheadMs = 0;
  #sleepingSinceMs: number | null = null;
  #sleptMs = 0;
  #held: (() => void)[] = [];

  constructor(timeline = new Timeline()) {
    this.timeline = timeline;
  }

  nowMs = (): number => this.timeline.nowMs + this.#wallAheadMs;
  /** Stands still while the computer sleeps, as on Linux. */
  monotonicMs = (): number => (this.#sleepingSinceMs ?? this.timeline.nowMs) - this.#sleptMs;

  sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const onAbort = () => {
        cancel();
        resolve();
      };
      const cancel = this.timeline.after(Math.max(0, ms), () => {
        signal.removeEventListener('abort', onAbort);
        this.whenAwake(resolve);
      });
      signal.addEventListener('abort', onAbort, { once: true });
    });

  /** Nothing is read or written here but by the timeline. */
  turn = (): Promise<void> => Promise.resolve();

  /** As a person who sets the clock of the machine. */
  jump(ms: number): void {
    this.#wallAheadMs += ms;
  }

  /** As a machine that asks a time server. */
  setRight(): void {
    this.#wallAheadMs = 0;
  }

  get isAsleep(): boolean {
    return this.#sleepingSinceMs !== null;
  }

  /** The lid is closed. */
  suspend(): void {
    this.#sleepingSinceMs ??= this.timeline.nowMs;
  }

  /** The lid is opened: everything that came due meanwhile happens now, in its order. */
  wake(): void {
    if (this.#sleepingSinceMs === null) return;
    this.#sleptMs += this.timeline.nowMs - this.#sleepingSinceMs;
    this.#sleepingSinceMs = null;
    for (const run of this.#held.splice(0)) run();
  }

  /** At once, or when the computer has woken. */
  whenAwake(run: () => void): void {
    if (this.isAsleep) this.#held.push(run);
    else run();
  }

  settle = (): Promise<void> => this.timeline.settle();

  /** Lets `ms` pass, one event after the other. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.timeline.nowMs + ms;
    await this.settle();
    while (await this.timeline.step(untilMs));
    this.timeline.nowMs = untilMs;
  }

  /** Lets time pass until `condition` holds, at most `limitMs`. */
  async runUntil(condition: () => boolean, limitMs = 24 * 3_600_000): Promise<void> {
    const untilMs = this.timeline.nowMs + limitMs;
    await this.settle();
    while (!condition()) {
      if (!(await this.timeline.step(untilMs))) throw new Error(`it did not come to that within ${limitMs} ms`);
    }
  }
}

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
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }
  /** From `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }
  oneOf<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error('an empty list');
    return one;
  }
  nonce = (): string => `n${this.#hex()}${this.#hex()}${this.#hex()}${this.#hex()}`;
  uuid = (): string => {
    const [a, b, c, d] = [this.#hex(), this.#hex(), this.#hex(), this.#hex()];
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(0, 3)}-${c.slice(4)}${d}`;
  };
  /** 32 random bits, eight digits. */
  #hex(): string {
    return this.below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
  }
}
