import type { JSX } from 'preact';
import type { Place } from '../route.ts';
import { useTexts } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';

/** The bar of places. Set-up stands there until it is done. */
export function NavBar(props: {
  readonly place: Place;
  readonly isSetUp: boolean;
  readonly questionCount: number;
  readonly onGo: (place: Place) => void;
}): JSX.Element {
  const { frame } = useTexts();
  const { place, isSetUp, questionCount, onGo } = props;
  const entries: readonly { readonly place: Place; readonly icon: IconName; readonly word: string }[] = [
    ...(isSetUp ? [] : [{ place: 'set-up', icon: 'set-up', word: frame.places.setUp } as const]),
    { place: 'today', icon: 'today', word: frame.places.today },
    { place: 'mails', icon: 'mails', word: frame.places.mails },
    { place: 'needs-you', icon: 'question', word: frame.places.needsYou },
    { place: 'settings', icon: 'settings', word: frame.places.settings },
  ];
  return (
    <nav class="nav" aria-label={frame.places.label}>
      {entries.map((entry) => (
        <button
          key={entry.place}
          id={`nav-${entry.place}`}
          type="button"
          class="nav-entry"
          aria-current={entry.place === place ? 'page' : undefined}
          onClick={() => onGo(entry.place)}
        >
          <Icon name={entry.icon} />
          <span>{entry.word}</span>
          {entry.place === 'needs-you' && questionCount > 0 && (
            <>
              <span class="badge" aria-hidden="true">
                {Math.min(questionCount, 999)}
              </span>
              <span class="heard-only">{frame.questions(questionCount)}</span>
            </>
          )}
        </button>
      ))}
    </nav>
  );
}
