import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CELLS, MATRIX_STEPS, ON_REAL_PARTS, STEPS_BEFORE_BEGIN } from './cells.ts';
import { CELL_TIMEOUT_MS, cellRows, expectCellHolds } from './expect-cell.ts';

const STEPS_FROM_BEGIN = MATRIX_STEPS.map(({ id }) => id).filter((id) => !STEPS_BEFORE_BEGIN.includes(id));

describe('the matrix of steps and faults, from begin to the end', () => {
  it.each(cellRows(STEPS_FROM_BEGIN))('%s', { timeout: CELL_TIMEOUT_MS }, (_, cell) => expectCellHolds(cell));

  it('has 296 cells, each once', () => {
    expect(new Set(CELLS.map(({ id }) => id)).size).toBe(296);
    expect(CELLS).toHaveLength(296);
    expect(cellRows(STEPS_BEFORE_BEGIN).length + cellRows(STEPS_FROM_BEGIN).length).toBe(296);
  });

  it.each(Object.values(ON_REAL_PARTS).flat())(
    'names a test on real parts that is there: $title',
    ({ file, title }) => {
      expect(readFileSync(file, 'utf8')).toContain(title);
    },
  );
});
