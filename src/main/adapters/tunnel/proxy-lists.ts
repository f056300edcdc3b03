import type { Route } from './tunnel.ts';

/**
 * The ways named by a proxy script or by the computer, such as `PROXY a:8080; SOCKS5 b:1080; DIRECT`, in their order.
 * Entries that nobody can use (SOCKS 4, a missing port) are left out.
 */
export function readPacAnswer(answer: string): readonly Route[] {
  return answer.split(';').flatMap((entry): readonly Route[] => {
    const [word = '', place = ''] = entry.trim().split(/\s+/);
    if (word.toUpperCase() === 'DIRECT') return [{ kind: 'direct' }];
    const kind = KINDS[word.toUpperCase()];
    const found = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(place);
    if (kind === undefined || found === null) return [];
    const [, host = '', port = ''] = found;
    return Number(port) < 1 || Number(port) > 65_535 ? [] : [{ kind, host, port: Number(port), login: null }];
  });
}

const KINDS: Readonly<Record<string, 'http' | 'https' | 'socks5'>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks5',
  SOCKS5: 'socks5',
};
