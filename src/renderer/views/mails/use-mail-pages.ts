import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MailRow } from '../../../shared/ipc/views.ts';
import type { MailFilter } from '../../../shared/texts/window-texts/mails-texts.ts';
import { listen, request } from '../../bridge.ts';
import { kindsOf } from './filters.ts';
import { PAGE_ROWS } from './window-of-rows.ts';

export type MailPages = {
  /** Null until the first answer. */
  readonly total: number | null;
  readonly trouble: string | null;
  readonly row: (index: number) => MailRow | null;
  /** Tells which pages are looked at; they are asked for, and kept up to date. */
  readonly need: (pages: readonly number[]) => void;
};

/** Pages kept beside those looked at; 10,000 mails would be 100. */
const KEPT_PAGES_MAX = 12;
const ASK_AGAIN_MS = 300;

type State = {
  readonly total: number | null;
  readonly trouble: string | null;
  readonly pages: ReadonlyMap<number, readonly MailRow[]>;
};
const NOTHING: State = { total: null, trouble: null, pages: new Map() };

/** The mails of one filter and search, fetched page by page as they come into sight. */
export function useMailPages(filter: MailFilter, text: string): MailPages {
  const [state, setState] = useState<State>(NOTHING);
  const needed = useRef<readonly number[]>([0]);
  const asked = useRef(new Set<number>());
  const query = useRef(0);

  const fetchPage = useCallback(
    async (page: number) => {
      const mine = query.current;
      asked.current.add(page);
      const answer = await request('mails', {
        kinds: kindsOf(filter),
        text,
        offset: page * PAGE_ROWS,
        limit: PAGE_ROWS,
      });
      if (mine !== query.current) return;
      setState((before) => {
        if (!answer.ok) return { ...before, trouble: answer.error.text };
        const pages = new Map(before.pages);
        pages.delete(page);
        pages.set(page, answer.value.rows);
        for (const old of pages.keys()) {
          if (pages.size <= KEPT_PAGES_MAX) break;
          if (needed.current.includes(old)) continue;
          pages.delete(old);
          asked.current.delete(old);
        }
        return { total: answer.value.total, trouble: null, pages };
      });
      if (!answer.ok) asked.current.delete(page);
    },
    [filter, text],
  );

  useEffect(() => {
    query.current += 1;
    asked.current = new Set();
    needed.current = [0];
    setState((before) => ({ ...NOTHING, total: before.total === null ? null : before.total }));
    void fetchPage(0);
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unlisten = listen('changed', () => {
      timer ??= setTimeout(() => {
        timer = null;
        // Other pages are asked for anew when they are looked at again.
        asked.current = new Set(needed.current);
        for (const page of needed.current) void fetchPage(page);
      }, ASK_AGAIN_MS);
    });
    return () => {
      unlisten();
      if (timer !== null) clearTimeout(timer);
      query.current += 1;
    };
  }, [fetchPage]);

  const need = useCallback(
    (pages: readonly number[]) => {
      needed.current = pages;
      for (const page of pages) if (!asked.current.has(page)) void fetchPage(page);
    },
    [fetchPage],
  );
  return useMemo(
    () => ({
      total: state.total,
      trouble: state.trouble,
      row: (index) => state.pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS] ?? null,
      need,
    }),
    [state, need],
  );
}
