import type { Socket } from 'node:net';
import { err, ok, type Result } from '../../../shared/result.ts';
import { broken, type OpeningFailure, outOfStep } from './broken.ts';
import type { SmtpDeadlines } from './deadlines.ts';
import { plainCommand } from './plain-command.ts';
import { isNegative, isPositive } from './reply-reader.ts';
import { type Redact, smtpReply } from './reply-text.ts';

/** Says MAIL for the address and takes it back by RSET, then QUIT; the connection is closed whatever came of it. */
export async function trySender(
  socket: Socket,
  address: string,
  given: {
    readonly deadlines: SmtpDeadlines;
    readonly redact: Redact;
    readonly signal: AbortSignal;
    readonly smtpUtf8: boolean;
  },
): Promise<Result<void, OpeningFailure>> {
  const { deadlines, redact, signal } = given;
  const limits = { deadlineMs: deadlines.helloMs, signal };
  const beyondAscii = /[^\x20-\x7e]/.test(address);
  const fail = (end: ReturnType<typeof broken>): Result<void, OpeningFailure> =>
    err({ kind: 'broken', stage: 'envelope', ...end });
  try {
    if (beyondAscii && !given.smtpUtf8) {
      return fail(broken('smtputf8-missing', 'The mail server does not take addresses with letters beyond ASCII.'));
    }
    const mail = await plainCommand(socket, `MAIL FROM:<${address}>${beyondAscii ? ' SMTPUTF8' : ''}`, limits);
    if (!mail.ok) return fail(mail.error);
    if (isNegative(mail.value)) {
      return err({ kind: 'replied', stage: 'envelope', reply: smtpReply(mail.value, redact), command: 'mail' });
    }
    if (!isPositive(mail.value)) return fail(outOfStep(`${mail.value.code} is no answer here`));
    // How the server says goodbye does not matter any more.
    await plainCommand(socket, 'RSET', limits);
    if (!socket.destroyed) await plainCommand(socket, 'QUIT', { deadlineMs: deadlines.quitMs, signal });
    return ok(undefined);
  } finally {
    socket.destroy();
  }
}
