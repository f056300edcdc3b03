import { afterEach, describe, expect, it, vi } from 'vitest';
import { readOptions } from '../../../scripts/demo/options.ts';

afterEach(() => vi.unstubAllEnvs());

function shellFor(words: readonly string[], env: Readonly<Record<string, string>>) {
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) vi.stubEnv(name, env[name] ?? '');
  const options = readOptions(words, '/data');
  return 'exitCode' in options ? options.exitCode : options.shell;
}

describe.runIf(process.platform === 'linux')('the demo on Linux', () => {
  it.each([
    ['shows the window on an X display', [], { DISPLAY: ':0' }, 'window'],
    ['shows the window on a Wayland display', [], { WAYLAND_DISPLAY: 'wayland-0' }, 'window'],
    ['shows none where there is no display', [], {}, 'terminal'],
    ['shows none where it is told to', ['--headless'], { DISPLAY: ':0' }, 'terminal'],
    ['shows none while the agent is killed again and again', ['--chaos', '1'], { DISPLAY: ':0' }, 'terminal'],
  ] as const)('%s', (_, words, env, shell) => {
    expect(shellFor(words, env)).toBe(shell);
  });
});
