import { acceptMail } from '../core/accept-mail.ts';
import type { Context } from './context.ts';
import type { ComposedMessage, CopyEnd, LedgerChange, LedgerMail, Mailbox, MailboxFailure, SentCopy } from './ports.ts';
import { acceptContext, messageIdOfMail } from './prepare-mail.ts';

/** Messages just sent, kept as they left until their copy is in the folder; beyond this they are composed again. */
const REMEMBERED_MAX_BYTES = 32 * 1024 * 1024;
/** One visit's worth. */
const COPIES_MAX = 10;
const COPIES_MAX_BYTES = 20 * 1024 * 1024;
/** Mails sent longer ago get no copy any more: it would surprise more than help. */
const WINDOW_MS = 7 * 24 * 3_600_000;
const REFUSALS_MAX = 3;

/** Remembers a message that was accepted, where the provider keeps no copy by itself. */
export function rememberMessage(context: Context, mailId: string, message: ComposedMessage): void {
  const { live, ports, config, bells } = context;
  if (ports.mailbox === null || config.account.savesSentCopy !== 'no') return;
  const copy = { messageId: message.messageId, bytes: message.bytes, dateMs: ports.clock.nowMs() };
  live.sentMessages.set(mailId, copy);
  let bytes = [...live.sentMessages.values()].reduce((sum, kept) => sum + kept.bytes.length, 0);
  for (const [id, kept] of live.sentMessages) {
    if (bytes <= REMEMBERED_MAX_BYTES) break;
    live.sentMessages.delete(id);
    bytes -= kept.bytes.length;
  }
  bells.mailbox.ring();
}

export const lacksCopies = (context: Context): boolean =>
  context.config.account.savesSentCopy === 'no' && lacking(context, 1).length > 0;

const lacking = ({ ports }: Context, limit: number): readonly LedgerMail[] =>
  ports.ledger.lackingCopy(ports.clock.nowMs() - WINDOW_MS, limit);

/** Puts copies of sent mails into the Sent folder, each once. Answers what kept it from doing so. */
export async function keepCopies(
  context: Context,
  mailbox: Mailbox,
  refusals: Map<string, number>,
  signal: AbortSignal,
): Promise<MailboxFailure | null> {
  const { ports, journal, live } = context;
  const copies = new Map<string, SentCopy>();
  let bytes = 0;
  const ends: LedgerChange[] = [];
  const end = (mailId: string, how: CopyEnd): void => {
    ends.push({ kind: 'copy-ended', mailId, end: how, atMs: ports.clock.nowMs() });
    live.sentMessages.delete(mailId);
    refusals.delete(mailId);
  };
  for (const mail of lacking(context, COPIES_MAX)) {
    const copy = live.sentMessages.get(mail.id) ?? (await composeAgain(context, mail, signal));
    // What can no longer be composed has no copy; the folder without it is worth less than a wrong one.
    if (copy === 'never') end(mail.id, 'given-up');
    else if (copy !== 'not-now' && (copies.size === 0 || bytes + copy.bytes.length <= COPIES_MAX_BYTES)) {
      copies.set(mail.id, copy);
      bytes += copy.bytes.length;
    }
  }
  const kept = copies.size === 0 ? null : await mailbox.keepCopies([...copies.values()], signal);
  if (kept?.ok === true) {
    for (const [mailId, { messageId }] of copies) {
      const how = kept.value.get(messageId);
      const refusalCount = (refusals.get(mailId) ?? 0) + (how === 'refused' ? 1 : 0);
      if (how === 'kept' || how === 'there-already') end(mailId, how);
      else if (refusalCount >= REFUSALS_MAX) end(mailId, 'given-up');
      else refusals.set(mailId, refusalCount);
    }
  }
  // Lost in a crash, the folder is searched before anything is put there again.
  journal.insist(ends);
  if (kept !== null && !kept.ok) return kept.error;
  return ends.length === 0 && copies.size > 0 ? { kind: 'refused', text: 'the folder takes no copy' } : null;
}

/** The same mail with the same Message-ID; `never` where it can no longer be made. */
async function composeAgain(
  context: Context,
  mail: LedgerMail,
  signal: AbortSignal,
): Promise<SentCopy | 'never' | 'not-now'> {
  const { ports, config } = context;
  const accepted = acceptMail(
    { payload: mail.payload, payload_hash: mail.payloadHash, user_id: config.pairing.userId },
    acceptContext(context),
  );
  if (!accepted.ok) return 'never';
  const dateMs = ports.ledger.attempts(mail.id).at(-1)?.handedOverAtMs ?? mail.changedAtMs;
  const messageId = messageIdOfMail(mail, config.account.address);
  const composed = await ports.composer.compose(
    { id: mail.id, messageId, payload: accepted.value.payload, dateMs },
    signal,
  );
  if (!composed.ok) return composed.error.kind === 'permanent' ? 'never' : 'not-now';
  return { messageId: composed.value.messageId, bytes: composed.value.bytes, dateMs };
}
