import { it } from 'vitest';
import { hostileRow } from './hostile-list.ts';

/** The row's own test: its title is the row's id, input and answer. */
export function hostile(id: string, run: () => void | Promise<void>): void {
  const { input, answer } = hostileRow(id);
  it(`${id} ${input}: ${answer}`, run);
}
