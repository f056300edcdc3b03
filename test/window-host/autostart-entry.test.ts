import { describe, expect, it } from 'vitest';
import { autostartEntry, autostartFile } from '../../src/main/window-host/autostart-entry.ts';

describe('starting at login on Linux', () => {
  it('names the program as one quoted word, whatever letters its path has', () => {
    const [line] = autostartEntry(['/opt/Mail "Agent" $5/100%'])
      .split('\n')
      .filter((text) => text.startsWith('Exec='));

    expect(line).toBe(String.raw`Exec="/opt/Mail \\"Agent\\" \\$5/100%%" "--hidden"`);
  });

  it('stands where the desktop looks for it', () => {
    expect(autostartFile('/home/fang', {})).toBe('/home/fang/.config/autostart/mail-agent.desktop');
    expect(autostartFile('/home/fang', { XDG_CONFIG_HOME: '/c' })).toBe('/c/autostart/mail-agent.desktop');
  });
});
