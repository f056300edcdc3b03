import { type MailFacts, mayMove } from '../../cloud/queue/rules.ts';
import type { CloudStatus, FactRequest, StoredResult } from '../../src/shared/wire/messages.ts';
import type { Payload } from '../../src/shared/wire/payload.ts';

/** The one task of the model cloud. */
export const TASK = { id: 'task-1', name: 'Spring 春' };

export const USER_ID = 'user-1';

/** A mail as the model cloud keeps it. */
export type CloudMail = {
  readonly id: string;
  readonly userId: string;
  key: string;
  hash: string;
  payload: unknown;
  notAfterMs: number | null;
  status: CloudStatus;
  agentId: string | null;
  begun: string | null;
  readonly retired: string[];
  uncertain: boolean;
  smtpMessageId: string | null;
  errorMessage: string | null;
  /** The mail this one is a new copy of, and the one that was made of it. */
  readonly resendOf: string | null;
  resentAs: string | null;
  /** Every state it was in, the first included. */
  readonly history: CloudStatus[];
  /** By their ids. */
  readonly facts: Map<string, FactRequest>;
};

/** Where only some states may follow, the queue's transition table decides, as its trigger does in the database. */
export function move(mail: CloudMail, to: CloudStatus, may = mayMove): void {
  if (!may({ status: mail.status, begun_nonce: mail.begun, uncertain: mail.uncertain }, to)) {
    throw new Error(`mail ${mail.id} cannot move from ${mail.status} to ${to}`);
  }
  mail.status = to;
  mail.history.push(to);
}

/** The row as the rules of the queue read it. */
export const factsOf = (mail: CloudMail, nowMs: number): MailFacts => ({
  status: mail.status,
  agent_id: mail.agentId,
  idempotency_key: mail.key,
  payload_hash: mail.hash,
  begun_nonce: mail.begun,
  retired_nonces: mail.retired,
  smtp_message_id: mail.smtpMessageId,
  error_message: mail.errorMessage,
  uncertain: mail.uncertain,
  expired: mail.notAfterMs !== null && mail.notAfterMs <= nowMs,
});

export const storedResult = (mail: CloudMail): StoredResult => ({
  status: mail.status,
  smtp_message_id: mail.smtpMessageId,
  error_message: mail.errorMessage,
});

export const claimedItem = (mail: CloudMail) => ({
  id: mail.id,
  user_id: mail.userId,
  idempotency_key: mail.key,
  payload_hash: mail.hash,
  task: TASK,
  not_before: null,
  not_after: mail.notAfterMs === null ? null : new Date(mail.notAfterMs).toISOString(),
  payload: mail.payload,
});

export const samplePayload = (id: string): Payload => ({
  from: { name: '李雷', address: 'sales@example.com' },
  to: { name: null, address: `buyer-${id}@example.net` },
  subject: `你好 ${id}`,
  text: 'Hello',
});

/** Final in the cloud, or marked as one that a person must settle. */
export const isSettled = (mail: CloudMail): boolean =>
  mail.status === 'sending' ? mail.uncertain : mail.status !== 'queued';
