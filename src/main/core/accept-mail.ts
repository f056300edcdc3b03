import { err, ok, type Result } from '../../shared/result.ts';
import type { Language } from '../../shared/texts/language.ts';
import { REJECT_TEXTS } from '../../shared/texts/reject-texts.ts';
import { parseAddress } from '../../shared/wire/address.ts';
import { NotCanonical } from '../../shared/wire/canonical-json.ts';
import { type ClaimedItemHead, ERROR_MESSAGE_MAX_CHARS } from '../../shared/wire/messages.ts';
import { Payload } from '../../shared/wire/payload.ts';
import { payloadHash } from '../../shared/wire/payload-hash.ts';
import type { Failure } from './mail-state.ts';

export type AcceptContext = {
  /** Whose agent this is. */
  readonly userId: string;
  /** The account's own address and its aliases. */
  readonly fromAddresses: readonly string[];
  /** Attachments may also come from here, when it is a cloud on this very machine without TLS. */
  readonly cloudOrigin: string;
  readonly language: Language;
};

/** What of a claimed mail is checked; the ledger keeps the same. */
export type MailHead = Pick<ClaimedItemHead, 'user_id' | 'payload_hash' | 'payload'>;

/** A start further ahead than this is a mistake, not a plan. */
const AHEAD_MAX_MS = 400 * 86_400_000;

/**
 * Checks a claimed mail before anything is done with it: ours, unchanged since it was approved, well-formed, from an
 * address of this account, attachments from a protected place. Every failure is permanent (class `payload`).
 */
export function acceptMail(head: MailHead, context: AcceptContext): Result<{ payload: Payload }, Failure> {
  const texts = REJECT_TEXTS[context.language];
  const reject = (message: string) => err(rejection('payload', message));
  if (head.user_id !== context.userId) return reject(texts.otherUser());
  const hash = hashOf(head.payload);
  if (!hash.ok) return reject(texts.noCanonicalForm(hash.error));
  if (hash.value !== head.payload_hash) return reject(texts.hashDiffers(head.payload_hash, hash.value));
  const parsed = Payload.safeParse(head.payload);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return reject(texts.badField(issue?.path.join('.') || 'payload', issue?.message ?? ''));
  }
  const payload = parsed.data;
  if (!context.fromAddresses.some((own) => isSameMailbox(own, payload.from.address))) {
    return reject(texts.fromNotYours(payload.from.address));
  }
  const misplaced = payload.attachments?.find(({ url }) => !isProtectedPlace(url, context.cloudOrigin));
  if (misplaced !== undefined) return reject(texts.attachmentPlace(misplaced.name));
  return ok({ payload });
}

/**
 * Checks when a mail may be sent, as often as that is asked: not after its end (class `expired`), and neither a start
 * too far ahead nor one behind the end (class `payload`). A start still to come is no failure. Epoch milliseconds.
 */
export function checkInstants(
  mail: { readonly notBeforeMs: number | null; readonly notAfterMs: number | null },
  nowMs: number,
  language: Language,
): Result<void, Failure> {
  const { notBeforeMs, notAfterMs } = mail;
  const texts = REJECT_TEXTS[language];
  if (notAfterMs !== null && nowMs > notAfterMs) return err(rejection('expired', texts.expired(notAfterMs)));
  if (notBeforeMs !== null && notBeforeMs - nowMs > AHEAD_MAX_MS) {
    return err(rejection('payload', texts.tooFarAhead(notBeforeMs)));
  }
  if (notBeforeMs !== null && notAfterMs !== null && notBeforeMs > notAfterMs) {
    return err(rejection('payload', texts.neverInTime()));
  }
  return ok(undefined);
}

function rejection(replyClass: 'payload' | 'expired', message: string): Failure {
  return { stage: 'prepare', class: replyClass, reply: null, message: message.slice(0, ERROR_MESSAGE_MAX_CHARS) };
}

/** The payload's digest, or the place that has none. */
function hashOf(payload: unknown): Result<string, string> {
  try {
    return ok(payloadHash(payload));
  } catch (error) {
    if (error instanceof NotCanonical) return err(error.path);
    throw error;
  }
}

/** Equal local parts, and domains equal however they are spelled. Source: RFC 5321 2.4. */
function isSameMailbox(a: string, b: string): boolean {
  const [left, right] = [parseAddress(a), parseAddress(b)];
  if (!left.ok || !right.ok || left.value.localPart !== right.value.localPart) return false;
  return asciiDomain(left.value.domain) === asciiDomain(right.value.domain);
}

function asciiDomain(domain: string): string {
  const place = `https://${domain}`;
  return URL.canParse(place) ? new URL(place).hostname : domain.toLowerCase();
}

function isProtectedPlace(url: string, cloudOrigin: string): boolean {
  const place = new URL(url);
  if (place.username !== '' || place.password !== '') return false;
  return place.protocol === 'https:' || (URL.canParse(cloudOrigin) && place.origin === new URL(cloudOrigin).origin);
}
