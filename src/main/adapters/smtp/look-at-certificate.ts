import { isIP, type Socket } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { RefusedCertificate } from '../../core/check/facts.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import { certificateOf } from './certificate-facts.ts';
import type { SmtpDeadlines } from './deadlines.ts';
import { readOffers } from './offers.ts';
import { type MailServer, openSocket, readAuthority, trusted } from './open-socket.ts';
import { plainCommand } from './plain-command.ts';

/**
 * Connects once more to see why a certificate was refused, and by whom it was signed. The handshake is let through for
 * that alone: not a byte is sent over the connection after it, and it is closed at once. Null where nothing was seen.
 */
export async function lookAtCertificate(
  server: MailServer,
  limits: { readonly deadlines: SmtpDeadlines; readonly tunnel: OpenTunnel; readonly signal: AbortSignal },
): Promise<RefusedCertificate | null> {
  const { deadlines, tunnel, signal } = limits;
  const authority = await readAuthority(server.caFile);
  if (!authority.ok) return null;
  const plain = await openSocket(server, tunnel, { deadlineMs: deadlines.connectMs, signal });
  if (!plain.ok) return null;
  const socket = plain.value;
  try {
    if (server.security === 'starttls' && !(await askForTls(socket, limits))) return null;
    return await handshake(socket, server, authority.value, { deadlineMs: deadlines.tlsMs, signal });
  } finally {
    socket.destroy();
  }
}

async function askForTls(
  socket: Socket,
  { deadlines, signal }: { readonly deadlines: SmtpDeadlines; readonly signal: AbortSignal },
): Promise<boolean> {
  const limits = { deadlineMs: deadlines.helloMs, signal };
  const greeting = await plainCommand(socket, null, limits);
  if (!greeting.ok || greeting.value.code !== 220) return false;
  const hello = await plainCommand(socket, 'EHLO [127.0.0.1]', limits);
  if (!hello.ok || !readOffers(hello.value).startTls) return false;
  const start = await plainCommand(socket, 'STARTTLS', limits);
  return start.ok && start.value.code === 220;
}

function handshake(
  socket: Socket,
  server: MailServer,
  authority: string | null,
  limits: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<RefusedCertificate | null> {
  return new Promise((resolve) => {
    let secure: TLSSocket | null = null;
    const end = (found: RefusedCertificate | null): void => {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', stop);
      secure?.destroy();
      resolve(found);
    };
    const stop = (): void => end(null);
    const timer = setTimeout(stop, limits.deadlineMs);
    limits.signal.addEventListener('abort', stop, { once: true });
    secure = tlsConnect({
      socket,
      host: server.host,
      servername: isIP(server.host) === 0 ? server.host : '',
      minVersion: 'TLSv1.2',
      // Only here, and only to read the certificate that was refused.
      rejectUnauthorized: false,
      ...trusted(authority),
    });
    secure.once('secureConnect', () => {
      const facts = secure === null ? null : certificateOf(secure);
      const refusal: unknown = secure?.authorizationError;
      const code = refusal instanceof Error ? refusal.message : String(refusal ?? '');
      end(facts === null || code === '' ? null : { ...facts, code });
    });
    secure.on('error', stop);
    secure.once('close', stop);
  });
}
