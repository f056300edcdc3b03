import { err, ok, type Result } from '../shared/result.ts';
import type { MailAccount } from '../shared/settings.ts';
import { CHECK_TEXTS } from '../shared/texts/check-texts.ts';
import type { Language } from '../shared/texts/language.ts';
import { Payload } from '../shared/wire/payload.ts';
import { payloadHash } from '../shared/wire/payload-hash.ts';
import { createComposer } from './adapters/message/compose.ts';
import type { MailSecret } from './adapters/oauth/mail-secret.ts';
import { createSmtpMailer } from './adapters/smtp/mailer.ts';
import type { OpenTunnel } from './adapters/tunnel/tunnel.ts';
import type { Submission } from './core/attempt-end.ts';
import { messageIdOf } from './core/message-id.ts';
import type { Clock, Random } from './engine/ports.ts';

/** Why the test mail did not arrive at the server, or `uncertain` where it left without a reply. */
export type TestMailFailure = Exclude<Submission, { readonly kind: 'accepted' }> | { readonly kind: 'unwritable' };

/** One small mail from the account to itself, composed and submitted as every other; answers its Message-ID. */
export async function sendTestMail(
  ports: { readonly clock: Pick<Clock, 'nowMs'>; readonly random: Pick<Random, 'nonce'> },
  given: {
    readonly account: MailAccount;
    readonly secret: MailSecret;
    readonly language: Language;
    readonly tunnel: OpenTunnel;
  },
  signal: AbortSignal,
): Promise<Result<{ readonly messageId: string }, TestMailFailure>> {
  const { account, secret, language, tunnel } = given;
  const { address, name } = account;
  const texts = CHECK_TEXTS[language].testMail;
  const payload = Payload.parse({
    from: { address, name },
    to: { address, name },
    subject: texts.subject,
    text: texts.body,
  });
  const idempotencyKey = `account-check-${ports.random.nonce()}`;
  const fromDomain = address.slice(address.lastIndexOf('@') + 1);
  const messageId = messageIdOf({ idempotencyKey, payloadHash: payloadHash(payload), fromDomain });
  const composer = createComposer({ attachments: null });
  const mail = { id: idempotencyKey, messageId, payload, dateMs: ports.clock.nowMs() };
  const composed = await composer.compose(mail, signal);
  if (!composed.ok) return err({ kind: 'unwritable' });
  const mailer = createSmtpMailer({
    account: () => ({ server: account.smtp, userName: account.userName }),
    secret: async () => ok(secret),
    tunnel,
  });
  try {
    const watch = { onStage: () => undefined, gate: async () => 'open' as const };
    const submission = await mailer.submit(composed.value, watch, signal);
    return submission.kind === 'accepted' ? ok({ messageId }) : err(submission);
  } finally {
    await mailer.close();
  }
}
