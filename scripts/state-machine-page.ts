import { RECIPIENT_MOVES } from '../cloud/queue/moves.ts';
import { MOVES, type StateKind } from '../src/main/core/mail-state.ts';
import { MAIL_STATE_TEXTS } from '../src/shared/texts/state-texts.ts';

/** What each state of the agent's ledger means; a new state is missing here until it is written. */
const STATES: Record<StateKind, string> = {
  claimed: 'waits for its next attempt; certainly not sent',
  attempting: 'a numbered attempt is under way, its last bytes held back; certainly not sent',
  'handed-over': 'the last bytes may have left; the reply of the mail server decides',
  sent: 'the mail server took it over; final',
  failed: 'not sent and never will be under this key; final',
  uncertain: 'it may have been sent; a person or the Sent folder decides, never a clock',
  cancelled: 'the cloud stopped it before it began; final',
  released: 'given back to the queue before it began; may be claimed again',
};

const id = (kind: string): string => kind.replace('-', '_');
const code = (text: string): string => `\`${text}\``;

/** The page docs/state-machine.md: made from the tables the agent and the cloud obey, so that it cannot drift from them. */
export function stateMachinePage(): string {
  const arrows = Object.entries(MOVES).flatMap(([event, move]) =>
    move.from.flatMap((from) => move.to.map((to) => `    ${id(from)} --> ${id(to)}: ${event}`)),
  );
  const states = Object.entries(STATES);
  const readAs: Record<string, string> = MAIL_STATE_TEXTS.en;
  return `${[
    '# The states of one mail',
    '',
    '<!-- Made by `npm run generate` from src/main/core/mail-state.ts and cloud/queue/moves.ts; change those. -->',
    '',
    '## In the agent',
    '',
    'Every mail the agent has claimed stands in exactly one of these states in its ledger. `step` in',
    'src/main/core/step.ts is the only place that moves it. A move the table below does not name is refused; an event',
    'that already had its effect changes nothing, so that a commit of unknown outcome can be repeated. Each outcome is',
    'written in one transaction with the report that tells the cloud.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...states.filter(([kind]) => id(kind) !== kind).map(([kind]) => `    state "${kind}" as ${id(kind)}`),
    '    [*] --> claimed: claim',
    ...arrows,
    '```',
    '',
    '| State | People read | Means |',
    '|---|---|---|',
    ...states.map(([kind, meaning]) => `| ${code(kind)} | ${readAs[kind]} | ${meaning} |`),
    '',
    '| Event | From | To | Means |',
    '|---|---|---|---|',
    ...Object.entries(MOVES).map(
      ([event, { from, to, meaning }]) =>
        `| ${code(event)} | ${from.map(code).join(', ')} | ${to.map(code).join(', ')} | ${meaning} |`,
    ),
    '',
    '## In the cloud',
    '',
    'The cloud keeps a coarser state of the same mail. All of `claimed`, `attempting`, `handed-over` and `uncertain` are',
    '`sending` there; uncertain is a mark on it. The database itself refuses every move this table does not name. Nothing',
    'moves a mail out of `sending` by time.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...RECIPIENT_MOVES.map(
      ({ from, to, needsNotBegun }) => `    ${from} --> ${to}${needsNotBegun ? ': only before it begins' : ''}`,
    ),
    '```',
    '',
    '| From | To | Only before it begins | Means |',
    '|---|---|---|---|',
    ...RECIPIENT_MOVES.map(
      ({ from, to, needsNotBegun, meaning }) =>
        `| ${code(from)} | ${code(to)} | ${needsNotBegun ? 'yes' : ''} | ${meaning} |`,
    ),
  ].join('\n')}\n`;
}
