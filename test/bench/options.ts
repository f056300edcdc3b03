import { parseArgs } from 'node:util';
import { z } from 'zod';
import { err, ok, type Result } from '../../src/shared/result.ts';

/** The parts of the benchmark, in the order they run. */
export const PARTS = [
  'send-2k-loopback',
  'send-100k-loopback',
  'send-2k-sink',
  'send-100k-sink',
  'send-2k-40ms',
  'send-100k-40ms',
  'send-2k-40ms-cloud',
  'agents',
  'claim',
] as const;
export type Part = (typeof PARTS)[number];

export const USAGE = `Usage: npm run bench -- [option ...]

  --only PART     run this part alone; may be given several times
                  ${PARTS.join(', ')}
  --rounds N      pairs of measurements in each send part, 1 to 50             default 5, with --quick 3
  --rows N        queued rows of the larger queue in "claim", 10000 to 5000000;
                  the smaller one has a tenth of them                          default 1000000, with --quick 100000
  --quick         fewer mails, rounds and rows: a look, not a measurement
  --json          the last line is one JSON object
  --help

Ends with 1 where a required ratio is missed, with 2 for a wrong option.
`;

const Options = z.object({
  only: z.array(z.enum(PARTS, `is no part; the parts are ${PARTS.join(', ')}`)).default([...PARTS]),
  rounds: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(1, 'must be 1 or more')
    .max(50, 'must be 50 or less')
    .optional(),
  rows: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(10_000, 'must be 10000 or more')
    .max(5_000_000, 'must be 5000000 or less')
    .optional(),
  quick: z.boolean().default(false),
  json: z.boolean().default(false),
});

export type BenchOptions = {
  readonly parts: readonly Part[];
  readonly rounds: number;
  readonly rows: number;
  readonly size: 'full' | 'quick';
  readonly output: 'text' | 'json';
};

/** The error names the option, its value and what is allowed. */
export function readOptions(args: readonly string[]): Result<BenchOptions | 'help', string> {
  const given = parse(args);
  if (!given.ok) return given;
  if (given.value['help'] === true) return ok('help');
  const parsed = Options.safeParse(given.value);
  if (!parsed.success) {
    return err(
      parsed.error.issues
        .map(({ path, message }) => {
          const [name, place] = path;
          const value = given.value[String(name)];
          const shown = Array.isArray(value) && typeof place === 'number' ? value[place] : value;
          return `--${String(name)} "${String(shown)}": ${message}`;
        })
        .join('\n'),
    );
  }
  const { only, rounds, rows, quick, json } = parsed.data;
  return ok({
    parts: PARTS.filter((part) => only.includes(part)),
    rounds: rounds ?? (quick ? 3 : 5),
    rows: rows ?? (quick ? 100_000 : 1_000_000),
    size: quick ? 'quick' : 'full',
    output: json ? 'json' : 'text',
  });
}

function parse(args: readonly string[]): Result<Readonly<Record<string, unknown>>, string> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        rounds: { type: 'string' },
        rows: { type: 'string' },
        quick: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return ok(values);
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}
