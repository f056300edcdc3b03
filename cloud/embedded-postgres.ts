import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exists, reachableFolder, type ServerAccount, serverAccount, serverPrograms } from './postgres-account.ts';

/** Major version of the server that comes with the repository; a folder of another one is refused. */
const MAJOR_VERSION = '18';
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_SECONDS = 60;
const PORT_TRIES = 5;

export type EmbeddedPostgres = {
  readonly databaseUrl: string;
  /** Where the data really lies: not the folder asked for where root's own folders are closed to the server. */
  readonly dataDir: string;
  /** Stops the server and waits until it has ended. Harmless when repeated. */
  stop(): Promise<void>;
};

/**
 * Starts a real PostgreSQL on loopback with its data in `dataDir`, which is initialised once. A server left behind by
 * a killed process is stopped first; a folder that a living process uses is refused. `port` null lets the system
 * choose. `settings` are passed to the server as they are. Throws with the server's own words where it does not start.
 */
export async function startEmbeddedPostgres(options: {
  readonly dataDir: string;
  readonly port?: number | null;
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<EmbeddedPostgres> {
  const account = await serverAccount();
  const folder = await reachableFolder(path.resolve(options.dataDir), account);
  const server: Server = {
    account,
    programs: await serverPrograms(account),
    folder,
    data: path.join(folder, 'data'),
    owner: path.join(folder, 'owner.pid'),
    log: path.join(folder, 'postgres.log'),
  };
  if (account !== null) await chown(folder, account.uid, account.gid);
  await refuseOrStopLeftOver(server);
  const password = await initialiseOnce(server);
  await writeFile(server.owner, String(process.pid));
  const port = await startOnPort(server, options.port ?? null, options.settings ?? {});
  return {
    databaseUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    dataDir: folder,
    stop: async () => {
      await stopServer(server);
      await rm(server.owner, { force: true });
    },
  };
}

type Server = {
  readonly account: ServerAccount;
  readonly programs: string;
  readonly folder: string;
  readonly data: string;
  readonly owner: string;
  readonly log: string;
};

const pidFile = (server: Server) => path.join(server.data, 'postmaster.pid');

async function refuseOrStopLeftOver(server: Server): Promise<void> {
  if (!(await exists(pidFile(server)))) return;
  const owner = Number(await readFile(server.owner, 'utf8').catch(() => '0'));
  // pg_ctl knows a stale file from a live server; only a live one tells anything about its owner.
  const live = (await program(server, 'pg_ctl', ['status', '-D', server.data])).code === 0;
  if (live && owner > 0 && (await isAlive(owner))) {
    throw new Error(`the database folder ${server.folder} is in use by process ${owner}; end that one first`);
  }
  if (live) await stopServer(server);
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // Where nobody collects the ended children of others, a process that is over still answers to its number.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z /.test(stat);
}

/** Makes the database cluster unless it is there; answers its password, which lies beside it. */
async function initialiseOnce(server: Server): Promise<string> {
  const passwordFile = path.join(server.folder, 'password');
  if (await exists(path.join(server.data, 'PG_VERSION'))) {
    const version = (await readFile(path.join(server.data, 'PG_VERSION'), 'utf8')).trim();
    if (version !== MAJOR_VERSION) {
      throw new Error(`the database in ${server.folder} is of PostgreSQL ${version}, this is ${MAJOR_VERSION}`);
    }
    return (await readFile(passwordFile, 'utf8')).trim();
  }
  // Built aside and renamed when complete, so that a killed initdb leaves nothing that looks like a database.
  const unfinished = `${server.data}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`);
  await chmod(passwordFile, 0o600);
  if (server.account !== null) {
    await chown(unfinished, server.account.uid, server.account.gid);
    await chown(passwordFile, server.account.uid, server.account.gid);
  }
  const made = await program(server, 'initdb', [
    `--pgdata=${unfinished}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
  ]);
  if (made.code !== 0) throw new Error(`initdb failed in ${server.folder}: ${made.output}`);
  await rename(unfinished, server.data);
  return password;
}

async function startOnPort(
  server: Server,
  wanted: number | null,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  let lastWords = '';
  for (let turn = 0; turn < (wanted === null ? PORT_TRIES : 1); turn += 1) {
    const port = wanted ?? (await freePort());
    const started = await startServer(server, port, settings);
    if (started.ok) return port;
    lastWords = started.words;
    // A port that was free a moment ago may have been taken; anything else fails the same way again.
    if (!/address already in use|could not bind/i.test(lastWords)) break;
  }
  throw new Error(`PostgreSQL did not start in ${server.folder}: ${lastWords}`);
}

async function startServer(
  server: Server,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<{ ok: true } | { ok: false; words: string }> {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    lc_messages: 'C',
    ...settings,
  };
  await rm(server.log, { force: true });
  const log = await open(server.log, 'a', 0o600);
  try {
    // In a process group of its own: Ctrl-C ends the cloud first, and the cloud ends the database.
    const child = spawn(
      path.join(server.programs, 'bin', 'postgres'),
      [
        '-D',
        server.data,
        '-p',
        String(port),
        ...Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      { ...asAccount(server), cwd: server.folder, stdio: ['ignore', log.fd, log.fd], detached: true },
    );
    child.unref();
    let ended: string | null = null;
    child.once('error', (error) => {
      ended = error.message;
    });
    child.once('exit', (code, signal) => {
      ended ??= `ended with ${code ?? signal}`;
    });
    for (let waitedMs = 0; waitedMs < START_LIMIT_MS && ended === null; waitedMs += 20) {
      await sleep(20);
      if (await isReady(server, child.pid ?? -1)) return { ok: true };
    }
    if (ended === null) child.kill('SIGKILL');
    const text = await readFile(server.log, 'utf8').catch(() => '');
    return { ok: false, words: `${ended ?? 'not ready in time'}\n${text.slice(-2000)}` };
  } finally {
    await log.close();
  }
}

/** The server writes its pid in the first line and `ready` in the eighth line of its lock file. */
async function isReady(server: Server, pid: number): Promise<boolean> {
  const lines = (await readFile(pidFile(server), 'utf8').catch(() => '')).split('\n');
  return lines[0]?.trim() === String(pid) && lines[7]?.trim() === 'ready';
}

async function stopServer(server: Server): Promise<void> {
  if (!(await exists(pidFile(server)))) return;
  const stopped = await program(server, 'pg_ctl', [
    'stop',
    '-D',
    server.data,
    '-m',
    'fast',
    '-w',
    '-t',
    String(STOP_LIMIT_SECONDS),
  ]);
  if (stopped.code !== 0 && (await exists(pidFile(server)))) {
    throw new Error(`PostgreSQL in ${server.folder} did not stop: ${stopped.output}`);
  }
}

const asAccount = (server: Server) =>
  server.account === null ? {} : { uid: server.account.uid, gid: server.account.gid };

function program(
  server: Server,
  name: 'initdb' | 'pg_ctl',
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(server.programs, 'bin', name), args, {
      ...asAccount(server),
      cwd: server.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, LC_ALL: 'C' },
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A loopback port that is free now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
