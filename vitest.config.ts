import { defineConfig } from 'vitest/config';

/** Pure code, seeds and random properties: what fails once there is a fault, however seldom it fails. */
const PURE = ['core', 'engine', 'conformance', 'shared', 'sim', 'matrix', 'faults'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** The real desktop program, on a screen of its own. */
const DESKTOP = ['test/e2e/desktop/**/*.test.ts'];

/** Servers, browsers and processes on a machine that may be busy. A second try is named at the end of the run. */
const ON_REAL_PARTS = { retry: 1 };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A leaked handle or a late rejection is a fault, not noise.
    dangerouslyIgnoreUnhandledErrors: false,
    passWithNoTests: false,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE } },
      {
        extends: true,
        test: { ...ON_REAL_PARTS, name: 'real', include: ['test/**/*.test.ts'], exclude: [...PURE, ...DESKTOP] },
      },
      { extends: true, test: { ...ON_REAL_PARTS, name: 'desktop', include: DESKTOP } },
    ],
  },
});
