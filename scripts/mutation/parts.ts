/** What is changed to see whether a test notices, and the tests that are to notice, as patterns in test/. */
export type MutationPart = { readonly mutate: readonly string[]; readonly tests: readonly string[] };

export const MUTATION_PARTS: Readonly<Record<string, MutationPart>> = {
  core: { mutate: ['src/main/core/**/*.ts'], tests: ['core/**/*.test.ts'] },
  engine: { mutate: ['src/main/engine/**/*.ts'], tests: ['engine/**/*.test.ts'] },
  ledger: {
    mutate: ['src/main/adapters/sqlite/**/*.ts'],
    tests: ['adapters/sqlite/*.test.ts', 'conformance/ledger*.test.ts'],
  },
  cloud: { mutate: ['cloud/queue/rules.ts'], tests: ['cloud/queue/rules.test.ts'] },
};
