import { HOSTILE_ROWS } from '../test/hostile/hostile-list.ts';
import type { HostileRow } from '../test/hostile/hostile-schema.ts';
import { ownTests } from '../test/hostile/own-tests.ts';

const PARTS: Record<HostileRow['part'], string> = {
  cloud: 'From the cloud',
  address: 'Addresses',
  content: 'The content of a mail',
  attachment: 'Attachments',
  smtp: 'From the mail server',
  ipc: 'From the window',
  settings: 'Settings and stored data',
  os: 'The computer',
  update: 'Updates',
};

/** Text as one cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
const unique = (files: readonly string[]): readonly string[] => [...new Set(files)];

/** The page docs/hostile-inputs.md: which test covers which row, made from the list and from the tests themselves. */
export function hostileInputsPage(): string {
  const own = ownTests();
  const filesOf = (row: HostileRow): readonly string[] =>
    unique([...(own.get(row.id) ?? []), ...(row.coveredBy ?? []).map(({ file }) => file)]);
  const open = HOSTILE_ROWS.filter((row) => row.awaits !== undefined && filesOf(row).length === 0);
  const line = (row: HostileRow): string => {
    const tests = filesOf(row).map((file) => `\`${file}\``);
    const waits = row.awaits === undefined ? [] : [`**open** until there is \`${row.awaits.module}\``];
    const lacks = row.lacks === undefined ? '' : ` _(Not yet: ${row.lacks}.)_`;
    return `| ${row.id} | ${cell(row.input)} | ${cell(row.answer)}.${lacks} | ${[...tests, ...waits].join('<br>')} |`;
  };
  const section = ([part, title]: [string, string]): string[] => [
    '',
    `## ${title}`,
    '',
    '| Row | Input | Answer | Tests |',
    '|---|---|---|---|',
    ...HOSTILE_ROWS.filter((row) => row.part === part).map(line),
  ];
  return `${[
    '# Hostile inputs',
    '',
    '<!-- Made by `npm run generate` from test/hostile/hostile-inputs.json and the tests; change those. -->',
    '',
    'What somebody hostile, careless or newer may send, and what the product answers. A row with tests in `test/hostile` or',
    'a file named `hostile-…` has one test that bears its id; the other files assert the answer under titles that the list',
    'names and `test/hostile/list.test.ts` looks up. A row that waits for a part fails as soon as that part exists.',
    '',
    `${HOSTILE_ROWS.length} rows: ${HOSTILE_ROWS.length - open.length} tested, ${open.length} open because their part does not exist yet.`,
    ...Object.entries(PARTS).flatMap(section),
  ].join('\n')}\n`;
}
