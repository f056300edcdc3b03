import { readFile } from 'node:fs/promises';
import { isIP, type Socket } from 'node:net';
import { rootCertificates, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SmtpServer } from '../../../shared/settings.ts';
import { connected, errorCode } from '../tunnel/tcp.ts';
import type { Limits, OpenTunnel } from '../tunnel/tunnel.ts';
import { type Broken, broken, STOPPED, timedOut, tunnelBroken } from './broken.ts';

/** Where a mail server listens, for submission or for reading. */
export type MailServer = Pick<SmtpServer, 'host' | 'port' | 'security' | 'caFile'>;

/** Opens the connection, through `tunnel`. A server without TLS must be on this very machine, by its address too. */
export async function openSocket(
  server: MailServer,
  tunnel: OpenTunnel,
  limits: Limits & { readonly onAddress?: ((address: string) => void) | undefined },
): Promise<Result<Socket, Broken>> {
  const { onAddress } = limits;
  const target = { host: server.host, port: server.port, ...(onAddress === undefined ? {} : { onAddress }) };
  const opened = await tunnel(target, limits);
  if (!opened.ok) return err(tunnelBroken(opened.error));
  const socket = opened.value;
  if (server.security === 'none' && !isLoopbackAddress(socket.remoteAddress ?? '')) {
    socket.destroy();
    return err(broken('tls', `${server.host} is not this machine: a connection without TLS is refused.`));
  }
  return ok(socket);
}

/**
 * Puts TLS over an open connection and checks the certificate against the host that the account names. The account's
 * own authority is trusted beside the usual ones, for this connection only.
 */
export async function secureSocket(
  socket: Socket,
  server: MailServer,
  limits: Limits,
): Promise<Result<TLSSocket, Broken>> {
  const authority = await readAuthority(server.caFile);
  if (!authority.ok) {
    socket.destroy();
    return authority;
  }
  if (socket.destroyed) return err(droppedInHandshake());
  const secure = startTls(socket, server.host, authority.value);
  if (secure === null) {
    socket.destroy();
    return err(broken('certificate', `The certificate file ${server.caFile} holds no certificate.`));
  }
  const fault = await connected(secure, 'secureConnect', limits, (error) =>
    handshakeBroken(error, secure, server.host),
  );
  if (fault === null) return ok(secure);
  socket.destroy();
  if (fault === 'late') return err(timedOut('the TLS handshake did not end'));
  if (fault === 'closed') return err(droppedInHandshake());
  return err(fault.cause === 'stopped' ? STOPPED : fault);
}

/** Null where the authority's text is no certificate. */
function startTls(socket: Socket, host: string, authority: string | null): TLSSocket | null {
  try {
    return tlsConnect({
      socket,
      host,
      servername: isIP(host) === 0 ? host : '',
      minVersion: 'TLSv1.2',
      // Said aloud, because the environment of a process can turn the default off.
      rejectUnauthorized: true,
      ...trusted(authority),
    });
  } catch {
    return null;
  }
}

function handshakeBroken(error: Error, socket: TLSSocket, host: string): Broken {
  // Null or absent until a check of the certificate failed, whatever its type says.
  const refusal: unknown = socket.authorizationError;
  if (refusal !== null && refusal !== undefined) {
    return broken('certificate', `The certificate of ${host} is not trusted (${errorCode(error)}).`);
  }
  if (['ECONNRESET', 'EPIPE'].includes(errorCode(error))) return droppedInHandshake();
  return broken('tls', `No TLS connection with ${host} (${errorCode(error)}).`);
}

const droppedInHandshake = (): Broken => broken('dropped', 'The mail server closed the connection as it was set up.');

/** The account's own authority beside the usual ones. */
export const trusted = (authority: string | null): { readonly ca?: string[] } =>
  authority === null ? {} : { ca: [...rootCertificates, authority] };

export async function readAuthority(caFile: string | null): Promise<Result<string | null, Broken>> {
  if (caFile === null) return ok(null);
  try {
    return ok(await readFile(caFile, 'utf8'));
  } catch (error) {
    const code = error instanceof Error ? errorCode(error) : 'unknown';
    return err(broken('certificate', `The certificate file ${caFile} cannot be read (${code}).`));
  }
}

const isLoopbackAddress = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address);
