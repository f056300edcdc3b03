// The arrows of docs/ARCHITECTURE.md. Every rule fails the build.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|cloud|test|scripts)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('shared-stands-alone', '^src/shared/', '^src/shared/', 'contracts import nothing of ours'),
    {
      name: 'shared-imports-zod-only',
      severity: 'error',
      from: { path: '^src/shared/', pathNot: '^src/shared/wire/payload-hash\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/zod' },
    },
    {
      name: 'payload-hash-imports-crypto-only',
      severity: 'error',
      from: { path: '^src/shared/wire/payload-hash\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: '^crypto$|node_modules/zod' },
    },
    only('core-is-pure', '^src/main/core/', '^src/(shared|main/core)/', 'core knows shared only'),
    {
      name: 'core-has-no-io',
      severity: 'error',
      comment: 'no I/O, clock, random or library in the pure core, zod for rows and node:crypto for digests excepted',
      from: { path: '^src/main/core/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: '^crypto$|node_modules/zod' },
    },
    only(
      'engine-drives-core',
      '^src/main/engine/',
      '^src/(shared|main/(core|engine))/',
      'engine reaches the world through ports',
    ),
    {
      name: 'engine-has-no-io',
      severity: 'error',
      from: { path: '^src/main/engine/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/zod' },
    },
    only(
      'adapters-implement-ports',
      '^src/main/adapters/',
      '^src/(shared|main/core|main/adapters|main/engine/(discovery/)?ports\\.ts$)',
      'adapters know the ports and the core, never the engine or a shell',
    ),
    only(
      'window-host-wires-main',
      '^src/main/window-host/',
      '^src/(shared|main)/',
      'what stands behind the window wires the agent, without Electron',
    ),
    {
      name: 'window-host-is-no-shell',
      severity: 'error',
      from: { path: '^src/main/window-host/' },
      to: { path: '^src/main/(shell|headless)/' },
    },
    only('headless-wires-main', '^src/main/headless/', '^src/(shared|main)/', 'the terminal shell wires the agent'),
    {
      name: 'headless-is-no-shell',
      severity: 'error',
      from: { path: '^src/main/headless/' },
      to: { path: '^src/main/shell/' },
    },
    only(
      'renderer-knows-shared',
      '^src/renderer/',
      '^src/(shared|renderer)/',
      'the window speaks the window contract only',
    ),
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'electron-in-shell-only',
      severity: 'error',
      // The default app is a part of a runtime, and the empty one a yardstick: neither is part of this program.
      from: { pathNot: '^(src/main/shell|scripts/electron-runtime/default-app|test/bench/desktop/empty-app)/' },
      to: { path: 'node_modules/electron/' },
    },
    only(
      'cloud-knows-shared',
      '^cloud/',
      '^(cloud|src/shared)/',
      'the cloud shares the contract, no code of the agent',
    ),
    {
      name: 'tests-start-no-shell',
      severity: 'error',
      comment: 'what needs Electron is tested beside it, the rest without it',
      from: { path: '^test/', pathNot: '^test/(shell|e2e)/' },
      to: { path: '^src/main/shell/' },
    },
    { name: 'agent-has-no-cloud', severity: 'error', from: { path: '^src/' }, to: { path: '^(cloud|test|scripts)/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
