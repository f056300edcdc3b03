import { describe, expect, it } from 'vitest';
import { environmentRoutes } from '../../../src/main/adapters/tunnel/environment-routes.ts';
import { readPacAnswer } from '../../../src/main/adapters/tunnel/proxy-lists.ts';

const CLOUD = { host: 'cloud.firma.example', port: 443 };
const DIRECT = { ok: true, value: [{ kind: 'direct' }] };
const proxy = (kind: string, host: string, port: number, login: unknown = null) => ({
  ok: true,
  value: [{ kind, host, port, login }],
});

describe("a proxy script's answer", () => {
  it.each([
    ['DIRECT', [{ kind: 'direct' }]],
    [
      'PROXY a.example:8080; DIRECT',
      [{ kind: 'http', host: 'a.example', port: 8080, login: null }, { kind: 'direct' }],
    ],
    [
      'HTTPS a:443;SOCKS5 [::1]:1080',
      [
        { kind: 'https', host: 'a', port: 443, login: null },
        { kind: 'socks5', host: '::1', port: 1080, login: null },
      ],
    ],
    ['SOCKS s:1080', [{ kind: 'socks5', host: 's', port: 1080, login: null }]],
    ['SOCKS4 s:1080; PROXY a; PROXY a:99999; QUIC b:1; ', []],
    ['', []],
  ])('%s is read', (answer, routes) => {
    expect(readPacAnswer(answer)).toEqual(routes);
  });
});

describe("a terminal's environment", () => {
  it.each([
    [{}, DIRECT],
    [{ HTTPS_PROXY: 'http://p.example:3128' }, proxy('http', 'p.example', 3128)],
    [{ HTTPS_PROXY: 'p.example' }, proxy('http', 'p.example', 80)],
    [{ HTTPS_PROXY: 'http://a.example:1', https_proxy: 'http://b.example:2' }, proxy('http', 'b.example', 2)],
    [{ ALL_PROXY: 'socks5h://[::1]' }, proxy('socks5', '::1', 1080)],
    [
      { HTTPS_PROXY: 'https://anna:p%40ss@p.example' },
      proxy('https', 'p.example', 443, { userName: 'anna', password: 'p@ss' }),
    ],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'x.example, .firma.example' }, DIRECT],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.FIRMA.example' }, DIRECT],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'cloud.firma.example:443' }, DIRECT],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'cloud.firma.example:8443' }, proxy('http', 'p', 1)],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'rma.example' }, proxy('http', 'p', 1)],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, DIRECT],
  ])('%j names the way', async (env, routes) => {
    expect(await environmentRoutes(env)(CLOUD, null)).toEqual(routes);
  });

  it.each(['ftp://p:1', 'http://anna:%zz@p:1', 'http://'])('%s is refused without repeating it', async (address) => {
    const found = await environmentRoutes({ HTTPS_PROXY: address })(CLOUD, null);

    expect(found).toMatchObject({ ok: false, error: expect.stringContaining('HTTPS_PROXY') });
    expect(JSON.stringify(found)).not.toContain('anna');
  });

  it('has no engine for scripts and says so', async () => {
    expect(await environmentRoutes({})(CLOUD, 'http://wpad/x.pac')).toMatchObject({
      error: expect.stringContaining('desktop app'),
    });
  });
});
