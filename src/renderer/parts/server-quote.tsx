import type { JSX } from 'preact';
import { useTexts } from '../texts.ts';

/** A server's own words, folded, as a quote; nothing where there are none. */
export function ServerQuote(props: { readonly quote: string | null }): JSX.Element | null {
  const { frame } = useTexts();
  if (props.quote === null || props.quote === '') return null;
  return (
    <details class="quote">
      <summary>{frame.serverSaid}</summary>
      <blockquote>{props.quote}</blockquote>
    </details>
  );
}
