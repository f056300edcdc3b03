import { defineConfig } from 'vitest/config';

/** The tests that a mutant must fail; the parts of MUTATION_TESTS, all of them without it. */
const folders = (process.env['MUTATION_TESTS'] ?? 'core,engine').split(',');

export default defineConfig({
  test: {
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
