import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Where rows have tests of their own. */
const FOLDERS = ['test/hostile', 'test/e2e/desktop'];

/** The files that hold a row's own tests, by the row's id, as the calls of `hostile` say. */
export function ownTests(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(path.join(ROOT, folder)).sort()) {
      if (!name.endsWith('.test.ts')) continue;
      const file = `${folder}/${name}`;
      for (const [, id = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\bhostile\(\s*'(HI-\d{3})'/g)) {
        const files = found.get(id) ?? [];
        if (!files.includes(file)) found.set(id, [...files, file]);
      }
    }
  }
  return found;
}
