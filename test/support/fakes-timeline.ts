/** One thing that will happen. `order` decides between things of the same instant. */
type Coming = { readonly atMs: number; readonly order: number; run: (() => void) | null };

/** Undoes a planned event; harmless afterwards. */
export type Cancel = () => void;

const TURN_EVERY = 256;

/** 2026-03-02T01:00:00Z, a Monday morning in China. */
const START_MS = Date.UTC(2026, 2, 2, 1);

/**
 * Virtual time, one for a whole world: events happen one by one, in the order of their instants, and time stands still
 * in between. Everything that waits in a test waits here, so the same plan gives the same run.
 */
export class Timeline {
  nowMs = START_MS;
  readonly #heap: Coming[] = [];
  #count = 0;
  #settleCount = 0;
  readonly #order: (count: number) => number;

  /** `order` may shuffle events of one instant; the `count`-th planned comes first where it does not. */
  constructor(order: (count: number) => number = (count) => count) {
    this.#order = order;
  }

  /** Runs `run` at that instant, or now where it has passed. */
  at(atMs: number, run: () => void): Cancel {
    this.#count += 1;
    const coming: Coming = { atMs: Math.max(atMs, this.nowMs), order: this.#order(this.#count), run };
    this.#push(coming);
    return () => {
      coming.run = null;
    };
  }

  after(ms: number, run: () => void): Cancel {
    return this.at(this.nowMs + ms, run);
  }

  /**
   * Lets everything happen that waits for no time: a tick comes once no promise has anything left to do. Now and then
   * the event loop has its turn, so that whoever runs the test is heard.
   */
  settle = (): Promise<void> => {
    this.#settleCount += 1;
    const isTurn = this.#settleCount % TURN_EVERY === 0;
    return new Promise((resolve) => (isTurn ? setImmediate(resolve) : process.nextTick(resolve)));
  };

  /** The next event and all that follows from it at once; false where none comes until then. */
  async step(untilMs: number): Promise<boolean> {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.atMs > untilMs) return false;
      this.#pop();
      const { run } = next;
      if (run === null) continue;
      this.nowMs = next.atMs;
      run();
      await this.settle();
      return true;
    }
  }

  #push(coming: Coming): void {
    const heap = this.#heap;
    let place = heap.push(coming) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(coming, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = coming;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || !isBefore(child, last)) break;
      heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = last;
  }
}

const isBefore = (a: Coming, b: Coming): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
