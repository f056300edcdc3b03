import { isIP, type Socket } from 'node:net';
import type { CheckStep } from '../../../shared/account-check.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Stage } from '../../../shared/wire/messages.ts';
import type { CheckWatch, RefusedCertificate } from '../../core/check/facts.ts';
import { stepOfStage } from '../../core/check/trouble.ts';
import type { MailSecret } from '../oauth/mail-secret.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import type { OpeningFailure } from './broken.ts';
import { certificateOf } from './certificate-facts.ts';
import { SMTP_DEADLINES } from './deadlines.ts';
import { lookAtCertificate } from './look-at-certificate.ts';
import type { SmtpAccount } from './mailer.ts';
import { openSession } from './session.ts';

export type CheckLoginFailure = {
  readonly step: CheckStep;
  readonly end: OpeningFailure;
  /** Seen on a second look where the certificate was refused. */
  readonly certificate: RefusedCertificate | null;
};

/**
 * Connects and logs in as the mailer would, asks whether mails from the address are taken, and says goodbye; sends
 * nothing. Each step and what it found is told as it happens.
 */
export async function checkLogin(
  attempt: SmtpAccount & {
    readonly address: string;
    readonly secret: MailSecret;
    readonly tunnel: OpenTunnel;
    readonly signal: AbortSignal;
  },
  watch: CheckWatch,
): Promise<Result<void, CheckLoginFailure>> {
  const { server, tunnel, signal } = attempt;
  let step: CheckStep = 'dns';
  const enter = (next: CheckStep): void => {
    step = next;
    watch.onStep(next);
  };
  const onSecured = (socket: Socket): void => {
    if (server.security === 'none') connected();
    watch.onFact({ step: 'tls', certificate: certificateOf(socket) });
  };
  const connected = (): void => watch.onFact({ step: 'tcp', host: server.host, port: server.port });
  const onStage = (stage: Stage): void => {
    // An address needs no look-up.
    const isAddress = stage === 'connect' && isIP(server.host) !== 0;
    if (stage === 'tls') connected();
    enter(isAddress ? 'tcp' : stepOfStage(stage));
  };
  const onAddress = (address: string): void => {
    watch.onFact({ step: 'dns', address });
    enter('tcp');
  };
  const failed = async (end: OpeningFailure): Promise<Result<void, CheckLoginFailure>> => {
    const isRefused = end.kind === 'broken' && end.cause === 'certificate';
    const certificate = isRefused
      ? await lookAtCertificate(server, { deadlines: SMTP_DEADLINES, tunnel, signal })
      : null;
    return err({ step, end, certificate });
  };

  const opening = { deadlines: SMTP_DEADLINES, signal, clientName: null, tunnel, onStage, onAddress, onSecured };
  const opened = await openSession(server, attempt, opening);
  if (!opened.ok) return failed(opened.error);
  const session = opened.value;
  const { offers } = session;
  watch.onFact({ step: 'login', userName: attempt.userName });
  enter('sender');
  const taken = await session.trySender(attempt.address, signal);
  if (!taken.ok) return failed(taken.error);
  watch.onFact({ step: 'sender', address: attempt.address });
  watch.onFact({ step: 'abilities', sizeMaxBytes: offers.sizeMaxBytes, smtpUtf8: offers.smtpUtf8 });
  return ok(undefined);
}
