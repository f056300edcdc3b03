import { err, ok, type Result } from '../../../shared/result.ts';
import type { CheckFact } from '../../core/check/facts.ts';
import type { Clock, Mailbox, MailboxFailure } from '../ports.ts';

/** Looks at the folders so often, with a pause between: about 40 s in all. */
const LOOKS_MAX = 9;
const PAUSE_MS = 5_000;
/** Looks at the Sent folder after the mail has come to the inbox, before its absence counts. */
const LOOKS_AFTER_ARRIVAL = 3;

type Seen = Omit<Extract<CheckFact, { readonly step: 'sent-copy' }>, 'step'>;

/**
 * Finds out by a mail that was sent to oneself whether the provider keeps a copy of what is sent, and whether the
 * Message-ID stays. A copy in Sent settles it. That there is none counts only once the mail has come to the inbox and
 * Sent still had nothing a while later; until then nobody knows.
 */
export async function lookForTestMail(
  ports: { readonly clock: Pick<Clock, 'sleep'>; readonly mailbox: Pick<Mailbox, 'find'> },
  messageId: string,
  signal: AbortSignal,
): Promise<Result<Seen, MailboxFailure>> {
  const { clock, mailbox } = ports;
  let looksAfterArrival = 0;
  let keepsMessageId: Seen['keepsMessageId'] = 'unknown';
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const sent = await mailbox.find('sent', [messageId], signal);
    if (!sent.ok) return err(sent.error);
    const [copy] = sent.value.found;
    if (copy !== undefined) return ok({ savesCopy: 'yes', keepsMessageId: copy.by === 'message-id' ? 'yes' : 'no' });
    const inbox = await mailbox.find('inbox', [messageId], signal);
    if (!inbox.ok) return err(inbox.error);
    const [arrived] = inbox.value.found;
    if (arrived !== undefined) {
      looksAfterArrival += 1;
      keepsMessageId = arrived.by === 'message-id' ? 'yes' : 'no';
    }
    if (looksAfterArrival >= LOOKS_AFTER_ARRIVAL) return ok({ savesCopy: 'no', keepsMessageId });
    if (look < LOOKS_MAX) await clock.sleep(PAUSE_MS, signal);
    if (signal.aborted) break;
  }
  return ok({ savesCopy: 'unknown', keepsMessageId });
}
