import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { ServerQuote } from './server-quote.tsx';

/** An error where it happened: what happened and what to do, the server's own words folded, one button. */
export function Trouble(props: {
  readonly title: string | null;
  readonly text: string;
  readonly quote: string | null;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { title, text, quote, children } = props;
  const note = useRef<HTMLDivElement>(null);
  // Below the edge of a small window nobody would know why nothing went on.
  useEffect(() => note.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div class="note note-bad" role="alert" ref={note}>
      <Icon name="cross" />
      <div class="note-body">
        {title !== null && <strong>{title}</strong>}
        <p>{text}</p>
        <ServerQuote quote={quote} />
        {children}
      </div>
    </div>
  );
}
