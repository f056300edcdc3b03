import path from 'node:path';

/** Starts without a window when the person logs in. */
export const HIDDEN_ARGUMENT = '--hidden';

/** Where a Linux desktop looks for what starts at login. Source: freedesktop.org Desktop Application Autostart. */
export function autostartFile(home: string, env: NodeJS.ProcessEnv): string {
  return path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'autostart', 'mail-agent.desktop');
}

/** The text of that file. Source: freedesktop.org Desktop Entry Specification, "The Exec key". */
export function autostartEntry(command: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Mail Agent',
    `Exec=${[...command, HIDDEN_ARGUMENT].map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ];
  return `${lines.join('\n')}\n`;
}

/** Quoted for Exec, then escaped again as every string value is. */
const quoted = (word: string): string =>
  `"${word.replace(/[\\"`$]/g, '\\$&').replace(/%/g, '%%')}"`.replace(/\\/g, '\\\\');
