import { describe, expect, it } from 'vitest';
import { CELL_SEEDS, CELLS, cellTitle } from './cells.ts';
import { judgeCell } from './run-cell.ts';

describe('the matrix of steps and faults', () => {
  it('has 296 cells, each once', () => {
    expect(CELLS).toHaveLength(296);
    expect(new Set(CELLS.map(({ id }) => id)).size).toBe(296);
  });

  it.each(CELLS.map((cell) => [cellTitle(cell), cell] as const))('%s', async (_, cell) => {
    const failures: string[] = [];
    for (let seed = 1; seed <= CELL_SEEDS && failures.length < 3; seed += 1) {
      const failure = await judgeCell(cell, seed);
      if (failure !== null) failures.push(`seed ${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
  });
});
