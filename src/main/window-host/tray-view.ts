import type { StatusView } from '../../shared/status.ts';
import { taskSum } from '../../shared/task-sum.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import { AGENT_STATE_TEXTS } from '../../shared/texts/state-texts.ts';
import type { AgentState } from '../../shared/wire/messages.ts';

/** What a click on an entry of the tray's menu asks for. */
export type TrayCommand =
  | 'open'
  | 'check-now'
  | 'pause-hour'
  | 'pause-today'
  | 'pause-open-end'
  | 'resume'
  | 'needs-you'
  | 'quit';

export type TrayEntry =
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'line' }
  | { readonly kind: 'command'; readonly label: string; readonly command: TrayCommand }
  | { readonly kind: 'menu'; readonly label: string; readonly entries: readonly TrayEntry[] };

export type TrayView = {
  readonly icon: AgentState;
  readonly tooltip: string;
  readonly menu: readonly TrayEntry[];
};

export type TrayFacts = {
  readonly status: StatusView;
  readonly isSetUp: boolean;
  readonly isQuitting: boolean;
  readonly language: Language;
};

/** How many things wait for a person: uncertain mails, conflicts, and holds that a person must end. */
function needsYouCount({ counts, holds }: Pick<StatusView, 'counts' | 'holds'>): number {
  return counts.uncertain + counts.conflicts + holds.filter(({ kind }) => NEEDS_PERSON.has(kind)).length;
}
export const NEEDS_PERSON: ReadonlySet<string> = new Set(['ledger', 'token', 'keychain', 'account', 'fault']);
const PAUSED: ReadonlySet<string> = new Set(['user', 'cloud']);

/** The tray before anything is known. */
export function startingView(language: Language): TrayView {
  const { appName, starting, menu } = DESKTOP_TEXTS[language];
  return {
    icon: 'idle',
    tooltip: `${appName}: ${starting}`,
    menu: [
      { kind: 'text', label: starting },
      { kind: 'line' },
      { kind: 'command', label: menu.open, command: 'open' },
      { kind: 'line' },
      { kind: 'command', label: menu.quit, command: 'quit' },
    ],
  };
}

/** The tray as it is to look now. */
export function trayView({ status, isSetUp, isQuitting, language }: TrayFacts): TrayView {
  const texts = DESKTOP_TEXTS[language];
  const command = (label: string, what: TrayCommand): TrayEntry => ({ kind: 'command', label, command: what });
  const line = statusLine({ status, isSetUp, isQuitting, language });
  const needed = needsYouCount(status);
  const paused = status.holds.some(({ kind }) => PAUSED.has(kind));
  const { menu } = texts;
  const sending: readonly TrayEntry[] = isSetUp
    ? [
        command(menu.checkNow, 'check-now'),
        paused
          ? command(menu.resume, 'resume')
          : {
              kind: 'menu',
              label: menu.pause,
              entries: [
                command(menu.pauseHour, 'pause-hour'),
                command(menu.pauseToday, 'pause-today'),
                command(menu.pauseOpenEnd, 'pause-open-end'),
              ],
            },
        ...(needed > 0 ? [command(texts.needYou(needed), 'needs-you')] : []),
      ]
    : [];
  return {
    icon: isSetUp ? status.state : 'needs-you',
    tooltip: `${texts.appName}: ${line}`,
    menu: [
      { kind: 'text', label: line },
      { kind: 'line' },
      command(menu.open, 'open'),
      ...(isQuitting ? [] : sending),
      { kind: 'line' },
      command(menu.quit, 'quit'),
    ],
  };
}

/** The state in a word, and how far it is: "Sending · 12 of 40 sent". */
function statusLine({ status, isSetUp, isQuitting, language }: TrayFacts): string {
  const texts = DESKTOP_TEXTS[language];
  if (isQuitting) return texts.quitting;
  if (!isSetUp) return texts.notSetUp;
  const { sent, total } = taskSum(status.tasks);
  const words = [AGENT_STATE_TEXTS[language][status.state]];
  if (total > 0) words.push(texts.progress({ sent, total }));
  return words.join(' · ');
}
