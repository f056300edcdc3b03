import type { CloudStatus, StoredResult } from '../../src/shared/wire/messages.ts';
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
  readonly retired: Set<string>;
  uncertain: boolean;
  smtpMessageId: string | null;
  errorMessage: string | null;
  /** Every state it was in, the first included. */
  readonly history: CloudStatus[];
};

export function move(mail: CloudMail, to: CloudStatus): void {
  mail.status = to;
  mail.history.push(to);
}

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
