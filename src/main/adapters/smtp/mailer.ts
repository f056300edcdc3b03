import { isLoopbackHost } from '../../../shared/loopback.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { SmtpServer } from '../../../shared/settings.ts';
import { STAGES, type Stage } from '../../../shared/wire/messages.ts';
import type { ComposedMessage, Mailer, Submission } from '../../engine/ports.ts';
import type { AskMailSecret, MailSecretFailure } from '../oauth/mail-secret.ts';
import { openDirect } from '../tunnel/open-tunnel.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import type { OpeningFailure } from './broken.ts';
import { SMTP_DEADLINES, type SmtpDeadlines } from './deadlines.ts';
import type { MessageWatch } from './send-message.ts';
import { openSession, type Session } from './session.ts';

/** Where mails are submitted, and as whom. */
export type SmtpAccount = { readonly server: SmtpServer; readonly userName: string };

type KeepLimits = {
  /** A connection that was idle for longer is given up. */
  readonly idleMaxMs: number;
  /** After an idle time of more than this the server is asked first whether the connection still stands. */
  readonly verifyAfterMs: number;
  readonly mailsMax: number;
};

export type SmtpMailerOptions = {
  /** Read anew for each mail: a changed account ends the kept connection. */
  readonly account: () => SmtpAccount;
  /** Asked only when a connection is opened. */
  readonly secret: AskMailSecret;
  /** The way to the mail server; straight where it is missing. */
  readonly tunnel?: OpenTunnel;
  readonly deadlines?: Partial<SmtpDeadlines>;
  readonly keep?: Partial<KeepLimits>;
  /** Our name in EHLO; without one the address of our end of the connection is said. */
  readonly clientName?: string;
};

/**
 * Idle for longer than the usual pause between two mails; servers wait five minutes (RFC 5321 4.5.3.2.7). A provider that
 * allows fewer mails a session says 421, and a fresh connection follows.
 */
const KEEP_LIMITS: KeepLimits = { idleMaxMs: 75_000, verifyAfterMs: 5_000, mailsMax: 500 };

type Kept = { readonly session: Session; readonly accountKey: string; readonly sinceMs: number };

