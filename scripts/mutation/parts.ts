/** What is changed to see whether a test notices, and the tests that are to notice, as folders of test/. */
export type MutationPart = { readonly mutate: readonly string[]; readonly tests: readonly string[] };

export const MUTATION_PARTS: Readonly<Record<string, MutationPart>> = {
  core: { mutate: ['src/main/core/**/*.ts'], tests: ['core'] },
  engine: { mutate: ['src/main/engine/**/*.ts'], tests: ['engine', 'faults'] },
  ledger: { mutate: ['src/main/adapters/sqlite/**/*.ts'], tests: ['adapters/sqlite', 'conformance'] },
  cloud: { mutate: ['cloud/queue/rules.ts'], tests: ['cloud/queue', 'conformance'] },
};
