import type { ProxyChoice } from '../../../shared/settings.ts';

/** The way to cloud and mail servers as it stands in the form: texts as typed. */
export type ProxyDraft = {
  readonly kind: ProxyChoice['kind'];
  readonly url: string;
  readonly host: string;
  readonly port: string;
  readonly userName: string;
  readonly password: string;
  /** Null where nobody chose: each kind has its usual one. */
  readonly mail: 'through-proxy' | 'direct' | null;
};
export type ProxyFault = 'url' | 'host' | 'port' | 'user-name';

export const PROXY_KINDS: readonly ProxyChoice['kind'][] = ['system', 'none', 'pac', 'http', 'https', 'socks5'];

const URL_MAX_CHARS = 2048;
const PORT_MAX = 65_535;

export function proxyDraft(proxy: ProxyChoice): ProxyDraft {
  return {
    kind: proxy.kind,
    url: proxy.kind === 'pac' ? proxy.url : '',
    host: 'host' in proxy ? proxy.host : '',
    port: 'port' in proxy ? String(proxy.port) : '',
    userName: proxy.kind === 'none' ? '' : (proxy.userName ?? ''),
    password: '',
    mail: proxy.kind === 'none' ? null : proxy.mail,
  };
}

/** Whether mails go through this kind of proxy where nobody chose. */
export const usualMailRoute = (kind: ProxyDraft['kind']): 'through-proxy' | 'direct' =>
  kind === 'system' || kind === 'pac' ? 'direct' : 'through-proxy';

/** The proxy that is meant, or the fields that are wrong, in their order. Main checks once more. */
export function readProxy(
  draft: ProxyDraft,
): { readonly ok: true; readonly proxy: ProxyChoice } | { readonly ok: false; readonly faults: readonly ProxyFault[] } {
  const { kind } = draft;
  if (kind === 'none') return { ok: true, proxy: { kind } };
  const [url, host, name] = [draft.url.trim(), draft.host.trim(), draft.userName.trim()];
  const port = /^\d{1,5}$/.test(draft.port.trim()) ? Number(draft.port) : 0;
  const rest = { userName: name === '' ? null : name, mail: draft.mail ?? usualMailRoute(kind) };
  const loginFaults: readonly ProxyFault[] = /^[^:\p{Cc}]{0,255}$/u.test(name) ? [] : ['user-name'];
  const answer = (proxy: ProxyChoice, placeFaults: readonly ProxyFault[]) => {
    const faults = [...placeFaults, ...loginFaults];
    return faults.length > 0 ? ({ ok: false, faults } as const) : ({ ok: true, proxy } as const);
  };
  switch (kind) {
    case 'system':
      return answer({ kind, ...rest }, []);
    case 'pac': {
      const isUrl = /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= URL_MAX_CHARS;
      return answer({ kind, url, ...rest }, isUrl ? [] : ['url']);
    }
    case 'http':
    case 'https':
    case 'socks5':
      return answer({ kind, host, port, ...rest }, [
        ...(/^[A-Za-z0-9.:_-]{1,253}$/.test(host) ? [] : (['host'] as const)),
        ...(port >= 1 && port <= PORT_MAX ? [] : (['port'] as const)),
      ]);
  }
}
