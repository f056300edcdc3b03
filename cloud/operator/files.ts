import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import { storable } from '../database/columns.ts';
import { oneRow, type Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import type { NewFile, StoredFile } from './routes.ts';

const FILES_PATH = '/files';
export const FILE_ROUTE = `${FILES_PATH}/:id`;

const ADD_FILE = {
  name: 'add-file',
  text: 'INSERT INTO files (name, type, size, sha256, content) VALUES ($1, $2, $3, $4, $5) RETURNING id',
  row: z.object({ id: z.string() }),
};
const GET_FILE = {
  name: 'get-file',
  text: 'SELECT type, content FROM files WHERE id = $1',
  row: z.object({ type: z.string(), content: z.instanceof(Buffer) }),
};

/** Answers the file as an attachment of a payload names it; `origin` is where agents reach this cloud. */
export async function storeFile(queries: Queries, origin: string, file: NewFile): Promise<Result<StoredFile, Failure>> {
  const content = Buffer.from(file.content_base64, 'base64');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const name = storable(file.name);
  const { id } = await oneRow(queries, ADD_FILE, [name, file.type, content.length, sha256, content]);
  return ok({ name, type: file.type, size: content.length, sha256, url: `${origin}${FILES_PATH}/${id}` });
}

export async function readFile(
  queries: Queries,
  id: string,
): Promise<Result<{ readonly type: string; readonly content: Buffer }, Failure>> {
  if (!z.uuid().safeParse(id).success) return fail('not-found');
  const [file] = await queries.rows(GET_FILE, [id]);
  return file === undefined ? fail('not-found') : ok(file);
}
