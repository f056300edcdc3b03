import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OperatorClient } from '../../cloud/operator/client.ts';
import { createDemoAgent, type DemoAgent, dataFolderIn } from './agent-process.ts';
import { SENDER } from './mails.ts';
import type { StageOptions } from './stage-options.ts';
import { finishSetUp, forgetSecrets, provideWindow } from './window-program.ts';

export type AgentSurroundings = {
  readonly office: OperatorClient;
  readonly userId: string;
  readonly cloudUrl: string;
  readonly pidFile: string;
  readonly smtpPort: number;
  readonly password: string;
  /** File of the certificate authority of the mail server. */
  readonly authority: string;
};

/** An agent that is paired and has its account, with its window where it can have one. Throws where a step fails. */
export async function setUpAgent(options: StageOptions, around: AgentSurroundings): Promise<DemoAgent> {
  const { folder, language, ending } = options;
  const { office, userId, cloudUrl, pidFile } = around;
  // Another cloud address or another user is another agent; the old one's folder is left as it is.
  const whose = `${new URL(cloudUrl).port}-${userId.slice(0, 8)}`;
  const windowFolder = path.join(folder.path, `window-${whose}`);
  const desktop = options.shell === 'terminal' ? null : await provideWindow(dataFolderIn(windowFolder), options);
  const agentFolder = desktop === null ? path.join(folder.path, `agent-${whose}`) : windowFolder;
  const agent = createDemoAgent({ folder: agentFolder, pidFile, language, desktop });
  if (desktop !== null) ending.defer(() => forgetSecrets(dataFolderIn(agentFolder)));
  ending.defer(() => agent.stop(options.hurry));
  const pairedMark = path.join(agentFolder, 'paired');
  // What a keychain held is gone by the next time.
  if (desktop !== null || !existsSync(pairedMark)) {
    const { pairing_code: code } = await office.must('createPairingCode', { params: { id: userId } });
    await agent.command(['pair', cloudUrl, code, '--name', 'demo']);
    writeFileSync(pairedMark, '');
  }
  const pace = { ...options.pace, perMinute: null, perHour: null, perDay: null };
  await agent.command(['set', 'pace', JSON.stringify(pace)]);
  await agent.command(accountCommand(around), around.password);
  if (desktop !== null) finishSetUp(dataFolderIn(agentFolder), language);
  return agent;
}

const accountCommand = ({ smtpPort, authority }: AgentSurroundings): string[] => [
  'account',
  ...['--address', SENDER.address, '--name', SENDER.name, '--user-name', SENDER.address],
  ...['--host', '127.0.0.1', '--port', String(smtpPort), '--security', 'tls', '--ca-file', authority],
  '--password-stdin',
];
