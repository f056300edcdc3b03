import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ProxyLogin, Target, TunnelFailure } from './tunnel.ts';

const HEADER_BYTES_MAX = 16 * 1024;
const REASON_MAX_CHARS = 80;

/** Asks a proxy over `socket` for a way to the target. The socket's errors and its end are heard by the caller too. */
export function httpConnect(
  socket: Socket,
  target: Pick<Target, 'host' | 'port'>,
  login: ProxyLogin | null,
): Promise<Result<Socket, TunnelFailure>> {
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  return new Promise((resolve) => {
    const asked = request({
      method: 'CONNECT',
      path: authority,
      createConnection: () => socket,
      maxHeaderSize: HEADER_BYTES_MAX,
      headers: {
        host: authority,
        ...(login === null ? {} : { 'proxy-authorization': basic(login) }),
      },
    });
    asked.once('connect', (answer, tunnel: Socket, head) => {
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) {
        tunnel.destroy();
        resolve(err(refusal(answer, login !== null)));
        return;
      }
      // A server that speaks first may have spoken already.
      tunnel.pause();
      if (head.length > 0) tunnel.unshift(head);
      resolve(ok(tunnel));
    });
    asked.on('error', (error) => {
      socket.destroy();
      resolve(err({ cause: 'proxy-unreachable', text: `The proxy ended the connection (${error.message}).` }));
    });
    asked.end();
  });
}

/** Source: RFC 7617 2, with the UTF-8 that every proxy in use reads. */
const basic = ({ userName, password }: ProxyLogin): string =>
  `Basic ${Buffer.from(`${userName}:${password}`, 'utf8').toString('base64')}`;

function refusal(answer: IncomingMessage, wasLoggedIn: boolean): TunnelFailure {
  const status = answer.statusCode ?? 0;
  const said = `${status} ${answer.statusMessage ?? ''}`.trim().slice(0, REASON_MAX_CHARS);
  if (status !== 407) return { cause: 'proxy-refused', text: `The proxy does not make this connection (${said}).` };
  const offered = String(answer.headers['proxy-authenticate'] ?? '');
  if (offered !== '' && !/\bbasic\b/i.test(offered)) {
    const kinds = offered.match(/\b(?:NTLM|Negotiate|Digest|Kerberos)\b/gi)?.join(', ') ?? 'another kind';
    return { cause: 'proxy-login', text: `The proxy wants a login that this program does not speak (${kinds}).` };
  }
  return wasLoggedIn
    ? { cause: 'proxy-login', text: `The proxy refuses the user name or the password (${said}).` }
    : { cause: 'proxy-login', text: `The proxy wants a user name and a password (${said}).` };
}
