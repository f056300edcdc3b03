import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A leaked handle or a late rejection is a fault, not noise.
    dangerouslyIgnoreUnhandledErrors: false,
    passWithNoTests: false,
  },
});
