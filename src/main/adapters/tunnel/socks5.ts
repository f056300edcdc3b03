import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ProxyLogin, Target, TunnelFailure } from './tunnel.ts';

const FIELD_BYTES_MAX = 255;
/** The caller's deadline comes first; the library wants one of its own. */
const LIBRARY_MS = 10 * 60_000;

/**
 * Asks a SOCKS5 proxy over `socket` for a way to the target, whose name the proxy looks up. Source: RFC 1928, RFC 1929.
 */
export function socks5(
  socket: Socket,
  proxy: { readonly host: string; readonly port: number },
  target: Pick<Target, 'host' | 'port'>,
  login: ProxyLogin | null,
): Promise<Result<Socket, TunnelFailure>> {
  if (
    login !== null &&
    Math.max(Buffer.byteLength(login.userName), Buffer.byteLength(login.password)) > FIELD_BYTES_MAX
  )
    return Promise.resolve(giveUp(socket, 'A SOCKS5 proxy takes names and passwords of at most 255 bytes.'));
  return new Promise((resolve) => {
    const client = new SocksClient({
      command: 'connect',
      proxy: {
        host: proxy.host,
        port: proxy.port,
        type: 5,
        ...(login === null ? {} : { userId: login.userName, password: login.password }),
      },
      destination: { host: target.host, port: target.port },
      timeout: LIBRARY_MS,
    });
    client.once('error', (error: unknown) => {
      socket.destroy();
      resolve(err(refusal(error instanceof Error ? error.message : String(error), login !== null)));
    });
    client.once('established', () => {
      // A server that speaks first may have spoken already: the library hands its words to whoever listens one turn
      // later. They are kept until the caller reads.
      const early: Buffer[] = [];
      const keep = (piece: Buffer): void => {
        early.push(piece);
      };
      socket.on('data', keep);
      setImmediate(() => {
        socket.pause();
        socket.off('data', keep);
        if (early.length > 0) socket.unshift(Buffer.concat(early));
        resolve(ok(socket));
      });
    });
    client.connect(socket);
  });
}

function giveUp(socket: Socket, text: string): Result<never, TunnelFailure> {
  socket.destroy();
  return err({ cause: 'proxy-login', text });
}

/** The library tells its faults by their texts only. */
function refusal(said: string, wasLoggedIn: boolean): TunnelFailure {
  if (/authentication failed/i.test(said))
    return { cause: 'proxy-login', text: 'The proxy refuses the user name or the password.' };
  if (/no accepted authentication type|unknown authentication type/i.test(said)) {
    const text = wasLoggedIn
      ? 'The proxy wants a login that this program does not speak.'
      : 'The proxy wants a user name and a password.';
    return { cause: 'proxy-login', text };
  }
  if (/rejected connection/i.test(said)) {
    const [, why = 'no reason'] = /- (\w+)$/.exec(said) ?? [];
    return { cause: 'proxy-refused', text: `The proxy does not make this connection (${why}).` };
  }
  return { cause: 'proxy-unreachable', text: `The proxy does not speak SOCKS5, or ended the connection (${said}).` };
}
