import { dialog } from 'electron';
import type { StatusView } from '../../shared/status.ts';
import type { DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { StopMode, StopReport } from '../engine/agent.ts';

/** How long an ending without the mail under way may take. */
const FORCED_MS = 5_000;

export type Quitter = { quit(): void; isQuitting(): boolean };

/**
 * Ends the app: finishes the mail under way, saying so and offering to end at once; asked a second time, it ends at
 * once. `end` closes what is open and leaves; it is called exactly once.
 */
export function createQuitter(parts: {
  readonly status: () => StatusView;
  readonly texts: () => DesktopTexts;
  readonly stop: (mode: StopMode) => Promise<StopReport | null>;
  readonly began: () => void;
  readonly end: (how: 'drained' | 'forced') => Promise<void>;
}): Quitter {
  let stage: 'running' | 'draining' | 'forced' = 'running';
  const over = new AbortController();

  const force = () => {
    if (stage === 'forced') return;
    stage = 'forced';
    void parts.stop('abandon');
    // Whatever still hangs: the ledger is safe at every moment.
    setTimeout(finish, FORCED_MS);
  };
  const finish = () => {
    if (over.signal.aborted) return;
    over.abort();
    void parts.end(stage === 'forced' ? 'forced' : 'drained');
  };
  const ask = async () => {
    const { question, pending, whenDone, now } = parts.texts().quit;
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: question,
      detail: pending(parts.status().counts),
      buttons: [whenDone, now],
      cancelId: 0,
      signal: over.signal,
    });
    if (response === 1 && !over.signal.aborted) force();
  };

  return {
    quit() {
      if (stage !== 'running') return force();
      stage = 'draining';
      const isSending = parts.status().current !== null;
      void parts.stop('drain').then(finish);
      parts.began();
      if (isSending) void ask();
    },
    isQuitting: () => stage !== 'running',
  };
}
