import { describe, expect, it } from 'vitest';
import { readConfig } from '../../cloud/config.ts';

const errorOf = (args: readonly string[], env: Record<string, string> = {}) => {
  const read = readConfig(args, env);
  return read.ok ? '' : read.error;
};

describe('the settings of the cloud', () => {
  it('need nothing: the embedded database, loopback and a port of its own', () => {
    expect(readConfig([], {})).toEqual({
      ok: true,
      value: { port: 8787, host: '127.0.0.1', dataDir: '.data/cloud', clientAddress: 'connection' },
    });
  });

  it('come from options before the environment', () => {
    const read = readConfig(['--port', '0'], {
      PORT: '99',
      DATABASE_URL: 'postgres://db/mail',
      OPERATOR_TOKEN: 'x'.repeat(32),
    });

    expect(read).toMatchObject({
      ok: true,
      value: { port: 0, databaseUrl: 'postgres://db/mail', operatorToken: 'x'.repeat(32) },
    });
  });

  it('take what the providers call this program as JSON of its own form', () => {
    const signIn = {
      google: { client_id: 'id-1', client_secret: 's' },
      microsoft: { client_id: 'id-2' },
      'microsoft-china': { client_id: 'id-3' },
    };

    expect(readConfig([], { SIGN_IN: JSON.stringify(signIn) })).toMatchObject({ ok: true, value: { signIn } });
    for (const text of ['{', '[]', '{"google":{"client_secret":"hush"}}']) {
      expect(errorOf([], { SIGN_IN: text })).toMatch(/^SIGN_IN: is not JSON of the form shown$/);
    }
  });

  it('treat an empty variable as none', () => {
    expect(readConfig([], { DATABASE_URL: '', PORT: '' }).ok).toBe(true);
  });

  it('are refused with the name, the value and what is allowed', () => {
    expect(errorOf(['--port', '70000'])).toMatch(/--port \(PORT\) "70000": .*65535/);
    expect(errorOf(['--port', 'x'])).toMatch(/--port \(PORT\) "x": is not a port number \(0 to 65535\)/);
    expect(errorOf(['--public-url', 'http://mail.example.com'])).toMatch(/--public-url .*must be https/);
    expect(errorOf(['--client-address', 'guess'])).toMatch(/--client-address .*"guess"/);
    expect(errorOf(['--colour', 'red'])).toContain('--colour');
  });

  it('never show a secret in an error', () => {
    const text = errorOf([], { OPERATOR_TOKEN: 'tooshort', DATABASE_URL: 'mysql://root:pass@db' });

    expect(text).toMatch(/OPERATOR_TOKEN: must be 32/);
    expect(text).toMatch(/DATABASE_URL\): does not begin with postgres/);
    expect(text).not.toMatch(/tooshort|pass/);
  });

  it('ask for help', () => {
    expect(readConfig(['--help'], {})).toEqual({ ok: true, value: 'help' });
  });
});
