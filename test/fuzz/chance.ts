/** Numbers that are the same for the same seed; quick, and nothing else. Source: mulberry32. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to `below` - 1. */
  int(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.int(times) === 0;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.int(list.length)];
    if (item === undefined && list.length === 0) throw new RangeError('nothing to choose from');
    return item as T;
  }

  /** Up to `most` pieces joined. */
  text(pieces: readonly string[], most: number): string {
    let text = '';
    for (let left = this.int(most + 1); left > 0; left -= 1) text += this.pick(pieces);
    return text;
  }
}
