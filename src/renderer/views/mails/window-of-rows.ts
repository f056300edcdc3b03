/** Height of one row, pixels; the style sheet's `--row` says the same. */
export const ROW_PX = 60;
/** Rows beyond the edge of what is seen, so that quick scrolling meets few gaps. */
const BEYOND = 6;
/** Rows asked for at once. */
export const PAGE_ROWS = 100;

export type Span = { readonly first: number; readonly end: number };

/** The rows to draw for a scroll position, `end` exclusive. */
export function visibleRows(scrollTopPx: number, heightPx: number, total: number): Span {
  const first = Math.max(0, Math.floor(scrollTopPx / ROW_PX) - BEYOND);
  const end = Math.min(total, Math.ceil((scrollTopPx + heightPx) / ROW_PX) + BEYOND);
  return { first: Math.min(first, end), end };
}

/** The pages that hold a span of rows, by number from 0. */
export function pagesOf(span: Span): readonly number[] {
  if (span.end <= span.first) return [0];
  const pages: number[] = [];
  for (let page = Math.floor(span.first / PAGE_ROWS); page * PAGE_ROWS < span.end; page += 1) pages.push(page);
  return pages;
}

/** Where to scroll so that a row is wholly seen; the same place where it is already. */
export function scrollToRow(row: number, scrollTopPx: number, heightPx: number): number {
  const topPx = row * ROW_PX;
  if (topPx < scrollTopPx) return topPx;
  return topPx + ROW_PX > scrollTopPx + heightPx ? topPx + ROW_PX - heightPx : scrollTopPx;
}
