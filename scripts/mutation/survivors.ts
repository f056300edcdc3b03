import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const Place = z.object({ line: z.int(), column: z.int() });
const Report = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().optional(),
          status: z.string(),
          location: z.object({ start: Place, end: Place }),
        }),
      ),
    }),
  ),
});

/** A change that no test notices. `was` and `now` are the text changed; `line` is where it was when last looked at. */
const Known = z.strictObject({ file: z.string(), was: z.string(), now: z.string(), reason: z.string().min(1) });
export type Survivor = Omit<z.infer<typeof Known>, 'reason'> & { readonly line: number };

/** What came of one run: mutants noticed, mutants in all, and those that no test noticed. */
export type MutationRun = { readonly noticed: number; readonly all: number; readonly survivors: readonly Survivor[] };

/** Reads the report that the run wrote. Throws where it is not one. */
export function readRun(file: string): MutationRun {
  const { files } = Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const survivors: Survivor[] = [];
  let noticed = 0;
  for (const [name, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const { status, replacement = '', location } of mutants) {
      if (status === 'Killed' || status === 'Timeout') noticed += 1;
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const was = textAt(lines, location);
      survivors.push({ file: name, line: location.start.line, was, now: oneLine(replacement) });
    }
  }
  return { noticed, all: noticed + survivors.length, survivors };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function textAt(
  lines: readonly string[],
  { start, end }: { readonly start: z.infer<typeof Place>; readonly end: z.infer<typeof Place> },
): string {
  const text = lines.slice(start.line - 1, end.line).join('\n');
  const cut = (lines[end.line - 1]?.length ?? 0) - (end.column - 1);
  return oneLine(text.slice(start.column - 1, text.length - cut));
}

/** The survivors that nobody has looked at: those that the list beside this file does not name. */
export function unexplained(survivors: readonly Survivor[]): readonly Survivor[] {
  const text = readFileSync(path.join(import.meta.dirname, 'survivors.json'), 'utf8');
  const known = new Set(
    z
      .array(Known)
      .parse(JSON.parse(text))
      .map(({ file, was, now }) => JSON.stringify([file, was, now])),
  );
  return survivors.filter(({ file, was, now }) => !known.has(JSON.stringify([file, was, now])));
}
