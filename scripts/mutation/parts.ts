/**
 * What is changed to see whether a test notices, and the tests that are to notice, as patterns in test/. Left out are the
 * tests that take minutes (the simulator, the n-th failure, both ledgers side by side): a change that only they would
 * notice counts as unnoticed.
 */
export type MutationPart = { readonly mutate: readonly string[]; readonly tests: readonly string[] };

export const MUTATION_PARTS: Readonly<Record<string, MutationPart>> = {
  // The reply table is data: each of its lines has the replies that must lead to it in test/core/reply-samples.ts.
  core: { mutate: ['src/main/core/**/*.ts', '!src/main/core/reply-rules.ts'], tests: ['core/**/*.test.ts'] },
  engine: { mutate: ['src/main/engine/**/*.ts'], tests: ['engine/**/*.test.ts'] },
  ledger: {
    mutate: ['src/main/adapters/sqlite/**/*.ts'],
    tests: ['adapters/sqlite/*.test.ts', 'conformance/ledger.test.ts'],
  },
  cloud: { mutate: ['cloud/queue/rules.ts'], tests: ['cloud/queue/rules.test.ts'] },
};
