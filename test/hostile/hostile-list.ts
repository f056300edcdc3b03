import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type HostileRow, HostileRows } from './hostile-schema.ts';

export const HOSTILE_ROWS: readonly HostileRow[] = HostileRows.parse(
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'hostile-inputs.json'), 'utf8')),
);

export function hostileRow(id: string): HostileRow {
  const row = HOSTILE_ROWS.find((one) => one.id === id);
  if (row === undefined) throw new Error(`${id} is no hostile input of the list`);
  return row;
}
