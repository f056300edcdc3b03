import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../cloud/embedded-postgres.ts';
import { type OperatorClient, operatorClient } from '../../cloud/operator/client.ts';
import { startCloud } from '../../cloud/server.ts';
import { type Fault, type FaultyProxy, type NewConnection, startFaultyProxy } from '../../test/support/faulty-proxy.ts';
import { type DemoAgent, endLeftOverAgent } from './agent-process.ts';
import { makeCertificates } from './certificates.ts';
import { isCall } from './chaos.ts';
import type { DemoFolder } from './folder.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { SENDER } from './mails.ts';
import { setUpAgent } from './set-up-agent.ts';
import type { StageOptions } from './stage-options.ts';

/** Everything the demo runs on, ready to send. */
export type DemoStage = {
  readonly office: OperatorClient;
  readonly userId: string;
  readonly cloudUrl: string;
  readonly mailServer: MailServer;
  readonly agent: DemoAgent;
  /** Null where nothing goes wrong on purpose. Until `arm` the proxies let everything pass. */
  readonly faults: { readonly smtpProxy: FaultyProxy; readonly httpProxy: FaultyProxy; arm(): void } | null;
};

const USER_NAME = '林梅 (demo)';
const TASKS_LOOKED_AT = 200;

/**
 * Starts the parts one after another. Throws where one does not start or `stop` aborts; those before it
 * are in `ending`.
 */
export async function setStage(options: StageOptions): Promise<DemoStage> {
  const { folder, texts, ending, plan } = options;
  const isReady = (part: string) => {
    options.say(part);
    options.stop.throwIfAborted();
  };
  const pidFile = path.join(folder.path, 'agent.pid');
  endLeftOverAgent(folder.path, pidFile);
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder.path, 'postgres') });
  ending.defer(() => postgres.stop());
  isReady(texts.part.database);

  const httpFaults: Fault[] = [];
  const cloud = await openCloud(options, postgres.databaseUrl, httpFaults);
  const office = operatorClient(cloud.directUrl, folder.operatorToken);
  const userId = await findUser(office, folder);
  await stopLeftOver(office, options);
  isReady(texts.part.cloud);

  const password = randomBytes(18).toString('base64url');
  const certificates = await makeCertificates(path.join(folder.path, 'certificates'));
  const mailServer = await startMailServer({
    folder: folder.path,
    certificates,
    userName: SENDER.address,
    password,
  });
  ending.defer(() => mailServer.stop());
  isReady(texts.part.inbox);

  const smtpFaults: Fault[] = [];
  const smtpTarget = { host: '127.0.0.1', port: mailServer.smtpPort };
  const smtpProxy = plan === null ? null : await startFaultyProxy({ target: smtpTarget, ...takeFrom(smtpFaults) });
  if (smtpProxy !== null) ending.defer(() => smtpProxy.close());

  const agent = await setUpAgent(options, {
    ...{ office, userId, cloudUrl: cloud.agentUrl, pidFile, password },
    smtpPort: (smtpProxy ?? smtpTarget).port,
    authority: certificates.authority,
  });
  isReady(texts.part.agent);
  const stage = { office, userId, cloudUrl: cloud.agentUrl, mailServer, agent };
  if (plan === null || smtpProxy === null || cloud.proxy === null) return { ...stage, faults: null };
  const arm = () => {
    smtpFaults.push(...plan.smtpFaults);
    httpFaults.push(...plan.httpFaults);
  };
  return { ...stage, faults: { smtpProxy, httpProxy: cloud.proxy, arm } };
}

type OpenCloud = {
  /** Where the operator's calls go: never through a proxy. */
  readonly directUrl: string;
  readonly agentUrl: string;
  readonly proxy: FaultyProxy | null;
};

/** The cloud where agents found it last time, or somewhere else where that port is taken. */
async function openCloud(
  { folder, ending, plan }: StageOptions,
  databaseUrl: string,
  httpFaults: Fault[],
): Promise<OpenCloud> {
  const start = async (port: number, publicUrl: { readonly publicUrl?: string } = {}) => {
    const cloud = await startCloud({ databaseUrl, operatorToken: folder.operatorToken, port, ...publicUrl });
    ending.defer(() => cloud.close());
    return cloud.url;
  };
  if (plan === null) {
    const url = await onPort(folder.memory.cloudPort, start);
    await folder.remember({ cloudPort: Number(new URL(url).port) });
    return { directUrl: url, agentUrl: url, proxy: null };
  }
  let cloudPort = 0;
  const target = () => ({ host: '127.0.0.1', port: cloudPort });
  const proxy = await onPort(folder.memory.cloudPort, (port) =>
    startFaultyProxy({ target, port, ...takeFrom(httpFaults, isCall) }),
  );
  ending.defer(() => proxy.close());
  await folder.remember({ cloudPort: proxy.port });
  const agentUrl = `http://127.0.0.1:${proxy.port}`;
  const directUrl = await start(0, { publicUrl: agentUrl });
  cloudPort = Number(new URL(directUrl).port);
  return { directUrl, agentUrl, proxy };
}

async function onPort<T>(remembered: number | null, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(remembered ?? 0);
  } catch (error) {
    if (remembered === null || !(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE')
      throw error;
    return start(0);
  }
}

/** Hands out the faults that are left, one to each new connection, and lets the rest pass. */
function takeFrom(left: Fault[], isMeant: (connection: NewConnection) => boolean = () => true) {
  const decide = (connection: NewConnection): Fault =>
    (isMeant(connection) ? left.shift() : undefined) ?? { kind: 'pass' };
  return { decideAt: 'first-bytes', decide } as const;
}

async function findUser(office: OperatorClient, folder: DemoFolder): Promise<string> {
  const { items } = await office.must('listUsers', {});
  const known = items.find(({ id }) => id === folder.memory.userId);
  const user = known ?? (await office.must('createUser', { request: { name: USER_NAME } }));
  await folder.remember({ userId: user.id });
  return user.id;
}

/** What an interrupted demo left behind would mix with the new task; what has begun stays where it is. */
async function stopLeftOver(office: OperatorClient, { texts, say }: StageOptions): Promise<void> {
  const { items } = await office.must('listTasks', { query: { limit: TASKS_LOOKED_AT } });
  let stopped = 0;
  for (const { id, counts } of items) {
    if (counts.draft + counts.queued + counts.sending - counts.uncertain === 0) continue;
    stopped += (await office.must('cancel', { request: { task_id: id } })).stopped;
  }
  if (stopped > 0) say(texts.leftOver(stopped));
}
