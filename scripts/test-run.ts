import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const TEXT_MAX = 600;

const TestRun = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/**
 * What a reader must know of a test run, a paragraph each: tests and files that failed, and tests that passed only on
 * another try. `file` is what vitest's JSON reporter wrote; where there is none, the run ended before its end.
 */
export function readTestRun(file: string): readonly string[] {
  if (!existsSync(file)) return ['FAILED  the test run ended before it could say what failed'];
  const { testResults } = TestRun.parse(JSON.parse(readFileSync(file, 'utf8')));
  return testResults.flatMap((tested) => {
    const place = path.relative(process.cwd(), tested.name);
    const single = tested.assertionResults.flatMap((test) => {
      const first = test.failureMessages[0];
      if (first === undefined) return test.status === 'failed' ? [paragraph('FAILED', place, test.fullName, '')] : [];
      return [paragraph(test.status === 'failed' ? 'FAILED' : 'second try', place, test.fullName, first)];
    });
    const whole = tested.status === 'failed' && tested.message !== '';
    return whole ? [...single, paragraph('FAILED', place, 'the file itself', tested.message)] : single;
  });
}

function paragraph(word: string, place: string, title: string, text: string): string {
  const indented = text.slice(0, TEXT_MAX).trimEnd().replaceAll('\n', '\n    ');
  return `${word}  ${place} > ${title}\n    ${indented}`;
}
