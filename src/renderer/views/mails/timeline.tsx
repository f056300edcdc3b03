import type { JSX } from 'preact';
import type { TimelineEntry } from '../../../shared/ipc/views.ts';
import type { TimelineTurn } from '../../../shared/texts/window-texts/mails-texts.ts';
import { exactTime } from '../../../shared/texts/window-texts/time-texts.ts';
import { ServerQuote } from '../../parts/server-quote.tsx';
import type { Tone } from '../../parts/state-mark.tsx';
import { useTexts } from '../../texts.ts';

const KINDS: Record<TimelineEntry['what'], { readonly tone: Tone; readonly turn: TimelineTurn | null }> = {
  claimed: { tone: 'quiet', turn: null },
  attempt: { tone: 'quiet', turn: null },
  'handed-over': { tone: 'quiet', turn: null },
  accepted: { tone: 'good', turn: null },
  refused: { tone: 'bad', turn: 'refused' },
  'not-sent': { tone: 'quiet', turn: 'not-sent' },
  lost: { tone: 'ask', turn: 'lost' },
  told: { tone: 'quiet', turn: null },
  conflict: { tone: 'ask', turn: 'conflict' },
  bounced: { tone: 'bad', turn: null },
  replied: { tone: 'good', turn: null },
};

/** What happened, in its order, with the evidence in words and the server's own words folded. */
export function Timeline(props: { readonly entries: readonly TimelineEntry[] }): JSX.Element {
  return (
    <ol class="timeline">
      {props.entries.map((entry) => (
        <Entry key={`${entry.atMs}/${entry.what}`} entry={entry} />
      ))}
    </ol>
  );
}

function Entry(props: { readonly entry: TimelineEntry }): JSX.Element {
  const { atMs, what, text, quote } = props.entry;
  const { language, mails } = useTexts();
  const { tone, turn } = KINDS[what];
  const word = turn === null ? text : mails.mail.turn[turn];
  return (
    <li class={`tone-${tone}`}>
      <p class="timeline-head strong">{word}</p>
      <time class="quiet numbers" dateTime={new Date(atMs).toISOString()}>
        {exactTime(language, atMs)}
      </time>
      {text !== word && <p>{text}</p>}
      <ServerQuote quote={quote} />
    </li>
  );
}
