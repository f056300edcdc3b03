import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type CloudConfig, readConfig, USAGE } from './config.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { type CloudLog, type RunningCloud, startCloud } from './server.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

/** Exit codes: 0 ended by a signal or asked for help, 1 did not start or did not end cleanly, 2 wrong options. */
async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env);
  if (!config.ok) {
    complain(`${config.error}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (config.value === 'help') return void say(USAGE);
  const stopAsked = waitForSignal();
  const running: { postgres?: EmbeddedPostgres; cloud?: RunningCloud } = {};
  try {
    await start(config.value, running);
    await stopAsked;
  } catch (error) {
    complain(`The cloud did not start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
  await running.cloud?.close();
  await running.postgres?.stop();
}

async function start(
  config: CloudConfig,
  running: { postgres?: EmbeddedPostgres; cloud?: RunningCloud },
): Promise<void> {
  const token = await operatorToken(config);
  if (config.databaseUrl === undefined) {
    running.postgres = await startEmbeddedPostgres({ dataDir: path.join(config.dataDir, 'postgres') });
  }
  running.cloud = await startCloud({
    databaseUrl: config.databaseUrl ?? running.postgres?.databaseUrl ?? '',
    operatorToken: token.value,
    host: config.host,
    port: config.port,
    ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
    clientAddress: config.clientAddress,
    signIn: config.signIn,
    log: logLine,
  });
  say(`Cloud:          ${running.cloud.url}`);
  say(`Database:       ${running.postgres === undefined ? 'DATABASE_URL' : running.postgres.dataDir}`);
  say(`Operator token: ${token.from}`);
  say('Ctrl-C ends it.');
}

const logLine: CloudLog = (level, event, fields) =>
  complain(JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }));

/** From the environment, or made once and kept in a file that only its owner reads. */
async function operatorToken(config: CloudConfig): Promise<{ readonly value: string; readonly from: string }> {
  if (config.operatorToken !== undefined) return { value: config.operatorToken, from: 'OPERATOR_TOKEN' };
  const file = path.resolve(config.dataDir, 'operator-token');
  await mkdir(config.dataDir, { recursive: true });
  // `wx` never overwrites: the token of an earlier start is read.
  await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: unknown) => {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    },
  );
  return { value: (await readFile(file, 'utf8')).trim(), from: file };
}

/** The first SIGINT or SIGTERM; later ones change nothing, because the end is already on its way. */
function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
  });
}

await main();
