import { readFile } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { rootCertificates, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SmtpServer } from '../../../shared/settings.ts';
import { type Broken, broken, connectBroken, errorCode, STOPPED, timedOut } from './broken.ts';

type Limits = {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Hears the address that the server's name led to. */
  readonly onAddress?: ((address: string) => void) | undefined;
};

/** Where a mail server listens, for submission or for reading. */
export type MailServer = Pick<SmtpServer, 'host' | 'port' | 'security' | 'caFile'>;

/** Opens the TCP connection. A server without TLS must be on this very machine, by its address too. */
export async function openSocket(server: MailServer, limits: Limits): Promise<Result<Socket, Broken>> {
  const where = `${server.host}:${server.port}`;
  const socket = connect({ host: server.host, port: server.port, noDelay: true });
  socket.once('lookup', (error: Error | null, address: string) => {
    if (error === null) limits.onAddress?.(address);
  });
  const fault = await ready(socket, 'connect', limits, {
    late: timedOut(`no connection to ${where}`),
    failed: (error) => connectBroken(error, where),
  });
  if (fault !== null) return err(fault);
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
  const fault = await ready(secure, 'secureConnect', limits, {
    late: timedOut('the TLS handshake did not end'),
    failed: (error) => handshakeBroken(error, secure, server.host),
  });
  if (fault === null) return ok(secure);
  socket.destroy();
  return err(fault);
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

/** Waits for one event of a new socket; whatever else happens destroys it. Errors that come later are swallowed. */
function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limits: Limits,
  faults: { readonly late: Broken; readonly failed: (error: Error) => Broken },
): Promise<Broken | null> {
  return new Promise((resolve) => {
    let ended = false;
    const end = (fault: Broken | null): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', stop);
      if (fault !== null) socket.destroy();
      resolve(fault);
    };
    const stop = (): void => end(STOPPED);
    const timer = setTimeout(() => end(faults.late), limits.deadlineMs);
    socket.once(event, () => end(null));
    // Stays for the socket's whole life: an error that nobody hears would end the process.
    socket.on('error', (error) => end(faults.failed(error)));
    socket.once('close', () => end(droppedInHandshake()));
    if (limits.signal.aborted) stop();
    else limits.signal.addEventListener('abort', stop, { once: true });
  });
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
