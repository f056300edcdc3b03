import { createSmtpMailer, type SmtpMailerOptions } from '../../../src/main/adapters/smtp/mailer.ts';
import type { ComposedMessage, Gate, Mailer, Submission } from '../../../src/main/engine/ports.ts';
import { ok } from '../../../src/shared/result.ts';
import type { SmtpServer } from '../../../src/shared/settings.ts';
import type { Stage } from '../../../src/shared/wire/messages.ts';
import { type PeerOptions, ScriptedSmtp } from '../../support/scripted-smtp.ts';

export const PASSWORD = 'correct  horse 马';
const SMALL = Buffer.from('Subject: a test\r\n\r\nHello.\r\n.hidden dot\r\n');
/** Larger than what is held back, so that part of the body leaves before the gate. */
export const LARGE = Buffer.from(`Subject: a test\r\n\r\n${'A line of text.\r\n'.repeat(10_000)}`);

export const message = (
  bytes: Buffer = SMALL,
  envelope: Partial<ComposedMessage['envelope']> = {},
): ComposedMessage => ({
  messageId: '<email-recipient-1@example.com>',
  envelope: { from: 'anna@example.com', to: 'bert@example.net', needsSmtpUtf8: false, ...envelope },
  bytes,
});

const open: Gate = async () => 'open';
export const shut: Gate = async () => 'shut';

/** Generous, so that a busy machine changes nothing: a case that waits for a deadline shortens the one it means. */
const DEADLINES = {
  connectMs: 20_000,
  tlsMs: 20_000,
  greetingMs: 20_000,
  helloMs: 20_000,
  authMs: 20_000,
  envelopeMs: 20_000,
  bodyProgressMs: 20_000,
  gateMs: 20_000,
  finalReplyMs: 20_000,
  verifyMs: 20_000,
  quitMs: 200,
} as const;
const SHORT_MS = 150;
export type DeadlineName = keyof typeof DEADLINES;

export type Setting = {
  readonly server?: Partial<SmtpServer>;
  readonly mailer?: Partial<SmtpMailerOptions>;
  readonly shorten?: DeadlineName;
};

export function mailerFor(peer: ScriptedSmtp, setting: Setting = {}): Mailer {
  const server = { host: '127.0.0.1', port: peer.port, security: peer.security, caFile: null, ...setting.server };
  return createSmtpMailer({
    account: () => ({ server, userName: 'anna@example.com' }),
    secret: async () => ok({ kind: 'password', value: PASSWORD }),
    ...setting.mailer,
    deadlines: {
      ...DEADLINES,
      ...(setting.shorten === undefined ? {} : { [setting.shorten]: SHORT_MS }),
      ...setting.mailer?.deadlines,
    },
  });
}

export type Sending = {
  readonly message?: ComposedMessage;
  readonly gate?: Gate;
  readonly signal?: AbortSignal;
  readonly onStage?: (stage: Stage) => void;
};

export async function send(
  mailer: Mailer,
  sending: Sending = {},
): Promise<{ readonly submission: Submission; readonly stages: readonly Stage[] }> {
  const stages: Stage[] = [];
  const onStage = (stage: Stage): void => {
    stages.push(stage);
    sending.onStage?.(stage);
  };
  const submission = await mailer.submit(
    sending.message ?? message(),
    { onStage, gate: sending.gate ?? open },
    sending.signal ?? new AbortController().signal,
  );
  return { submission, stages };
}

/** One mail to a peer of its own; both are closed when it is over. */
export async function sendOne(options: PeerOptions, setting: Setting = {}, sending: Sending = {}) {
  const peer = await ScriptedSmtp.start(options);
  const mailer = mailerFor(peer, setting);
  try {
    return { ...(await send(mailer, sending)), peer };
  } finally {
    await mailer.close();
    await peer.close();
  }
}

/** A submission in one line, for tables: `accepted 250`, `replied auth 535`, `broken body dropped`, `held-back`. */
export function inShort(submission: Submission): string {
  switch (submission.kind) {
    case 'accepted':
      return `accepted ${submission.reply.code}`;
    case 'replied':
      return `replied ${submission.stage} ${submission.reply.code}`;
    case 'broken':
      return `broken ${submission.stage} ${submission.cause}`;
    case 'held-back':
      return 'held-back';
  }
}
