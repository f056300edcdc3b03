import XOAuth2 from 'nodemailer/lib/xoauth2';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SmtpServer } from '../../../shared/settings.ts';
import type { Stage } from '../../../shared/wire/messages.ts';
import type { ComposedMessage, Submission } from '../../engine/ports.ts';
import type { MailSecret } from '../oauth/mail-secret.ts';
import { type Broken, broken, closedBroken, type OpeningFailure, outOfStep, timedOut } from './broken.ts';
import type { SmtpDeadlines } from './deadlines.ts';
import { Dialogue } from './dialogue.ts';
import { exchange } from './exchange.ts';
import { type Offers, readOffers } from './offers.ts';
import { type OpeningWatch, openTransport } from './open-transport.ts';
import { isNegative, isPositive, type RawReply } from './reply-reader.ts';
import { type Redact, redactLogin, smtpReply } from './reply-text.ts';
import { type MessageWatch, sendMessage } from './send-message.ts';
import { trySender } from './try-sender.ts';

export type Login = { readonly userName: string; readonly secret: MailSecret };

/** An endless exchange of challenges is not a login; PLAIN needs one reply, LOGIN three. */
const LOGIN_REPLIES_MAX = 5;
const NO_SIGNAL = new AbortController().signal;

/** Connects, says EHLO over TLS and logs in. The secret stays in memory only as long as the connection. */
export async function openSession(
  server: SmtpServer,
  login: Login,
  watch: OpeningWatch,
): Promise<Result<Session, OpeningFailure>> {
  const transport = await openTransport(server, watch);
  if (!transport.ok) return transport;
  const dialogue = new Dialogue(transport.value);
  const offers = await sayHello(dialogue, transport.value.secured ? 'tls' : 'connect', watch);
  if (!offers.ok) return offers;
  watch.onStage('auth');
  const redact = redactLogin(login.userName, login.secret.value);
  const failure = await logIn(dialogue, offers.value, login, redact, watch);
  if (failure !== null) return err(failure);
  return ok(new Session(dialogue, offers.value, watch.deadlines, redact));
}

function sayHello(dialogue: Dialogue, stage: Stage, watch: OpeningWatch): Promise<Result<Offers, OpeningFailure>> {
  const failed = (end: Broken): Result<Offers, OpeningFailure> => err({ kind: 'broken', stage, ...end });
  let offers: Offers | null = null;
  return exchange<Result<Offers, OpeningFailure>>(dialogue, watch.signal, {
    broken: failed,
    onReply(turn, raw, command) {
      if (command === 'greeting') return;
      if (command === 'ehlo' && isPositive(raw)) offers = readOffers(raw);
      else if (command === 'ehlo' && isNegative(raw)) turn.drop(err({ kind: 'replied', stage, reply: plain(raw) }));
      else turn.drop(failed(outOfStep(`${raw.code} is no answer here`)));
    },
    start(turn) {
      turn.arm(watch.deadlines.helloMs, () => failed(timedOut('no reply to EHLO came')));
      dialogue.smtp.connect(() => {
        if (offers !== null) turn.settle(ok(offers));
        else turn.drop(failed(dialogue.end ?? closedBroken(dialogue.socket.errored)));
      });
    },
  });
}

function logIn(
  dialogue: Dialogue,
  offers: Offers,
  login: Login,
  redact: Redact,
  watch: OpeningWatch,
): Promise<OpeningFailure | null> {
  const failed = (end: Broken): OpeningFailure => ({ kind: 'broken', stage: 'auth', ...end });
  const { userName: user, secret } = login;
  const isToken = secret.kind === 'access-token';
  const method = isToken ? (offers.xoauth2 ? 'XOAUTH2' : null) : offers.login;
  let replyCount = 0;
  return exchange<OpeningFailure | null>(dialogue, watch.signal, {
    broken: failed,
    onReply(turn, raw, command) {
      replyCount += 1;
      if (command !== 'auth') turn.drop(failed(outOfStep('it answered ahead')));
      else if (isNegative(raw)) turn.drop({ kind: 'replied', stage: 'auth', reply: smtpReply(raw, redact) });
      else if (replyCount > LOGIN_REPLIES_MAX) turn.drop(failed(outOfStep('its login does not end')));
      else if (raw.code !== 334 && raw.code !== 235) turn.drop(failed(outOfStep(`${raw.code} is no answer here`)));
    },
    start(turn) {
      if (method === null) {
        const by = isToken ? 'the sign-in of its provider' : 'password';
        return turn.drop(failed(broken('auth-not-offered', `The mail server offers no login by ${by}.`)));
      }
      turn.arm(watch.deadlines.authMs, () => failed(timedOut('the login did not end')));
      dialogue.startLogin();
      const said = isToken ? { oauth2: new XOAuth2({ user, accessToken: secret.value }) } : { pass: secret.value };
      dialogue.smtp.login({ user, ...said, method }, (error) => {
        dialogue.endLogin();
        if (error === null) turn.settle(null);
        else turn.drop(failed(dialogue.end ?? outOfStep('its login makes no sense')));
      });
    },
  });
}

