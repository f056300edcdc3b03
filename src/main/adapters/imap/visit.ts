import type { Socket } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ImapServer } from '../../../shared/settings.ts';
import type { MailboxFailure } from '../../engine/ports.ts';
import type { MailSecret } from '../oauth/mail-secret.ts';
import type { Broken } from '../smtp/broken.ts';
import { openSocket, secureSocket } from '../smtp/open-socket.ts';
import { errorCode } from '../tunnel/tcp.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import * as limits from './limits.ts';
import { askForTls } from './start-tls.ts';

export type ImapLogin = { readonly userName: string; readonly secret: MailSecret };

export type VisitOptions = {
  readonly server: ImapServer;
  readonly login: ImapLogin;
  readonly tunnel: OpenTunnel;
  readonly deadlines: limits.ImapDeadlines;
  readonly signal: AbortSignal;
  /** Told to the server by the ID command: NetEase opens no folder for a program without a name. */
  readonly client: { readonly name: string; readonly version: string };
};

const GREETING_AGAIN = '* OK greeting already read\r\n';
const WATCH_MS = 250;

/** Work that ended on purpose with a failure of its own. */
export class VisitRefused extends Error {
  readonly failure: MailboxFailure;
  constructor(failure: MailboxFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/**
 * One visit to the mailbox: connects over TLS, logs in, does `work`, says goodbye. Whatever happens, the connection is
 * gone when it answers, within the deadline of the visit, and nothing is thrown.
 */
export async function visit<T>(
  options: VisitOptions,
  work: (client: ImapFlow) => Promise<T>,
): Promise<Result<T, MailboxFailure>> {
  const { server, tunnel, deadlines } = options;
  // Loaded at the first visit: large, and of no use to an account whose folders are not read.
  const library = await import('imapflow');
  const late = AbortSignal.timeout(deadlines.visitMs);
  const signal = AbortSignal.any([options.signal, late]);
  const opened = await open(server, tunnel, deadlines, signal);
  if (!opened.ok) return err(unreachable(opened.error));
  const socket = opened.value;
  const client = clientOver(library, socket, options);
  // Errors show where something is waited for; one that nobody hears would end the process.
  client.on('error', () => undefined);
  let tooMuch = false;
  const drop = (): void => client.close();
  const watch = setInterval(() => {
    tooMuch ||= socket.bytesRead > limits.VISIT_MAX_BYTES;
    if (tooMuch) drop();
  }, WATCH_MS);
  signal.addEventListener('abort', drop, { once: true });
  try {
    if (signal.aborted) throw new Error('stopped');
    await client.connect();
    await sayWhoWeAre(client);
    const value = await work(client);
    await client.logout().catch(() => undefined);
    return ok(value);
  } catch (error) {
    if (error instanceof VisitRefused) return err(error.failure);
    if (options.signal.aborted) return err({ kind: 'stopped', text: 'Stopped before the mailbox answered.' });
    if (late.aborted) return err({ kind: 'unreachable', text: `${server.host} took too long.` });
    if (tooMuch) return err({ kind: 'refused', text: `${server.host} sent more than is read in one visit.` });
    return err(failureOf(error, server.host));
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', drop);
    client.close();
    socket.destroy();
  }
}

/** The open connection with TLS up where the account demands it; the greeting is still to be read from it. */
async function open(
  server: ImapServer,
  tunnel: OpenTunnel,
  deadlines: limits.ImapDeadlines,
  signal: AbortSignal,
): Promise<Result<Socket, Broken>> {
  const plain = await openSocket(server, tunnel, { deadlineMs: deadlines.connectMs, signal });
  if (!plain.ok || server.security === 'none') return plain;
  if (server.security === 'starttls') {
    const asked = await askForTls(plain.value, { deadlineMs: deadlines.greetingMs, signal });
    if (!asked.ok) return asked;
  }
  const secured = await secureSocket(plain.value, server, { deadlineMs: deadlines.tlsMs, signal });
  if (secured.ok && server.security === 'starttls') secured.value.unshift(Buffer.from(GREETING_AGAIN));
  return secured;
}

/** The library speaks over our connection only: it opens none itself and starts no TLS. */
function clientOver(
  library: typeof import('imapflow'),
  socket: Socket,
  { server, login, deadlines, client }: VisitOptions,
): ImapFlow {
  const { kind, value } = login.secret;
  return new library.ImapFlow({
    host: server.host,
    port: server.port,
    secure: server.security !== 'none',
    doSTARTTLS: false,
    transport: {
      connect: (_options, onConnect) => {
        setImmediate(onConnect);
        return socket;
      },
    },
    auth: { user: login.userName, ...(kind === 'password' ? { pass: value } : { accessToken: value }) },
    clientInfo: { name: client.name, version: client.version, vendor: client.name, 'support-url': false, date: false },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    greetingTimeout: deadlines.greetingMs,
    connectionTimeout: deadlines.connectMs,
    socketTimeout: deadlines.silenceMs,
    maxLineLength: limits.LINE_MAX_BYTES,
    maxLiteralSize: limits.LITERAL_MAX_BYTES,
    maxResponseSize: limits.RESPONSE_MAX_BYTES,
    maxResponseTokens: limits.RESPONSE_TOKENS_MAX,
  });
}

/**
 * Says ID once more after the login. The library says it before, and again only where the first was answered in few
 * words; NetEase answers in full and still refuses to open a folder ("Unsafe Login") without one after the login.
 * The library's way to run a command is not in its types.
 */
async function sayWhoWeAre(client: ImapFlow): Promise<void> {
  if (!client.capabilities.has('ID')) return;
  const run: unknown = Reflect.get(client, 'run');
  if (typeof run === 'function') await Reflect.apply(run, client, ['ID', client.clientInfo]);
}

const unreachable = (fault: Broken): MailboxFailure => ({
  kind: fault.cause === 'stopped' ? 'stopped' : 'unreachable',
  text: fault.text,
});

/** Codes in brackets that tell of a passing trouble. Source: RFC 5530, RFC 9051 7.1. */
const PASSING = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN', 'THROTTLED'];

/** True for a complete answer that says no: the server is there, and another try would be refused as well. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && ['NO', 'BAD'].includes(String(Reflect.get(error, 'responseStatus')));

function failureOf(error: unknown, host: string): MailboxFailure {
  if (!(error instanceof Error)) return { kind: 'refused', text: `${host} ended the visit.` };
  const of = (name: string): unknown => Reflect.get(error, name);
  const said = of('responseText');
  const words = typeof said === 'string' && said !== '' ? `: ${said.slice(0, 200)}` : '';
  const code = of('serverResponseCode');
  if (typeof code === 'string' && PASSING.includes(code.toUpperCase())) {
    return { kind: 'busy', text: `${host} is busy${words}.` };
  }
  if (of('authenticationFailed') === true) return { kind: 'login', text: `${host} refused the login${words}.` };
  if (isRefusal(error)) return { kind: 'refused', text: `${host} refused${words}.` };
  return { kind: 'unreachable', text: `The connection to ${host} ended early (${errorCode(error)}).` };
}
