import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { importReader } from './imports.mjs';

const COLLECTOR = pathToFileURL(path.join(import.meta.dirname, 'collect-tests.mjs')).href;

/** In the copy of the project that is changed: how long each test took unchanged, and how often it met each change. */
const DRY_RUN = 'mutation-dry-run.json';
/** A test that meets a change this many times as often as before, and a thousand times more, has got into a loop. */
const LOOP_FACTOR = 20;
const LOOP_MORE = 1000;

/**
 * Runs the tests of one part in this very process. Vitest loads every module anew for each change, which takes far longer
 * than the tests; here only a change to what runs while a module loads needs a new process.
 * A change that lets something go on after its test may not count against the next one: late errors are ignored.
 */
class TestRunner {
  /** What Stryker's changed code reads and writes. */
  #space;
  #hooks;
  /** Tests by file, as far as they are loaded. */
  #loaded = new Map();
  #dryRun = { durations: {}, hits: {} };

  constructor() {
    globalThis.__stryker__ ??= {};
    this.#space = globalThis.__stryker__;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  init() {
    if (existsSync(DRY_RUN)) this.#dryRun = JSON.parse(readFileSync(DRY_RUN, 'utf8'));
    globalThis.__vitest_worker__ = { config: { expect: {}, snapshotOptions: {} }, filepath: '' };
    const ignore = () => undefined;
    process.on('unhandledRejection', ignore);
    process.on('uncaughtException', ignore);
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
      this.#dryRun.durations[test.id] = timeSpentMs;
      const known = { id: test.id, name: test.name, fileName: test.file, timeSpentMs };
      results.push(failure === null ? { ...known, status: 0 } : { ...known, status: 1, failureMessage: failure.text });
    }
    this.#dryRun.hits = this.#space.mutantCoverage?.perTest ?? {};
    writeFileSync(DRY_RUN, JSON.stringify(this.#dryRun));
    return { status: 'complete', tests: results, mutantCoverage: this.#space.mutantCoverage };
  }

  async mutantRun({ activeMutant, sandboxFileName, mutantActivation, testFilter, hitLimit, timeout }) {
    const space = this.#space;
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
          const hits = this.#dryRun.hits[test.id]?.[activeMutant.id];
          space.hitCount = 0;
          space.hitLimit = hits === undefined ? (hitLimit ?? Number.POSITIVE_INFINITY) : hits * LOOP_FACTOR + LOOP_MORE;
          // Processes that a test starts run the changed code too.
          process.env.__STRYKER_ACTIVE_MUTANT__ = activeMutant.id;
          nrOfTests += 1;
          const failure = await this.#run(test, timeout / 2);
          delete process.env.__STRYKER_ACTIVE_MUTANT__;
          if (failure?.isTimeout === true || space.hitCount > space.hitLimit) return { status: 'timeout' };
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
    const files = process.env.MUTATION_TESTS.split(',').flatMap((pattern) => globSync(`test/${pattern}`).sort());
    return files.filter((file) => !importsOf(file).isDisjointFrom(new Set(wanted)));
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
    const files = this.#filesThatImport([changed]);
    const wanted = testFilter && new Set(testFilter);
    const isWanted = ({ id }) => wanted === undefined || wanted.has(id);
    const duration = ({ id }) => this.#dryRun.durations[id] ?? 0;
    const of = (some) => async () => {
      const tests = [];
      for (const file of some) tests.push(...(await this.#testsOf(file)).filter(isWanted));
      return tests.sort((a, b) => duration(a) - duration(b));
    };
    const needed = files.filter((file) => wanted === undefined || testFilter.some((id) => id.startsWith(`${file}#`)));
    const own = needed.filter((file) => file.includes(`/${name}.`));
    return [of(own), of(needed.filter((file) => !own.includes(file)))];
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
