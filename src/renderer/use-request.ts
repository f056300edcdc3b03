import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { RequestName, Requests } from '../shared/ipc/channels.ts';
import { listen, request } from './bridge.ts';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'trouble'; readonly text: string }
  | { readonly kind: 'here'; readonly value: T };

/** Changes come in bursts; the page asks again at most this often. */
const ASK_AGAIN_MS = 250;

/**
 * Asks main and asks again whenever something changed. What was shown stays until the new answer is here; a trouble
 * after that leaves it standing, for main tells the next change too. `argument` must stay the same object while it
 * means the same.
 */
export function useRequest<N extends RequestName>(
  name: N,
  argument: Requests[N]['in'],
): readonly [Loaded<Requests[N]['out']>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<Requests[N]['out']>>({ kind: 'loading' });
  const latest = useRef(0);

  const ask = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    const answer = await request(name, argument);
    // An older answer that comes late must not replace a newer one.
    if (mine !== latest.current) return;
    setLoaded((before) => {
      if (answer.ok) return { kind: 'here', value: answer.value };
      return before.kind === 'here' ? before : { kind: 'trouble', text: answer.error.text };
    });
  }, [name, argument]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    void ask();
    const unlisten = listen('changed', () => {
      timer ??= setTimeout(() => {
        timer = null;
        void ask();
      }, ASK_AGAIN_MS);
    });
    return () => {
      unlisten();
      if (timer !== null) clearTimeout(timer);
      latest.current += 1;
    };
  }, [ask]);

  const askAgain = useCallback(() => {
    setLoaded((before) => (before.kind === 'trouble' ? { kind: 'loading' } : before));
    void ask();
  }, [ask]);
  return [loaded, askAgain];
}
