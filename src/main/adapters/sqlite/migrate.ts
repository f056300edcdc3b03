import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { inTransaction, openInMemory, type SqlDriver } from './driver.ts';
import { createOwnersOnly, syncFile, syncFolder } from './files.ts';
import { readPragma } from './pragmas.ts';
import { APPLICATION_ID, type Migration } from './schema.ts';

export const newestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

export const versionOf = (driver: SqlDriver): number => Number(readPragma(driver, 'user_version'));

/** A database without anything in it, such as a file of no bytes. */
export const isEmpty = (driver: SqlDriver): boolean => versionOf(driver) === 0 && schemaOf(driver).size === 0;

/** Takes every step that is missing, each in one transaction of its own. Throws what SQLite throws. */
export function migrate(driver: SqlDriver, migrations: readonly Migration[]): void {
  const from = versionOf(driver);
  for (const { version, sql } of migrations.filter((migration) => migration.version > from)) {
    inTransaction(driver, () => {
      driver.script(sql);
      driver.script(`PRAGMA application_id = ${APPLICATION_ID}`);
      driver.script(`PRAGMA user_version = ${version}`);
    });
  }
}

/** A complete copy of the ledger before it is migrated: `ledger.backup-v<N>.sqlite`, N its version. Answers the path. */
export function backUp(driver: SqlDriver, folder: string): string {
  const file = path.join(folder, `ledger.backup-v${versionOf(driver)}.sqlite`);
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  // Made first, so that the copy is its owner's alone from the first byte; VACUUM INTO accepts an empty file.
  createOwnersOnly(unfinished);
  driver.run('VACUUM INTO ?', [unfinished]);
  syncFile(unfinished);
  renameSync(unfinished, file);
  syncFolder(folder);
  return file;
}

/** How the file's schema differs from the one its version has, or null where it does not. Throws on damage. */
export function foreignSchema(driver: SqlDriver, migrations: readonly Migration[]): string | null {
  const version = versionOf(driver);
  const model = openInMemory();
  try {
    migrate(
      model,
      migrations.filter((migration) => migration.version <= version),
    );
    const wanted = schemaOf(model);
    const found = schemaOf(driver);
    for (const [name, sql] of found) if (wanted.get(name) !== sql) return `${name} is not this program's`;
    for (const name of wanted.keys()) if (!found.has(name)) return `${name} is missing`;
  } finally {
    model.close();
  }
  const id = readPragma(driver, 'application_id');
  return id === APPLICATION_ID ? null : `its application id is ${String(id)}`;
}

const SchemaRows = z.array(z.object({ name: z.string(), sql: z.string() }));

/** Every object of the schema by type and name, with the text that made it. */
function schemaOf(driver: SqlDriver): Map<string, string> {
  const rows = driver.all(
    `SELECT type || ' ' || name AS "name", tbl_name || ' ' || coalesce(sql, '') AS "sql" FROM sqlite_schema`,
  );
  return new Map(SchemaRows.parse(rows).map(({ name, sql }) => [name, sql]));
}
