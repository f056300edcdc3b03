import { parseAddress } from '../../shared/wire/address.ts';
import { acceptMail, checkInstants } from '../core/accept-mail.ts';
import type { Failure } from '../core/mail-state.ts';
import { messageIdOf } from '../core/message-id.ts';
import { addressIn } from '../core/recipient-domain.ts';
import type { Context } from './context.ts';
import type { ComposedMessage, LedgerMail } from './ports.ts';

/** A mail ready for its attempt, or why it is not. `temporary` may be tried again. */
export type Prepared =
  | { readonly kind: 'ready'; readonly message: ComposedMessage }
  | { readonly kind: 'permanent' | 'temporary'; readonly failure: Failure };

/**
 * Checks a claimed mail once more against its hash and this account, fetches its attachments and composes the message.
 * Nothing has been sent and no attempt has started.
 */
export async function prepareMail(context: Context, mail: LedgerMail, signal: AbortSignal): Promise<Prepared> {
  const { config, ports } = context;
  const nowMs = ports.clock.nowMs();
  const inTime = checkInstants(mail, nowMs, config.language);
  if (!inTime.ok) return { kind: 'permanent', failure: inTime.error };
  const accepted = acceptMail(
    { payload: mail.payload, payload_hash: mail.payloadHash, user_id: config.pairing.userId },
    acceptContext(context),
  );
  if (!accepted.ok) return { kind: 'permanent', failure: accepted.error };
  // The hash and the message are the two long works; a reply for the mail under way may come between them.
  await ports.clock.turn();
  const messageId = messageIdOfMail(mail, config.account.address);
  const composed = await ports.composer.compose(
    { id: mail.id, messageId, payload: accepted.value.payload, dateMs: nowMs },
    signal,
  );
  if (composed.ok) return { kind: 'ready', message: composed.value };
  return composed.error;
}

export function acceptContext({ config }: Context) {
  return {
    userId: config.pairing.userId,
    fromAddresses: [config.account.address, ...config.account.aliases],
    cloudOrigin: new URL(config.pairing.cloudUrl).origin,
    language: config.language,
  };
}

/** The same on every attempt and after every restart; at the domain of the account where the payload has none. */
export function messageIdOfMail(mail: LedgerMail, accountAddress: string): string {
  return messageIdOf({ ...mail, fromDomain: fromDomain(mail.payload) ?? domainOf(accountAddress) });
}

function fromDomain(payload: unknown): string | null {
  const parsed = parseAddress(addressIn(payload, 'from') ?? '');
  return parsed.ok ? parsed.value.domain : null;
}

const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);
