import type { Socket } from 'node:net';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type Broken, broken, closedBroken, outOfStep, STOPPED, timedOut } from './broken.ts';
import { type RawReply, ReplyReader } from './reply-reader.ts';

/** Ample for a greeting or a list of offers; the real ones have a few hundred bytes. */
export const OPENING_REPLY_MAX_BYTES = 64 * 1024;

/**
 * Sends one command (none for the greeting) and waits for its one complete reply, before the library takes over.
 * Bytes behind the reply end the connection: nothing was asked yet that they could answer. The socket is left paused.
 */
export function plainCommand(
  socket: Socket,
  command: string | null,
  limits: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<Result<RawReply, Broken>> {
  return new Promise((resolve) => {
    const reader = new ReplyReader();
    const waitedFor = command === null ? 'no greeting came' : `no reply to ${command.split(' ')[0]} came`;
    const end = (result: Result<RawReply, Broken>): void => {
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
      const { replies, fault } = reader.read(chunk, OPENING_REPLY_MAX_BYTES);
      const [reply] = replies;
      if (fault === 'too-much') end(err(broken('too-much', 'The mail server sent an endless reply.')));
      else if (fault !== null) end(err(outOfStep('what it sent is no SMTP reply')));
      else if (reply !== undefined && (replies.length > 1 || !reader.empty)) end(err(outOfStep('it answered ahead')));
      else if (reply !== undefined) end(ok(reply));
    };
    const timer = setTimeout(() => end(err(timedOut(waitedFor))), limits.deadlineMs);
    socket.on('data', hear).once('close', closed);
    if (socket.destroyed) return closed();
    if (limits.signal.aborted) return stop();
    limits.signal.addEventListener('abort', stop, { once: true });
    if (command !== null) socket.write(`${command}\r\n`);
    socket.resume();
  });
}
