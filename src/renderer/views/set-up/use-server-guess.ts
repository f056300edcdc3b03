import { useEffect, useRef, useState } from 'preact/hooks';
import type { ServerGuess } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { isAddress, withGuess } from './account-draft.ts';
import type { Draft } from './draft.ts';

export type ServerSearch = {
  readonly guess: ServerGuess;
  /** `asked`: nobody knows it, or nobody vouches for it. `offline`: there was no network to ask anybody. */
  readonly state: 'idle' | 'looking' | 'asked' | 'offline';
  /** The newest answer, also for one who waited for it. */
  readonly found: () => ServerGuess;
  /** The draft with the server of its address, where somebody knows it and the person has not named one. */
  readonly look: () => Promise<Draft>;
  /** Asks the person for it, where it was not only the network that was missing. */
  readonly ask: () => 'asked' | 'offline';
};

/** Looks for the server of the draft's address, once for each address. */
export function useServerGuess(draft: Draft, onDraft: (draft: Draft) => void): ServerSearch {
  const [guess, setGuess] = useState<ServerGuess>(null);
  const [state, setState] = useState<ServerSearch['state']>('idle');
  const askedFor = useRef<string | null>(null);
  const found = useRef<ServerGuess>(null);
  const isOffline = useRef(false);
  const latest = useRef(draft);
  latest.current = draft;

  const ask = (): 'asked' | 'offline' => {
    const how = isOffline.current ? 'offline' : 'asked';
    setState(how);
    return how;
  };
  const look = async (): Promise<Draft> => {
    const address = draft.address.trim();
    if (!isAddress(address) || askedFor.current === address) return latest.current;
    askedFor.current = address;
    setState('looking');
    const answer = await request('guess-server', { address });
    // The person may have typed on while the answer was under way.
    const now = latest.current;
    if (askedFor.current !== address) return now;
    setState('idle');
    if (!answer.ok) return now;
    isOffline.current = answer.value === 'offline';
    // The network may be back the next time.
    if (isOffline.current) askedFor.current = null;
    const known = answer.value === 'offline' ? null : answer.value;
    setGuess(known);
    found.current = known;
    const next = withGuess(now, address, known);
    if (next.host === '') ask();
    if (next !== now) onDraft(next);
    return next;
  };
  // Once, with the address the form began with: it wants the right word for its password.
  useEffect(() => {
    void look();
  }, []);
  return { guess, state, found: () => found.current, look, ask };
}
