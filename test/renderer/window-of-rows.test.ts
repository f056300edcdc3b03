import { describe, expect, it } from 'vitest';
import { pagesOf, ROW_PX, scrollToRow, visibleRows } from '../../src/renderer/views/mails/window-of-rows.ts';

describe('the rows in sight', () => {
  it('are few whatever the number of mails', () => {
    const { first, end } = visibleRows(5000 * ROW_PX, 600, 10_000);

    expect(end - first).toBeLessThan(30);
    expect(first).toBeLessThanOrEqual(5000);
    expect(end).toBeGreaterThan(5010);
  });

  it('end with the last mail, also when the list became shorter than the scroll position', () => {
    expect(visibleRows(9000 * ROW_PX, 600, 3)).toEqual({ first: 3, end: 3 });
  });

  it('are fetched by the pages that hold them', () => {
    expect(pagesOf({ first: 95, end: 110 })).toEqual([0, 1]);
    expect(pagesOf({ first: 0, end: 0 })).toEqual([0]);
  });

  it('scroll just far enough for a row that is walked to', () => {
    expect(scrollToRow(3, 0, 600)).toBe(0);
    expect(scrollToRow(10, 0, 600)).toBe(11 * ROW_PX - 600);
    expect(scrollToRow(2, 5 * ROW_PX, 600)).toBe(2 * ROW_PX);
  });
});
