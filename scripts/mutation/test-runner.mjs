import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { importReader } from './imports.mjs';

const COLLECTOR = pathToFileURL(path.join(import.meta.dirname, 'collect-tests.mjs')).href;

/**
 * Runs the tests of one part in this very process. Vitest loads every module anew for each change, which takes some
 * hundred times as long as the tests; here only a change to what runs while a module loads needs a new process.
 * A change that lets something go on after its test may not count against the next one: late errors are ignored.
 */
class TestRunner {
  /** What Stryker's changed code reads and writes. */
  #space;
  #hooks;
  /** Tests by file, as far as they are loaded. */
  #loaded = new Map();
  #durations = new Map();

  constructor() {
    globalThis.__stryker__ ??= {};
    this.#space = globalThis.__stryker__;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  init() {
    globalThis.__vitest_worker__ = { config: { expect: {}, snapshotOptions: {} }, filepath: '' };
    process.on('unhandledRejection', () => {});
    process.on('uncaughtException', () => {});
    this.#hooks = registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'vitest' && context.parentURL !== COLLECTOR
          ? { url: COLLECTOR, format: 'module', shortCircuit: true }
          : next(specifier, context),
    });
  }

  async dryRun({ files }) {
    const tests = [];
    for (const file of this.#filesThatImport(files)) tests.push(...(await this.#testsOf(file)));
    const results = [];
    for (const test of tests) {
      await this.#begin(test);
      this.#space.currentTestId = test.id;
      const startMs = performance.now();
      const failure = await this.#run(test, 600_000);
      this.#space.currentTestId = undefined;
      const timeSpentMs = performance.now() - startMs;
      this.#durations.set(test.id, timeSpentMs);
      const known = { id: test.id, name: test.name, fileName: test.file, timeSpentMs };
      results.push(failure === null ? { ...known, status: 0 } : { ...known, status: 1, failureMessage: failure.text });
    }
    return { status: 'complete', tests: results, mutantCoverage: this.#space.mutantCoverage };
  }

  async mutantRun({ activeMutant, sandboxFileName, mutantActivation, testFilter, hitLimit, timeout }) {
    const space = this.#space;
    space.hitLimit = hitLimit;
    space.hitCount = hitLimit === undefined ? undefined : 0;
    const isStatic = mutantActivation === 'static';
    let nrOfTests = 0;
    try {
      for (const tests of this.#batches(sandboxFileName, testFilter)) {
        space.activeMutant = isStatic ? activeMutant.id : undefined;
        let wanted;
        try {
          wanted = await tests();
        } catch (error) {
          return { status: 'killed', killedBy: [], nrOfTests, failureMessage: `it does not load: ${error}` };
        }
        for (const test of wanted) {
          space.activeMutant = isStatic ? activeMutant.id : undefined;
          await this.#begin(test);
          space.activeMutant = activeMutant.id;
          // Processes that a test starts run the changed code too.
          process.env.__STRYKER_ACTIVE_MUTANT__ = activeMutant.id;
          nrOfTests += 1;
          const failure = await this.#run(test, timeout / 2);
          delete process.env.__STRYKER_ACTIVE_MUTANT__;
          if (failure?.isTimeout === true || space.hitCount > hitLimit) return { status: 'timeout' };
          if (failure !== null) {
            return { status: 'killed', killedBy: [test.id], nrOfTests, failureMessage: failure.text };
          }
        }
      }
      return { status: 'survived', nrOfTests };
    } finally {
      space.activeMutant = undefined;
    }
  }

  async dispose() {
    for (const tests of this.#loaded.values()) {
      for (const suite of new Set(tests.flatMap(({ suites }) => suites))) {
        if (suite.isBegun) for (const end of suite.afterAll) await end();
      }
    }
    this.#hooks?.deregister();
  }

  /** The test files of this part that load one of these sources. */
  #filesThatImport(sources) {
    const importsOf = importReader();
    const wanted = sources.map((source) => path.resolve(source));
    const files = process.env.MUTATION_TESTS.split(',').flatMap((pattern) => globSync(`test/${pattern}`));
    return files.sort().filter((file) => !importsOf(file).isDisjointFrom(new Set(wanted)));
  }

  async #testsOf(file) {
    const known = this.#loaded.get(file);
    if (known !== undefined) return known;
    const { collect, suitesOf } = await import(COLLECTOR);
    const collected = await collect(pathToFileURL(path.resolve(file)).href);
    const tests = collected.map((test) => ({ ...test, file, id: `${file}#${test.name}`, suites: suitesOf(test) }));
    this.#loaded.set(file, tests);
    return tests;
  }

  /** Which tests to run, in an order that fails soon: the file named like the changed one first, the quickest first. */
  #batches(changed, testFilter) {
    const name = path.basename(changed, '.ts');
    const files = this.#filesThatImport([changed]).sort(
      (a, b) => Number(b.includes(`/${name}.`)) - Number(a.includes(`/${name}.`)),
    );
    if (testFilter === undefined) return files.map((file) => () => this.#testsOf(file));
    const wanted = new Set(testFilter);
    const filtered = async () => {
      const tests = [];
      for (const file of files) {
        if (testFilter.some((id) => id.startsWith(`${file}#`))) tests.push(...(await this.#testsOf(file)));
      }
      const duration = ({ id }) => this.#durations.get(id) ?? 0;
      return tests.filter(({ id }) => wanted.has(id)).sort((a, b) => duration(a) - duration(b));
    };
    return [filtered];
  }

  async #begin({ suites }) {
    for (const suite of suites) {
      if (suite.isBegun) continue;
      suite.isBegun = true;
      for (const begin of suite.beforeAll) await begin();
    }
  }

  /** Null where the test passed. */
  async #run({ run, suites }, limitMs) {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, limitMs, { isTimeout: true, text: 'no end' });
    });
    const attempt = async () => {
      try {
        for (const suite of suites) for (const before of suite.beforeEach) await before();
        await run();
        return null;
      } catch (error) {
        return { isTimeout: false, text: String(error?.message ?? error) };
      } finally {
        for (const suite of suites.toReversed()) for (const after of suite.afterEach) await after();
      }
    };
    try {
      return await Promise.race([attempt().catch((error) => ({ isTimeout: false, text: String(error) })), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: TestRunner }];
