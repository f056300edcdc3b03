import { err, ok, type Result } from '../../../shared/result.ts';
import type { ResolveRoutes, Route } from './tunnel.ts';

const SCHEMES: Readonly<Record<string, { readonly kind: 'http' | 'https' | 'socks5'; readonly port: number }>> = {
  'http:': { kind: 'http', port: 80 },
  'https:': { kind: 'https', port: 443 },
  'socks:': { kind: 'socks5', port: 1080 },
  'socks5:': { kind: 'socks5', port: 1080 },
  'socks5h:': { kind: 'socks5', port: 1080 },
};

/**
 * The proxy that HTTPS_PROXY or ALL_PROXY names, past it for the hosts of NO_PROXY, as command-line programs read them;
 * small letters come first. A login in the address is used. Scripts (PAC) need the desktop app, which has an engine
 * for them.
 */
export function environmentRoutes(env: Readonly<Record<string, string | undefined>>): ResolveRoutes {
  const read = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();
  return async (target, pacUrl) => {
    if (pacUrl !== null) return err('A proxy script (PAC) can be used by the desktop app only. Name the proxy itself.');
    const address = read('HTTPS_PROXY') || read('ALL_PROXY');
    if (address === '' || isExempt(target.host, target.port, read('NO_PROXY'))) return ok([{ kind: 'direct' }]);
    return readProxyAddress(address);
  };
}

function readProxyAddress(address: string): Result<readonly Route[], string> {
  const text = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  const scheme = url === null ? undefined : SCHEMES[url.protocol];
  // The address may hold a password: it is not repeated.
  const unusable = err(
    'HTTPS_PROXY or ALL_PROXY of the environment is no address of a proxy, such as http://host:8080.',
  );
  if (url === null || scheme === undefined || url.hostname === '') return unusable;
  try {
    const login =
      url.username === ''
        ? null
        : { userName: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return ok([{ kind: scheme.kind, host, port: Number(url.port) || scheme.port, login }]);
  } catch {
    // A bare % in name or password.
    return unusable;
  }
}

/** NO_PROXY: `*`, names with everything under them, `host:port`, separated by commas or spaces. */
function isExempt(host: string, port: number, list: string): boolean {
  const name = host.toLowerCase();
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, end = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (end === '' || (only !== undefined && Number(only) !== port)) return false;
      return name === end || name.endsWith(`.${end}`);
    });
}
