import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** What a data folder remembers from one start to the next. */
const Memory = z.object({
  /** Where agents reach the cloud; an agent belongs to this address. */
  cloudPort: z.int().min(1).max(65_535).nullable(),
  userId: z.string().nullable(),
});
export type Memory = z.infer<typeof Memory>;

export type DemoFolder = {
  readonly path: string;
  readonly memory: Memory;
  /** Of the operator's API; in `tokenFile` for a person who wants to call it. */
  readonly operatorToken: string;
  readonly tokenFile: string;
  remember(changes: Partial<Memory>): Promise<void>;
};

/** Opens the data folder of the demo, making it first where there is none. Throws where it holds something unknown. */
export async function openDemoFolder(folder: string): Promise<DemoFolder> {
  // Open to look into: the database server has an account of its own. What is secret lies in files of their own.
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'demo.json');
  const tokenFile = path.join(folder, 'operator-token');
  const known = await readIfThere(file);
  let memory = known === null ? { cloudPort: null, userId: null } : Memory.parse(JSON.parse(known));
  const token = (await readIfThere(tokenFile))?.trim() ?? randomBytes(32).toString('base64url');
  await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
  return {
    path: folder,
    get memory() {
      return memory;
    },
    operatorToken: token,
    tokenFile,
    async remember(changes) {
      memory = { ...memory, ...changes };
      await writeFile(`${file}.new`, `${JSON.stringify(memory, null, 2)}\n`);
      await rename(`${file}.new`, file);
    },
  };
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
}
