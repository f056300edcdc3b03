import { expect } from 'vitest';
import { CELL_SEEDS, CELLS, type Cell, cellTitle, type StepId } from './cells.ts';
import { judgeCell } from './run-cell.ts';

/** Longer than the slowest machine needs for one cell. */
export const CELL_TIMEOUT_MS = 5 * 60_000;

/** A row for each cell of these steps: the name of its test, and the cell. */
export const cellRows = (steps: readonly StepId[]): readonly (readonly [string, Cell])[] =>
  CELLS.filter(({ step }) => steps.includes(step.id)).map((cell) => [cellTitle(cell), cell]);

/** The fault strikes at its step in every run, every promise holds, and every mail ends as it may. */
export async function expectCellHolds(cell: Cell): Promise<void> {
  const failures: string[] = [];
  for (let seed = 1; seed <= CELL_SEEDS && failures.length < 3; seed += 1) {
    const failure = await judgeCell(cell, seed);
    if (failure !== null) failures.push(`seed ${seed}: ${failure}`);
  }
  expect(failures).toEqual([]);
}
