// Stands in for `vitest` in the tests while code is changed: keeps what they declare instead of running it.
import { expect } from 'vitest';

/** The suite that declarations go to now. */
let current = newSuite(null, '');
let tests = [];

function newSuite(parent, name) {
  return { parent, name, isBegun: false, beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

const nameOf = (suite) => (suite === null || suite.name === '' ? '' : `${nameOf(suite.parent)}${suite.name} > `);

function describe(name, declare) {
  current = newSuite(current, name);
  declare();
  current = current.parent;
}

const it = (name, run) => tests.push({ suite: current, name: `${nameOf(current)}${name}`, run });
it.each = (rows) => (name, run) => {
  for (const row of rows) it(name, () => run(...(Array.isArray(row) ? row : [row])));
};

const hook = (kind) => (run) => current[kind].push(run);
const beforeAll = hook('beforeAll');
const afterAll = hook('afterAll');
const beforeEach = hook('beforeEach');
const afterEach = hook('afterEach');

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it };

/** Loads one test file. Answers its tests, whose names tell them apart, the same at every load. */
export async function collect(url) {
  current = newSuite(null, '');
  tests = [];
  await import(url);
  return tests.map((test, index) => ({ ...test, name: `${test.name} (${index + 1})` }));
}

/** The suites of a test, the outermost first. */
export const suitesOf = ({ suite }) => (suite === null ? [] : [...suitesOf({ suite: suite.parent }), suite]);
