import type { ComponentChildren, JSX } from 'preact';
import { useTexts } from '../texts.ts';
import { Icon } from './icon.tsx';

export const HEADING_ID = 'heading';

/** A view's frame: its heading takes the focus when the view comes in; `onBack` makes it a detail. */
export function Page(props: {
  readonly title: string;
  readonly onBack?: (() => void) | undefined;
  readonly aside?: ComponentChildren;
  /** The content scrolls by itself instead of the page. */
  readonly ownScroll?: 'yes';
  readonly children: ComponentChildren;
}): JSX.Element {
  const { frame } = useTexts();
  const { title, onBack, aside, ownScroll, children } = props;
  return (
    <main class={ownScroll === 'yes' ? 'page page-fixed' : 'page'} aria-labelledby={HEADING_ID}>
      <header class="page-head">
        {onBack !== undefined && (
          <button type="button" class="plain back" onClick={onBack} aria-label={frame.back} title={frame.back}>
            <Icon name="back" />
          </button>
        )}
        <h1 id={HEADING_ID} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </header>
      <div class="page-body">{children}</div>
    </main>
  );
}