/**
 * The mailer over SMTP. One mail at a time; a second `submit` before the first has ended is a fault of the caller.
 *
 * Stages are announced in order and each at most once a mail: a kept connection starts at `envelope`. Where a kept
 * connection turns out dead at MAIL, another is opened once and the mail goes over that one; stages up to `envelope`
 * are then not announced again, while the submission's own stage tells where the second connection got to.
 *
 * `submit` may answer while the gate is still being asked: the dialogue is over then and the gate's word is not used.
 */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const deadlines = { ...SMTP_DEADLINES, ...options.deadlines };
  const limits = { ...KEEP_LIMITS, ...options.keep };
  let kept: Kept | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> | null = null;

  /** The kept connection if it may carry another mail; otherwise it is given up. */
  const takeKept = async (account: SmtpAccount, signal: AbortSignal): Promise<Session | null> => {
    clearTimeout(idleTimer);
    const last = kept;
    kept = null;
    if (last === null) return null;
    const { session } = last;
    session.wake();
    const idleMs = Date.now() - last.sinceMs;
    // A clock that was set back makes the idle time negative: then nobody knows it.
    const stale = idleMs < 0 || idleMs > limits.idleMaxMs || session.sentCount >= limits.mailsMax;
    if (stale || last.accountKey !== accountKey(account) || !session.usable) {
      await session.quit();
      return null;
    }
    const unsure = session.midway || idleMs > limits.verifyAfterMs;
    return !unsure || (await session.verify(signal)) ? session : null;
  };

  const keep = (session: Session, account: SmtpAccount): void => {
    if (!session.usable) {
      session.drop();
      return;
    }
    session.rest();
    kept = { session, accountKey: accountKey(account), sinceMs: Date.now() };
    idleTimer = setTimeout(() => void quitKept(), limits.idleMaxMs).unref();
  };

  const quitKept = async (): Promise<void> => {
    clearTimeout(idleTimer);
    const last = kept;
    kept = null;
    last?.session.wake();
    await last?.session.quit();
  };

  /** A token that the server refuses is replaced once: it may have been taken back before its time. */
  const open = async (
    account: SmtpAccount,
    onStage: (stage: Stage) => void,
    signal: AbortSignal,
    refused: string | null = null,
  ): Promise<Result<Session, OpeningFailure>> => {
    const secret = await options.secret(refused);
    if (!secret.ok) return err(stopAt('auth', SECRET_CAUSES[secret.error.kind], secret.error.text));
    const login = { userName: account.userName, secret: secret.value };
    const tunnel = options.tunnel ?? openDirect;
    const clientName = options.clientName ?? null;
    const opened = await openSession(account.server, login, { deadlines, signal, clientName, onStage, tunnel });
    const { kind, value } = secret.value;
    const isStale = refused === null && kind === 'access-token' && !opened.ok && isLoginRefused(opened.error);
    return isStale ? open(account, onStage, signal, value) : opened;
  };

  const submitOne = async (message: ComposedMessage, watch: MessageWatch, signal: AbortSignal): Promise<Submission> => {
    const account = options.account();
    if (!isOneMailbox(message.envelope.from) || !isOneMailbox(message.envelope.to)) {
      return stopAt('prepare', 'out-of-step', 'The message does not go from one plain address to one plain address.');
    }
    if (account.server.security === 'none' && !isLoopbackHost(account.server.host)) {
      return stopAt('connect', 'tls', 'A connection without TLS is allowed to this machine only.');
    }
    if (signal.aborted) return stopAt('connect', 'stopped', 'Stopped before the mail was handed over.');
    const heard = { ...watch, onStage: eachOnce(watch.onStage) };
    const old = await takeKept(account, signal);
    if (old !== null) {
      const submission = await old.send(message, heard, signal);
      keep(old, account);
      if (!diedAtMail(submission)) return submission;
    }
    const opened = await open(account, heard.onStage, signal);
    if (!opened.ok) return opened.error;
    const submission = await opened.value.send(message, heard, signal);
    keep(opened.value, account);
    return submission;
  };

  return {
    async submit(message, watch, signal) {
      if (underWay !== null) throw new Error('the mailer sends one mail at a time');
      const mine = submitOne(message, watch, signal);
      underWay = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        underWay = null;
      }
    },
    async close() {
      await underWay;
      await quitKept();
    },
  };
}

const SECRET_CAUSES = {
  'sign-in-again': 'sign-in-again',
  unreachable: 'sign-in-unreachable',
  keychain: 'no-credentials',
} as const satisfies Record<MailSecretFailure['kind'], Extract<Submission, { kind: 'broken' }>['cause']>;

const isLoginRefused = (end: OpeningFailure): boolean =>
  end.kind === 'replied' && end.stage === 'auth' && end.reply.code >= 500;

const stopAt = (stage: Stage, cause: Extract<Submission, { kind: 'broken' }>['cause'], text: string) =>
  ({ kind: 'broken', stage, cause, text }) as const;

const accountKey = (account: SmtpAccount): string => JSON.stringify([account.server, account.userName]);

/** Before any reply but a goodbye: nothing of this mail can have been taken, the server had ended the connection. */
function diedAtMail(submission: Submission): boolean {
  if (submission.kind === 'broken') return submission.stage === 'envelope' && submission.cause === 'dropped';
  return submission.kind === 'replied' && submission.command === 'mail' && submission.reply.code === 421;
}

/** One address and nothing that could become a second one or a second command in the library's hands. */
function isOneMailbox(text: string): boolean {
  return /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(text);
}

/** Passes each stage on once and never an earlier one than before. */
function eachOnce(onStage: (stage: Stage) => void): (stage: Stage) => void {
  let furthest = -1;
  return (stage) => {
    const rank = STAGES.indexOf(stage);
    if (rank <= furthest) return;
    furthest = rank;
    onStage(stage);
  };
}
