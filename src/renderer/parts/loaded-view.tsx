import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../texts.ts';
import type { Loaded } from '../use-request.ts';
import { Trouble } from './trouble.tsx';

const WORDS_AFTER_MS = 3000;

/** Shows what was asked for; until then quiet bars, words when it takes long, and a trouble where one came instead. */
export function LoadedView<T>(props: {
  readonly loaded: Loaded<T>;
  readonly onTryAgain: () => void;
  readonly children: (value: T) => ComponentChildren;
}): JSX.Element {
  const { loaded, onTryAgain, children } = props;
  const { frame } = useTexts();
  switch (loaded.kind) {
    case 'loading':
      return <Skeleton />;
    case 'trouble':
      return (
        <Trouble title={frame.trouble} text={loaded.text} quote={null}>
          <button type="button" onClick={onTryAgain}>
            {frame.tryAgain}
          </button>
        </Trouble>
      );
    case 'here':
      return <>{children(loaded.value)}</>;
  }
}

function Skeleton(): JSX.Element {
  const { frame } = useTexts();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), WORDS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" role="status">
      <span class="bone bone-wide" />
      <span class="bone" />
      <span class="bone bone-short" />
      {isLong && <p class="quiet">{frame.loading}</p>}
    </div>
  );
}
