import type { JSX } from 'preact';
import type { StatusView } from '../../../shared/status.ts';
import { holdLine } from '../../../shared/texts/hold-texts.ts';
import { clockTime } from '../../../shared/texts/window-texts/time-texts.ts';
import { Icon } from '../../parts/icon.tsx';
import { TryNow } from '../../parts/try-now.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';

/** What somebody chose or what ends by itself; every other hold asks the person for an act. */
const CALM: readonly string[] = ['user', 'cloud', 'back-off'];

/** What a person may have put right, or does not want to wait for. */
const TRIED_NOW: readonly string[] = ['account', 'back-off', 'keychain'];

export const asksForAct = ({ kind }: StatusView['holds'][number]): boolean => !CALM.includes(kind);

/** Every pause: why, since when, and what ends it. */
export function Holds(props: {
  readonly status: StatusView;
  readonly nowMs: number;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { status, nowMs, onOpen } = props;
  const { language, today: texts } = useTexts();
  const standing = status.holds.filter((hold) => hold.untilMs === null || hold.untilMs > nowMs);
  return (
    <>
      {standing.map((hold) => {
        const isCalm = !asksForAct(hold);
        return (
          <div key={hold.kind} class={isCalm ? 'note' : 'note note-ask'}>
            <Icon name={isCalm ? 'pause' : 'question'} />
            <div class="note-body">
              <p>{hold.text}</p>
              <p class="quiet">{holdLine(language, hold, (atMs) => clockTime(language, atMs, nowMs))}</p>
              <div class="actions">
                {(hold.kind === 'account' || hold.kind === 'keychain') && (
                  <button type="button" id="hold-account" class="primary" onClick={() => onOpen({ kind: 'account' })}>
                    {texts.openAccount}
                  </button>
                )}
                {TRIED_NOW.includes(hold.kind) && <TryNow id={`try-now-${hold.kind}`} />}
                {hold.kind === 'token' && (
                  <button type="button" id="hold-token" class="primary" onClick={() => onOpen({ kind: 'connection' })}>
                    {texts.pairAgain}
                  </button>
                )}
              </div>
            </div>
          </div>
        );
      })}
    </>
  );
}
