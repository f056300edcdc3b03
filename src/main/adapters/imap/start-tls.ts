import type { Socket } from 'node:net';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type Broken, broken, closedBroken, outOfStep, STOPPED, timedOut } from '../smtp/broken.ts';

type Limits = { readonly deadlineMs: number; readonly signal: AbortSignal };

/** Ample for a greeting with its capabilities. */
const LINES_MAX_BYTES = 64 * 1024;
const TAG = 'tls';

/**
 * Reads the greeting of a plain connection and asks for TLS. It is spoken here and not by the library, so that nothing
 * that was sent before the handshake can reach it. The socket is left paused, ready for the handshake.
 * Source: RFC 9051 6.2.1, 11.1.
 */
export async function askForTls(socket: Socket, limits: Limits): Promise<Result<void, Broken>> {
  const greeting = await readLines(socket, null, limits);
  if (!greeting.ok) return greeting;
  if (!/^\* OK\b/i.test(greeting.value)) return refuse(socket, outOfStep('its greeting is no invitation to log in'));
  const answer = await readLines(socket, `${TAG} STARTTLS`, limits);
  if (!answer.ok) return answer;
  if (/^tls OK\b/i.test(answer.value)) return ok(undefined);
  return refuse(socket, broken('starttls-missing', 'The mail server offers no encryption (STARTTLS) on this port.'));
}

function refuse(socket: Socket, fault: Broken): Result<void, Broken> {
  socket.destroy();
  return err(fault);
}

/** The greeting's line, or the tagged line that answers `command`. Bytes behind it end the connection. */
function readLines(socket: Socket, command: string | null, limits: Limits): Promise<Result<string, Broken>> {
  return new Promise((resolve) => {
    let text = '';
    const end = (result: Result<string, Broken>): void => {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', stop);
      socket.off('data', hear).off('close', closed);
      socket.pause();
      if (!result.ok) socket.destroy();
      resolve(result);
    };
    const stop = (): void => end(err(STOPPED));
    const closed = (): void => end(err(closedBroken(socket.errored)));
    const hear = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const lines = text.split('\r\n');
      const at = lines.findIndex((line, index) => index < lines.length - 1 && isLast(line, command));
      if (text.length > LINES_MAX_BYTES) end(err(broken('too-much', 'The mail server sent an endless reply.')));
      else if (at === -1) return;
      else if (lines.length > at + 2 || lines.at(-1) !== '') end(err(outOfStep('it answered ahead')));
      else end(ok(lines[at] ?? ''));
    };
    const timer = setTimeout(() => end(err(timedOut('no greeting or no answer to STARTTLS came'))), limits.deadlineMs);
    socket.on('data', hear).once('close', closed);
    if (socket.destroyed) return closed();
    if (limits.signal.aborted) return stop();
    limits.signal.addEventListener('abort', stop, { once: true });
    if (command !== null) socket.write(`${command}\r\n`);
    socket.resume();
  });
}

const isLast = (line: string, command: string | null): boolean => command === null || line.startsWith(`${TAG} `);
