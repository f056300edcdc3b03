import { defineConfig } from 'vitest/config';

/** The tests of one part, as `parts.ts` names them: they alone decide whether a change is noticed. */
const patterns = (process.env['MUTATION_TESTS'] ?? '').split(',');

export default defineConfig({
  test: {
    include: patterns.map((pattern) => `test/${pattern}`),
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
