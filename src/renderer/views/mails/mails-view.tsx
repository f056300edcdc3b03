import type { JSX, RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { MAIL_FILTERS, type MailFilter } from '../../../shared/texts/window-texts/mails-texts.ts';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { readFilter } from './filters.ts';
import { MailList } from './mail-list.tsx';
import { useMailPages } from './use-mail-pages.ts';

/** Where the list stood, so that coming back from a mail finds it there. */
export type ListMemory = {
  readonly filter: MailFilter;
  readonly text: string;
  readonly active: number;
  readonly scrollTopPx: number;
};
export const INITIAL_LIST: ListMemory = { filter: 'all', text: '', active: 0, scrollTopPx: 0 };

const TYPING_MS = 200;

/** Every mail, newest first. */
export function MailsView(props: {
  readonly memory: RefObject<ListMemory>;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { memory, onOpen } = props;
  const { mails: texts } = useTexts();
  const [kept] = useState<ListMemory>(() => memory.current ?? INITIAL_LIST);
  const [filter, setFilter] = useState<MailFilter>(kept.filter);
  const [typed, setTyped] = useState(kept.text);
  const text = useSettled(typed.trim());
  const pages = useMailPages(filter, text);
  const remember = (part: Partial<ListMemory>): void => {
    memory.current = { ...(memory.current ?? INITIAL_LIST), ...part };
  };
  const choose = (next: MailFilter, nextText: string): void => {
    remember({ filter: next, text: nextText, active: 0, scrollTopPx: 0 });
    setFilter(next);
    setTyped(nextText);
  };
  const isNarrowed = filter !== 'all' || text !== '';

  return (
    <Page
      title={texts.title}
      ownScroll="yes"
      aside={
        <span class="quiet numbers" role="status">
          {pages.total === null ? '' : texts.count(pages.total)}
        </span>
      }
    >
      <div class="finder">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.searchHint}
          value={typed}
          onInput={(event) => choose(filter, event.currentTarget.value)}
        />
        <select
          aria-label={texts.filter}
          value={filter}
          onChange={(event) => choose(readFilter(event.currentTarget.value), typed)}
        >
          {MAIL_FILTERS.map((name) => (
            <option key={name} value={name}>
              {texts.filters[name]}
            </option>
          ))}
        </select>
      </div>
      {pages.trouble !== null && <Trouble title={null} text={pages.trouble} quote={null} />}
      {pages.total === 0 ? (
        isNarrowed ? (
          <Empty icon="search" title={texts.noMatchTitle} text={texts.noMatchText}>
            <button type="button" onClick={() => choose('all', '')}>
              {texts.showAll}
            </button>
          </Empty>
        ) : (
          <Empty icon="mails" title={texts.noneTitle} text={texts.noneText} />
        )
      ) : (
        <MailList
          // Another filter is another list, from its top.
          key={`${filter}/${text}`}
          pages={pages}
          start={memory.current ?? INITIAL_LIST}
          onMoved={remember}
          onOpen={(id) => onOpen({ kind: 'mail', id })}
        />
      )}
    </Page>
  );
}

/** The text once the typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
