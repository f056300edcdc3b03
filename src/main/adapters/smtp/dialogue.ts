import type { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Broken, broken, closedBroken, outOfStep } from './broken.ts';
import type { Transport } from './open-transport.ts';
import { OPENING_REPLY_MAX_BYTES } from './plain-command.ts';
import { type RawReply, ReplyReader } from './reply-reader.ts';

/** What a reply can answer. */
export type Command = 'greeting' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end-of-data' | 'rset' | 'quit';

type DialogueListener = {
  /**
   * A complete reply and what it answers, null where nothing was asked. Heard before the library acts on it: a
   * listener that drops the connection here keeps the library from acting at all.
   */
  readonly onReply: (reply: RawReply, command: Command | null) => void;
  /** The connection is gone. Heard at most once, and nothing after it. */
  readonly onEnd: (end: Broken) => void;
};

const VERBS: readonly (readonly [RegExp, Command])[] = [
  [/^EHLO /, 'ehlo'],
  [/^MAIL FROM:/, 'mail'],
  [/^RCPT TO:/, 'rcpt'],
  [/^DATA$/, 'data'],
  [/^RSET$/, 'rset'],
  [/^QUIT$/, 'quit'],
];
const REPLY_MAX_BYTES = 1024 * 1024;
/** The library falls back to the next level where one is missing. */
const NO_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** The library's own clocks and limits stand behind ours and never come first. */
const LIBRARY_IDLE_MS = 24 * 60 * 60 * 1000;
const LIBRARY_REPLY_MAX_BYTES = 4 * REPLY_MAX_BYTES;

/**
 * The library's connection with a second pair of eyes. This is the one place where the bytes of the server are read
 * beside the library: our listener stands on the socket before the library's own, splits the bytes into replies and
 * pairs each with the command it answers, as the library's transaction log tells what it is about to write. So every
 * judgement rests on complete replies in step with commands, and none on the library's errors, which tell a lost
 * connection before and after the body alike.
 */
export class Dialogue {
  readonly smtp: SMTPConnection;
  readonly socket: Socket;
  readonly #reader = new ReplyReader();
  readonly #expected: Command[] = ['greeting'];
  #listener: DialogueListener | null = null;
  #replyMaxBytes = OPENING_REPLY_MAX_BYTES;
  #loggingIn = false;
  #end: Broken | null = null;
  #libraryError: Error | null = null;

  constructor(transport: Transport) {
    this.socket = transport.socket;
    this.smtp = new SMTPConnection({
      connection: transport.socket,
      secure: transport.secured,
      secured: transport.secured,
      requireTLS: transport.secured,
      ignoreTLS: !transport.secured,
      name: transport.clientName,
      logger: { ...NO_LOG, debug: (entry: unknown, text: unknown) => this.#noteCommand(entry, text) },
      transactionLog: true,
      socketTimeout: LIBRARY_IDLE_MS,
      maxResponseSize: LIBRARY_REPLY_MAX_BYTES,
      // A drop destroys the socket at once: bytes still in our buffers must never leave.
      socketCloseTimeout: 0,
    });
    this.smtp.on('error', (error: Error) => {
      this.#libraryError ??= error;
    });
    this.socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.socket.once('close', () => this.#finish(closedBroken(this.socket.errored ?? this.#libraryError)));
    if (this.socket.destroyed) this.#end = closedBroken(this.socket.errored);
  }

  /** True where a further message may be tried: open and in step. After 421 the library has destroyed the socket. */
  get usable(): boolean {
    return this.#end === null && !this.socket.destroyed && this.#expected.length === 0 && this.#reader.empty;
  }

  get end(): Broken | null {
    return this.#end;
  }

  /** One listener at a time; without one, whatever the server says ends the connection. */
  listen(listener: DialogueListener | null): void {
    this.#listener = listener;
  }

  /** From here on each line that the library writes is a step of the login, whatever it looks like. */
  startLogin(): void {
    this.#loggingIn = true;
  }

  endLogin(): void {
    this.#loggingIn = false;
    this.#replyMaxBytes = REPLY_MAX_BYTES;
  }

  /** The end of the message is about to be written; the next reply answers it. */
  expectFinalReply(): void {
    this.#expected.push('end-of-data');
  }

  /** Takes the open connection out of the library's hands: neither it nor this dialogue hears what comes next. */
  release(): Socket {
    this.#end ??= broken('dropped', 'The connection was handed on.');
    this.socket.removeAllListeners('data');
    this.socket.pause();
    return this.socket;
  }

  /** Destroys the connection; nothing that is still in a buffer leaves. */
  drop(): void {
    this.#end ??= broken('dropped', 'The connection was dropped.');
    this.smtp.close();
    this.socket.destroy();
  }

  #hear(chunk: Buffer): void {
    const { replies, fault } = this.#reader.read(chunk, this.#replyMaxBytes);
    for (const reply of replies) {
      if (this.#end !== null) return;
      const command = this.#expected.shift() ?? null;
      if (this.#listener === null) this.drop();
      else this.#listener.onReply(reply, command);
    }
    if (fault === null) return;
    const tooMuch = broken('too-much', 'The mail server sent an endless reply.');
    this.#finish(fault === 'too-much' ? tooMuch : outOfStep('what it sent is no SMTP reply'));
  }

  #finish(end: Broken): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.drop();
    this.#listener?.onEnd(end);
  }

  /** The library logs each command right before it writes it. Login lines come masked. */
  #noteCommand(entry: unknown, text: unknown): void {
    if (!isClientLine(entry) || typeof text !== 'string' || this.#end !== null) return;
    const command = this.#loggingIn ? 'auth' : VERBS.find(([verb]) => verb.test(text))?.[1];
    // Dropped before it is written: a line of the library's own accord, such as the dot that ends an empty message.
    if (command === undefined) this.#finish(outOfStep('it answers commands that were not said'));
    else this.#expected.push(command);
  }
}

const isClientLine = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && 'tnx' in entry && entry.tnx === 'client';
