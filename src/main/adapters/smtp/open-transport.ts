import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { assertNever, err, ok, type Result } from '../../../shared/result.ts';
import type { SmtpServer } from '../../../shared/settings.ts';
import type { Stage } from '../../../shared/wire/messages.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import { type Broken, broken, type OpeningFailure, outOfStep } from './broken.ts';
import type { SmtpDeadlines } from './deadlines.ts';
import { readOffers } from './offers.ts';
import { openSocket, secureSocket } from './open-socket.ts';
import { plainCommand } from './plain-command.ts';
import { isNegative, isPositive, type RawReply } from './reply-reader.ts';
import { smtpReply } from './reply-text.ts';

/** A connection on which EHLO may be said: TLS is up (or was never asked for), the greeting can be read from it. */
export type Transport = {
  readonly socket: Socket;
  readonly clientName: string;
  readonly secured: boolean;
};

export type OpeningWatch = {
  readonly deadlines: SmtpDeadlines;
  readonly signal: AbortSignal;
  /** Our name in EHLO; null says the address of our end of the connection. */
  readonly clientName: string | null;
  readonly onStage: (stage: Stage) => void;
  /** Hears the address that the server's name led to. */
  readonly onAddress?: (address: string) => void;
  /** Hears the connection before anything is said over it, TLS up where the account demands it. */
  readonly onSecured?: (socket: Socket) => void;
  readonly tunnel: OpenTunnel;
};

const GREETING_AGAIN = '220 greeting already read\r\n';

/**
 * Connects, reads the greeting and puts TLS over it as the account demands. STARTTLS is spoken here and not by the
 * library, so that nothing read before the handshake can reach it. The library expects a greeting on any connection it
 * is given; the one that was read is stood in for.
 */
export async function openTransport(
  server: SmtpServer,
  watch: OpeningWatch,
): Promise<Result<Transport, OpeningFailure>> {
  const { deadlines, signal } = watch;
  let stage: Stage = 'connect';
  const enter = (next: Stage): void => {
    stage = next;
    watch.onStage(next);
  };
  const refuse = (socket: Socket, reply: RawReply): OpeningFailure => {
    socket.destroy();
    if (isNegative(reply)) return { kind: 'replied', stage, reply: smtpReply(reply, (text) => text) };
    return { kind: 'broken', stage, ...outOfStep(`${reply.code} is no answer here`) };
  };
  const fail = (fault: Broken): Result<Transport, OpeningFailure> => err({ kind: 'broken', stage, ...fault });

  enter('connect');
  const limits = { deadlineMs: deadlines.connectMs, signal, onAddress: watch.onAddress };
  const plain = await openSocket(server, watch.tunnel, limits);
  if (!plain.ok) return fail(plain.error);
  let socket: Socket = plain.value;
  const clientName = watch.clientName ?? addressLiteral(socket);
  const secure = async (): Promise<Broken | null> => {
    const secured = await secureSocket(socket, server, { deadlineMs: deadlines.tlsMs, signal });
    if (!secured.ok) return secured.error;
    socket = secured.value;
    return null;
  };

  if (server.security === 'tls') {
    enter('tls');
    const fault = await secure();
    if (fault !== null) return fail(fault);
  }
  const greeting = await plainCommand(socket, null, { deadlineMs: deadlines.greetingMs, signal });
  if (!greeting.ok) return fail(greeting.error);
  if (greeting.value.code !== 220) return err(refuse(socket, greeting.value));

  switch (server.security) {
    case 'tls':
    case 'none':
      break;
    case 'starttls': {
      enter('tls');
      const limits = { deadlineMs: deadlines.helloMs, signal };
      const hello = await plainCommand(socket, `EHLO ${clientName}`, limits);
      if (!hello.ok) return fail(hello.error);
      if (!isPositive(hello.value)) return err(refuse(socket, hello.value));
      if (!readOffers(hello.value).startTls) {
        socket.destroy();
        return fail(broken('starttls-missing', `${server.host} offers no encryption (STARTTLS) on this port.`));
      }
      const start = await plainCommand(socket, 'STARTTLS', limits);
      if (!start.ok) return fail(start.error);
      if (start.value.code !== 220) return err(refuse(socket, start.value));
      const fault = await secure();
      if (fault !== null) return fail(fault);
      break;
    }
    default:
      return assertNever(server.security);
  }
  watch.onSecured?.(socket);
  socket.pause();
  socket.unshift(Buffer.from(GREETING_AGAIN));
  return ok({ socket, clientName, secured: server.security !== 'none' });
}

/** A client without a name of its own in the DNS says its address. Source: RFC 5321 4.1.3, 4.1.4. */
function addressLiteral(socket: Socket): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return isIPv6(address) ? `[IPv6:${address}]` : `[${address}]`;
}
