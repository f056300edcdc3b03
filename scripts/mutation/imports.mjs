import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

/** A reader of what a source file imports, over any number of steps, itself included; absolute names. */
export function importReader() {
  const direct = new Map();
  const importsOf = (file) => {
    const known = direct.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(file, 'utf8');
    const found = [...text.matchAll(IMPORT)]
      .map(([, name]) => path.resolve(path.dirname(file), name))
      .filter(existsSync);
    direct.set(file, found);
    return found;
  };
  return (file) => {
    const reached = new Set([path.resolve(file)]);
    for (const one of reached) for (const next of importsOf(one)) reached.add(next);
    return reached;
  };
}
