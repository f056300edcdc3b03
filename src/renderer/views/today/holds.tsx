import type { JSX } from 'preact';
import type { StatusView } from '../../../shared/status.ts';
import { clockTime } from '../../../shared/texts/window-texts/time-texts.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';

/** What somebody chose or what ends by itself; every other hold asks the person for an act. */
const CALM: readonly string[] = ['user', 'cloud', 'back-off'];

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
              <p class="quiet">
                {texts.since(clockTime(language, hold.sinceMs, nowMs))}
                {hold.untilMs !== null && ` · ${texts.endsAt(clockTime(language, hold.untilMs, nowMs))}`}
              </p>
              {(hold.kind === 'account' || hold.kind === 'keychain') && (
                <button type="button" id="hold-account" class="primary" onClick={() => onOpen({ kind: 'account' })}>
                  {texts.openAccount}
                </button>
              )}
              {hold.kind === 'token' && (
                <button type="button" id="hold-token" class="primary" onClick={() => onOpen({ kind: 'connection' })}>
                  {texts.pairAgain}
                </button>
              )}
            </div>
          </div>
        );
      })}
    </>
  );
}
