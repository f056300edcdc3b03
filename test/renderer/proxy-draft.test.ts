import { describe, expect, it } from 'vitest';
import { PROXY_KINDS, proxyDraft, readProxy } from '../../src/renderer/views/settings/proxy-draft.ts';
import { ProxyChoice, USUAL_PROXY } from '../../src/shared/settings.ts';

const EXAMPLES: readonly ProxyChoice[] = [
  { kind: 'none' },
  { kind: 'system', userName: null, mail: 'through-proxy' },
  { kind: 'pac', url: 'http://wpad.example/x.pac', userName: 'anna', mail: 'direct' },
  { kind: 'http', host: 'proxy.example', port: 8080, userName: null, mail: 'direct' },
  { kind: 'https', host: '192.0.2.1', port: 443, userName: null, mail: 'through-proxy' },
  { kind: 'socks5', host: 'proxy.example', port: 1080, userName: '王', mail: 'through-proxy' },
];
const draft = proxyDraft(USUAL_PROXY);

describe('the proxy in its form', () => {
  it.each(EXAMPLES.map((proxy) => [proxy.kind, proxy] as const))('reads back as the %s it shows', (_, proxy) => {
    expect(readProxy(proxyDraft(proxy))).toEqual({ ok: true, proxy });
    expect(ProxyChoice.parse(proxy)).toEqual(proxy);
  });

  it('offers every kind that the settings take', () => {
    expect([...PROXY_KINDS].sort()).toEqual(EXAMPLES.map(({ kind }) => kind).sort());
  });

  it.each([
    [{ kind: 'pac', url: 'ftp://x/y' }, ['url']],
    [{ kind: 'http', host: 'a b', port: '0' }, ['host', 'port']],
    [{ kind: 'socks5', host: 'proxy', port: '65536', userName: 'a:b' }, ['port', 'user-name']],
    [{ kind: 'https', host: '', port: '443' }, ['host']],
  ] as const)('names what is wrong with %j', (part, faults) => {
    expect(readProxy({ ...draft, ...part })).toEqual({ ok: false, faults });
  });
});
