import { CELL_SEEDS, CELLS, MATRIX_FAULTS, MATRIX_STEPS, ON_REAL_PARTS } from '../test/matrix/cells.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const rule = (count: number): string => `|${' --- |'.repeat(count)}`;

/** The page docs/crash-matrix.md: made from the list the tests run over, so that it names exactly what is tested. */
export function crashMatrixPage(): string {
  const ids = new Set(CELLS.map(({ id }) => id));
  const grid = MATRIX_STEPS.map((step) =>
    row([step.id, ...MATRIX_FAULTS.map((fault) => (ids.has(`${step.id}-${fault.id}`) ? '●' : ''))]),
  );
  const realRows = MATRIX_FAULTS.flatMap(({ id, name }) =>
    (ON_REAL_PARTS[id] ?? []).map(({ file, title }) => row([id, name, `\`${file}\`: ${title}`])),
  );
  return `${[
    '# The matrix of steps and faults',
    '',
    '<!-- Made by `npm run generate` from test/matrix/cells.ts; change that. -->',
    '',
    `${CELLS.length} cells: a step of one mail’s life, and a fault that strikes there. Each is one named test (\`S12a-F07: …\`) of`,
    `\`test/matrix/\`, ${CELL_SEEDS} seeds each, in the simulator: the fault strikes at the step, the world comes to rest, every promise is`,
    'checked on the way and at the end. Up to S09 nobody can have begun the mail; there a fault that only delays must end in',
    '“sent”, and doubt fails the test. An empty field is a fault that cannot strike there or means nothing.',
    '',
    row(['', ...MATRIX_FAULTS.map(({ id }) => id)]),
    rule(MATRIX_FAULTS.length + 1),
    ...grid,
    '',
    '## The steps',
    '',
    row(['', 'where the mail stands', 'where the simulator stops for it']),
    rule(3),
    ...MATRIX_STEPS.map(({ id, name, reached }) => row([id, name, reached.map((step) => `\`${step}\``).join(', ')])),
    '',
    '## The faults',
    '',
    row(['', 'what happens']),
    rule(2),
    ...MATRIX_FAULTS.map(({ id, name }) => row([id, name])),
    '',
    '## The same faults on real parts',
    '',
    'These tests run the shipped agent, real PostgreSQL, real files and sockets. They show that what the simulator’s model',
    'parts do under a fault is what real ones do; a test holds this list against the test files.',
    '',
    row(['', 'fault', 'test']),
    rule(3),
    ...realRows,
  ].join('\n')}\n`;
}
