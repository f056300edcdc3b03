import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isLoopbackHost } from '../../../shared/loopback.ts';

/** A file of this name in the data folder, or beside the program, says where newer versions are. */
export const UPDATE_FILE = 'update.json';
/** Beside the built main program: the key that newer versions are signed with. */
export const UPDATE_KEY_FILE = 'update-key.pem';

const FeedUrl = z.url().refine((text) => {
  const url = new URL(text);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}, 'must be https:// (http:// only to this machine)');

const UpdateSource = z.strictObject({
  /** A folder on any web server, with the feed of `npm run feed`. Null: no updates. */
  url: FeedUrl.nullable(),
  /** After the start, so that a busy morning's log-in is over. */
  firstLookSeconds: z.number().min(0).max(86_400).default(120),
  everyHours: z.number().min(0.0005).max(720).default(6),
});
export type UpdateSource = Readonly<Omit<z.infer<typeof UpdateSource>, 'url'>> & {
  readonly url: string;
  /** PEM, SPKI. */
  readonly publicKey: string;
};

/**
 * Where newer versions come from: the person's own file before the one that was installed. Null where nobody named a
 * place, or where this build carries no key: what nobody vouches for is never installed.
 */
export function readUpdateSource(folders: readonly string[], keyFile: string): UpdateSource | null {
  const publicKey = read(keyFile);
  const text = folders.map((folder) => read(path.join(folder, UPDATE_FILE))).find((found) => found !== null);
  if (publicKey === null || text === undefined || text === null) return null;
  const parsed = UpdateSource.safeParse(parse(text));
  if (!parsed.success || parsed.data.url === null) return null;
  const { url, ...times } = parsed.data;
  return { url, ...times, publicKey };
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there: nobody wants updates from there.
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
