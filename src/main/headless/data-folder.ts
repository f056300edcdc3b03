import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Where the agent keeps its ledger and log when no `--data` is given: where MAIL_AGENT_DATA says, or as each system has
 * it.
 */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const chosen = env['MAIL_AGENT_DATA'];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  switch (platform) {
    case 'win32':
      return path.join(env['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local'), 'Mail Agent');
    case 'darwin':
      return path.join(homedir(), 'Library', 'Application Support', 'Mail Agent');
    default:
      return path.join(env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share'), 'mail-agent');
  }
}
