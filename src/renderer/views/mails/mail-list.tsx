import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MailRow } from '../../../shared/ipc/views.ts';
import { exactTime, timeAgo } from '../../../shared/texts/window-texts/time-texts.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { useTexts } from '../../texts.ts';
import { useNow } from '../../use-now.ts';
import type { MailPages } from './use-mail-pages.ts';
import { pagesOf, ROW_PX, scrollToRow, visibleRows } from './window-of-rows.ts';

const MAIL_LIST_ID = 'mail-list';
const CLOCK_MS = 15_000;
const JUMP_ROWS = 8;

type Position = { readonly active: number; readonly scrollTopPx: number };

/** Draws only the rows in sight, whatever the number of mails. Arrows, Page keys, Home and End walk it, Enter opens. */
export function MailList(props: {
  readonly pages: MailPages;
  readonly start: Position;
  readonly onMoved: (position: Position) => void;
  readonly onOpen: (id: string) => void;
}): JSX.Element {
  const { pages, start, onMoved, onOpen } = props;
  const { mails: texts } = useTexts();
  const nowMs = useNow(CLOCK_MS);
  const box = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState<Position>(start);
  const [heightPx, setHeightPx] = useState(600);
  const total = pages.total ?? 0;
  const active = Math.min(position.active, Math.max(0, total - 1));
  const span = visibleRows(position.scrollTopPx, heightPx, total);

  const move = (next: Position): void => {
    setPosition(next);
    onMoved(next);
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const watcher = new ResizeObserver(() => setHeightPx(element.clientHeight));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  // The place it was left at exists only once the number of mails is known.
  // Once, when the list has its height.
  useLayoutEffect(() => {
    if (total > 0 && box.current !== null) box.current.scrollTop = start.scrollTopPx;
  }, [total > 0]);
  const wanted = pagesOf(span).join();
  useEffect(() => pages.need(wanted.split(',').map(Number)), [wanted, pages.need]);

  const onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') {
      const row = pages.row(active);
      if (row !== null) onOpen(row.id);
      return;
    }
    const next = target(event.key, active, total);
    if (next === null) return;
    event.preventDefault();
    const scrollTopPx = scrollToRow(next, position.scrollTopPx, heightPx);
    if (box.current !== null) box.current.scrollTop = scrollTopPx;
    move({ active: next, scrollTopPx });
  };

  const indexes = Array.from({ length: span.end - span.first }, (_, at) => span.first + at);
  return (
    <div
      ref={box}
      id={MAIL_LIST_ID}
      class="mail-list"
      role="listbox"
      aria-label={texts.list}
      tabIndex={0}
      aria-activedescendant={active >= span.first && active < span.end ? rowId(active) : undefined}
      onKeyDown={onKey}
      onScroll={(event) => move({ active: position.active, scrollTopPx: event.currentTarget.scrollTop })}
    >
      <div class="mail-rows" role="presentation" style={{ height: `${total * ROW_PX}px` }}>
        {indexes.map((index) => (
          <Row
            key={index}
            index={index}
            total={total}
            isActive={index === active}
            row={pages.row(index)}
            nowMs={nowMs}
            onOpen={(id) => {
              move({ active: index, scrollTopPx: position.scrollTopPx });
              box.current?.focus();
              onOpen(id);
            }}
          />
        ))}
      </div>
    </div>
  );
}

const rowId = (index: number): string => `mail-row-${index}`;

function target(key: string, active: number, total: number): number | null {
  const last = Math.max(0, total - 1);
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, active + 1);
    case 'ArrowUp':
      return Math.max(0, active - 1);
    case 'PageDown':
      return Math.min(last, active + JUMP_ROWS);
    case 'PageUp':
      return Math.max(0, active - JUMP_ROWS);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

function Row(props: {
  readonly index: number;
  readonly total: number;
  readonly isActive: boolean;
  readonly row: MailRow | null;
  readonly nowMs: number;
  readonly onOpen: (id: string) => void;
}): JSX.Element {
  const { index, total, isActive, row, nowMs, onOpen } = props;
  const { language, mails: texts } = useTexts();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and its keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list names its active row
    <div
      id={rowId(index)}
      role="option"
      class="mail-row"
      aria-selected={isActive}
      aria-setsize={total}
      aria-posinset={index + 1}
      style={{ transform: `translateY(${index * ROW_PX}px)` }}
      onClick={() => row !== null && onOpen(row.id)}
    >
      {row === null ? (
        <span class="quiet">{texts.loadingRow}</span>
      ) : (
        <>
          <span class="mail-row-top">
            <span class="one-line strong" title={row.toAddress}>
              {row.toName ?? row.toAddress}
            </span>
            <StateMark kind={row.kind} />
          </span>
          <span class="mail-row-bottom">
            <span class="one-line" title={row.subject}>
              {row.subject === '' ? texts.mail.noSubject : row.subject}
            </span>
            <time class="quiet numbers" title={exactTime(language, row.changedAtMs)}>
              {timeAgo(language, row.changedAtMs, nowMs)}
            </time>
          </span>
        </>
      )}
    </div>
  );
}
