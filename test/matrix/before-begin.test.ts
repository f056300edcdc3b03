import { describe, it } from 'vitest';
import { STEPS_BEFORE_BEGIN } from './cells.ts';
import { CELL_TIMEOUT_MS, cellRows, expectCellHolds } from './expect-cell.ts';

describe('the matrix of steps and faults, up to the envelope', () => {
  it.each(cellRows(STEPS_BEFORE_BEGIN))('%s', { timeout: CELL_TIMEOUT_MS }, (_, cell) => expectCellHolds(cell));
});