/** A connection that is logged in and takes one message after another. Closed by `quit` or `drop`. */
export class Session {
  readonly #dialogue: Dialogue;
  readonly #offers: Offers;
  readonly #deadlines: SmtpDeadlines;
  readonly #redact: Redact;
  #open = false;
  #sentCount = 0;

  constructor(dialogue: Dialogue, offers: Offers, deadlines: SmtpDeadlines, redact: Redact) {
    this.#dialogue = dialogue;
    this.#offers = offers;
    this.#deadlines = deadlines;
    this.#redact = redact;
  }

  /** What the server offers on this connection. */
  get offers(): Offers {
    return this.#offers;
  }

  /**
   * Asks whether mails from this address are taken, by MAIL and RSET, and ends the connection: nothing is sent over it
   * afterwards.
   */
  async trySender(address: string, signal: AbortSignal): Promise<Result<void, OpeningFailure>> {
    const socket = this.#dialogue.release();
    const parts = { deadlines: this.#deadlines, redact: this.#redact, signal };
    return trySender(socket, address, { ...parts, smtpUtf8: this.#offers.smtpUtf8 });
  }

  get usable(): boolean {
    return this.#dialogue.usable;
  }

  /** True where a transaction was refused half-way: RSET must come before the next MAIL. */
  get midway(): boolean {
    return this.#open;
  }

  /** Messages tried over this connection. */
  get sentCount(): number {
    return this.#sentCount;
  }

  /** Sends one message; what the server cannot take is found before MAIL, and then the connection stays as it is. */
  async send(message: ComposedMessage, watch: MessageWatch, signal: AbortSignal): Promise<Submission> {
    const fault = unfit(message, this.#offers);
    if (fault !== null) return { kind: 'broken', stage: 'envelope', ...fault };
    this.#sentCount += 1;
    const given = { deadlines: this.#deadlines, redact: this.#redact };
    const submission = await sendMessage(this.#dialogue, message, watch, given, signal);
    this.#open = submission.kind === 'replied';
    return submission;
  }

  /** Asks the server by RSET whether the connection still stands, and ends a transaction that was refused. */
  async verify(signal: AbortSignal): Promise<boolean> {
    let agreed = false;
    const done = await exchange<boolean>(this.#dialogue, signal, {
      broken: () => false,
      onReply(turn, raw, command) {
        agreed = command === 'rset' && isPositive(raw);
        if (!agreed) turn.drop(false);
      },
      start: (turn) => {
        turn.arm(this.#deadlines.verifyMs, () => false);
        this.#dialogue.smtp.reset(() => (agreed ? turn.settle(true) : turn.drop(false)));
      },
    });
    if (done) this.#open = false;
    return done;
  }

  /** Says QUIT, waits a moment for the reply, and closes whatever came of it. */
  async quit(): Promise<void> {
    if (!this.usable) return this.drop();
    await exchange<void>(this.#dialogue, NO_SIGNAL, {
      broken: () => undefined,
      onReply: (turn) => turn.drop(),
      start: (turn) => {
        turn.arm(this.#deadlines.quitMs, () => undefined);
        this.#dialogue.smtp.quit();
      },
    });
    this.drop();
  }

  drop(): void {
    this.#dialogue.drop();
  }

  /** An idle connection must not keep the process alive. */
  rest(): void {
    this.#dialogue.socket.unref();
  }

  wake(): void {
    this.#dialogue.socket.ref();
  }
}

/** What the server's offers rule out. Source: RFC 1870 (SIZE), RFC 6531 (SMTPUTF8). */
function unfit(message: ComposedMessage, offers: Offers): Broken | null {
  const { envelope, bytes } = message;
  const beyondAscii = /[^\x20-\x7e]/.test(envelope.from + envelope.to);
  if ((envelope.needsSmtpUtf8 || beyondAscii) && !offers.smtpUtf8) {
    return broken('smtputf8-missing', 'The mail server does not take addresses with letters beyond ASCII.');
  }
  if (offers.sizeMaxBytes !== null && bytes.length > offers.sizeMaxBytes) {
    return broken(
      'size-exceeded',
      `The mail has ${bytes.length} bytes; the mail server takes at most ${offers.sizeMaxBytes}.`,
    );
  }
  return null;
}

// Nothing secret has been said on the connection yet.
const plain = (raw: RawReply) => smtpReply(raw, (text) => text);
