import { LOCAL_TEXTS } from '../../shared/texts/local-texts.ts';
import type { Evidence } from '../../shared/wire/messages.ts';
import { backoffMs } from '../core/backoff.ts';
import { LOOK_BACKOFF, provesNotSent } from '../core/evidence.ts';
import { isOver } from '../core/waits.ts';
import type { Context } from './context.ts';
import type { FoundMail, LedgerChange, LedgerMail, Mailbox, MailboxFailure } from './ports.ts';
import { messageIdOfMail } from './prepare-mail.ts';

const UNCERTAIN_MAX = 50;
/** Mails known to be sent that are looked for along, to see that the search finds what is there. */
const CONTROLS_MAX = 3;

/** What is remembered of the looks for one mail; lost at the end of the process, which only means more looks. */
type Looks = {
  readonly count: number;
  readonly provenCount: number;
  readonly nextAtMs: number;
  /** Of the first look, on the clock that never goes back. */
  readonly firstMonotonicMs: number;
};
export type LookMemory = Map<string, Looks>;

/** When the next uncertain mail is to be looked for; null where there is none. */
export function nextLookAtMs({ ports }: Context, memory: LookMemory): number | null {
  const mails = ports.ledger.list({ kinds: ['uncertain'], limit: UNCERTAIN_MAX, offset: 0 });
  const instants = mails.map((mail) => memory.get(mail.id)?.nextAtMs ?? 0);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** Looks for the uncertain mails whose turn it is: found in Sent means sent. Answers what kept it from looking. */
export async function settleUncertain(
  context: Context,
  mailbox: Mailbox,
  memory: LookMemory,
  signal: AbortSignal,
): Promise<MailboxFailure | null> {
  const { ports, config } = context;
  const { ledger, clock } = ports;
  const uncertain = ledger.list({ kinds: ['uncertain'], limit: UNCERTAIN_MAX, offset: 0 });
  for (const id of memory.keys()) if (!uncertain.some((mail) => mail.id === id)) memory.delete(id);
  const due = uncertain.filter((mail) => isOver(memory.get(mail.id)?.nextAtMs ?? 0, clock.nowMs()));
  if (due.length === 0) return null;
  const nameOf = (mail: LedgerMail): string => messageIdOfMail(mail, config.account.address);
  const controls = ledger.list({ kinds: ['sent'], limit: CONTROLS_MAX, offset: 0 }).map(nameOf);
  const looked = await mailbox.find('sent', [...due.map(nameOf), ...controls], signal);
  if (!looked.ok) return looked.error;
  const found = new Map(looked.value.found.map((mail) => [mail.messageId, mail]));
  const isProven = controls.some((messageId) => found.has(messageId));
  for (const mail of due) {
    const seen = found.get(nameOf(mail));
    if (seen !== undefined) {
      settle(context, mail, 'sent', 'found-in-sent', seen);
      continue;
    }
    const monotonicMs = clock.monotonicMs();
    const before = memory.get(mail.id) ?? { count: 0, provenCount: 0, nextAtMs: 0, firstMonotonicMs: monotonicMs };
    const count = before.count + 1;
    const provenCount = before.provenCount + (isProven ? 1 : 0);
    const nowMs = clock.nowMs();
    memory.set(mail.id, {
      ...before,
      count,
      provenCount,
      nextAtMs: nowMs + backoffMs(count, ports.random.fraction(), LOOK_BACKOFF),
    });
    const { savesSentCopy } = config.account;
    const lookedForMs = monotonicMs - before.firstMonotonicMs;
    if (provesNotSent({ provenLooks: provenCount, lookedForMs, savesSentCopy }))
      settle(context, mail, 'failed', 'not-in-sent', null);
  }
  return null;
}

function settle(
  context: Context,
  mail: LedgerMail,
  as: 'sent' | 'failed',
  because: 'found-in-sent' | 'not-in-sent',
  found: FoundMail | null,
): void {
  const { ports, journal, bells, config } = context;
  const evidence: Evidence = { kind: 'sent-folder', note: LOCAL_TEXTS[config.language][because] };
  const other = found?.by === 'original-message-id' ? found.currentMessageId : null;
  const named: LedgerChange[] = other === null ? [] : [{ kind: 'mail-named', mailId: mail.id, messageId: other }];
  const written = journal.commit([settledBy(context, mail, as, evidence), ...named]);
  ports.log.info('mailbox.settled', { mail: mail.id, as, because, written: written.ok });
  bells.report.ring();
  context.changed();
}

/** An uncertain mail's end, with what proves it. */
export function settledBy(
  { ports, config }: Context,
  mail: LedgerMail,
  as: 'sent' | 'failed',
  evidence: Evidence,
): LedgerChange {
  const messageId = messageIdOfMail(mail, config.account.address);
  const event = { kind: 'resolved', as, messageId, evidence } as const;
  return { kind: 'mail', mailId: mail.id, event, atMs: ports.clock.nowMs() };
}
