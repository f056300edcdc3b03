import type { JSX } from 'preact';
import { exactTime, timeAgo } from '../../shared/texts/window-texts/time-texts.ts';
import { useTexts } from '../texts.ts';

/** "3 min ago", exact on hover. */
export function Ago(props: { readonly atMs: number; readonly nowMs: number }): JSX.Element {
  const { language } = useTexts();
  return (
    <time dateTime={new Date(props.atMs).toISOString()} title={exactTime(language, props.atMs)}>
      {timeAgo(language, props.atMs, props.nowMs)}
    </time>
  );
}
