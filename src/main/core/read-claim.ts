import { z } from 'zod';
import { canonicalJson } from '../../shared/wire/canonical-json.ts';
import {
  ClaimedItemHead,
  type HeldItemHead,
  IdempotencyKey,
  PayloadHash,
  RecipientId,
} from '../../shared/wire/messages.ts';
import { type AcceptContext, acceptMail } from './accept-mail.ts';
import { localFailure } from './conclude.ts';
import type { NewMail } from './ledger-mail.ts';
import type { Failure } from './mail-state.ts';

/** What came with a claim, sorted: every mail enters the ledger, those that cannot be sent with the reason why. */
export type ReadClaim = {
  readonly mails: readonly NewMail[];
  readonly refusals: ReadonlyMap<string, Failure>;
  /** Items that do not even say which mail they are; for the log, without content. */
  readonly unreadable: readonly string[];
};

/** Enough of an item to report that the rest cannot be used. */
const ItemIdentity = z
  .object({ id: RecipientId, idempotency_key: IdempotencyKey, payload_hash: PayloadHash })
  .refine((item) => item.idempotency_key === `email-recipient-${item.id}`, {
    message: 'is the key of another mail',
    path: ['idempotency_key'],
  });

/**
 * Reads the items of a claim or sync one by one: a bad item never costs the others. A mail named twice is taken once
 * where both are equal, and refused where they differ.
 */
export function readClaim(items: readonly unknown[], context: AcceptContext, nowMs: number): ReadClaim {
  const mails = new Map<string, NewMail>();
  const refusals = new Map<string, Failure>();
  const unreadable: string[] = [];
  const seen = new Map<string, unknown>();
  for (const item of items) {
    const identity = ItemIdentity.safeParse(item);
    if (!identity.success) {
      unreadable.push(issuesOf(identity.error));
      continue;
    }
    const { id } = identity.data;
    const before = seen.get(id);
    if (before !== undefined) {
      if (textOf(before) !== textOf(item))
        refusals.set(id, localFailure(context.language, 'repeated-differently', 'payload'));
      continue;
    }
    seen.set(id, item);
    const head = ClaimedItemHead.safeParse(item);
    if (!head.success) {
      mails.set(id, bareMail(identity.data, nowMs));
      refusals.set(id, unreadableAt(context.language, head.error));
      continue;
    }
    mails.set(id, newMail(head.data, nowMs));
    const accepted = acceptMail(head.data, context);
    if (!accepted.ok) refusals.set(id, accepted.error);
  }
  return { mails: [...mails.values()], refusals, unreadable };
}

/** Names the field, so that the office knows which part of the item an older agent cannot read. */
function unreadableAt(language: AcceptContext['language'], error: z.ZodError): Failure {
  const failure = localFailure(language, 'unreadable', 'payload');
  return { ...failure, message: `${failure.message} (${error.issues[0]?.path.join('.')})` };
}

function newMail(head: ClaimedItemHead | HeldItemHead, nowMs: number): NewMail {
  return {
    id: head.id,
    idempotencyKey: head.idempotency_key,
    payloadHash: head.payload_hash,
    taskId: head.task.id,
    taskName: head.task.name,
    payload: head.payload,
    notBeforeMs: head.not_before === null ? null : Date.parse(head.not_before),
    notAfterMs: head.not_after === null ? null : Date.parse(head.not_after),
    claimedAtMs: nowMs,
  };
}

function bareMail(identity: z.infer<typeof ItemIdentity>, nowMs: number): NewMail {
  return {
    id: identity.id,
    idempotencyKey: identity.idempotency_key,
    payloadHash: identity.payload_hash,
    taskId: '',
    taskName: '',
    payload: null,
    notBeforeMs: null,
    notAfterMs: null,
    claimedAtMs: nowMs,
  };
}

function textOf(item: unknown): string {
  try {
    return canonicalJson(item);
  } catch {
    // No canonical form means no equal twin either.
    return JSON.stringify(item);
  }
}

const issuesOf = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
