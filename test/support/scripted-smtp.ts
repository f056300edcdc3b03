import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureVersion, TLSSocket } from 'node:tls';
import type { ServerCertificate } from './tls-certificates.ts';

/** What the peer does at one point of the dialogue. It may say something, nothing, or end the connection. */
export type Act = (peer: PeerConnection) => void;

/** One entry a point; a point without one behaves like an ordinary server. */
export type SmtpScript = {
  readonly greeting?: Act;
  readonly ehlo?: Act;
  readonly starttls?: Act;
  readonly auth?: Act;
  /** Each further line of a login. */
  readonly authStep?: Act;
  readonly mail?: Act;
  readonly rcpt?: Act;
  readonly data?: Act;
  /** Done once `afterBytes` bytes of the body were read; the rest is read on. */
  readonly body?: { readonly afterBytes: number; readonly act: Act };
  readonly endOfData?: Act;
  readonly rset?: Act;
  readonly quit?: Act;
};

/** A message whose end of data the peer saw. */
export type PeerMessage = {
  readonly from: string;
  readonly recipients: readonly string[];
  /** As on the wire: dots still stuffed, the last CRLF included. */
  readonly data: string;
  /** True once a 2yz reply to it was put on the wire. */
  accepted: boolean;
};

export type PeerOptions = {
  readonly security?: 'none' | 'tls' | 'starttls';
  /** Needed for `tls` and `starttls`. */
  readonly certificate?: ServerCertificate;
  /** The newest TLS version that is spoken; any by default. */
  readonly tlsVersion?: SecureVersion;
  /** EHLO keywords; before TLS those of `starttls` are the same without AUTH and with STARTTLS. */
  readonly offers?: readonly string[];
  readonly offersBeforeTls?: readonly string[];
  readonly script?: SmtpScript;
};

export const USUAL_OFFERS = ['PIPELINING', 'SIZE 35882577', '8BITMIME', 'SMTPUTF8', 'AUTH PLAIN LOGIN'];

/** A mail server on 127.0.0.1 that follows a script and writes down what it hears. */
export class ScriptedSmtp {
  /** Every command line of all connections, login lines included, in order. */
  readonly commands: string[] = [];
  readonly messages: PeerMessage[] = [];
  connectionCount = 0;
  port = 0;
  /** May be changed between two mails. */
  script: SmtpScript;
  readonly offers: readonly string[];
  readonly offersBeforeTls: readonly string[];
  readonly security: 'none' | 'tls' | 'starttls';
  readonly certificate: ServerCertificate | null;
  readonly tlsVersion: SecureVersion | null;
  readonly #server: Server;
  readonly #open = new Set<PeerConnection>();

  private constructor(options: PeerOptions) {
    this.security = options.security ?? 'none';
    this.certificate = options.certificate ?? null;
    this.tlsVersion = options.tlsVersion ?? null;
    this.offers = options.offers ?? USUAL_OFFERS;
    this.offersBeforeTls = options.offersBeforeTls ?? [
      ...this.offers.filter((offer) => !offer.startsWith('AUTH')),
      'STARTTLS',
    ];
    this.script = options.script ?? {};
    // Each write leaves at once, so that what an act sends early also arrives early.
    this.#server = createServer({ noDelay: true }, (socket) => this.#welcome(socket));
  }

  static async start(options: PeerOptions = {}): Promise<ScriptedSmtp> {
    const peer = new ScriptedSmtp(options);
    await new Promise<void>((resolve, reject) => {
      peer.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const address = peer.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the peer listens on no port');
    peer.port = address.port;
    return peer;
  }

  /** How often the end of a message arrived, over all connections. */
  get endOfDataCount(): number {
    return this.messages.length;
  }

  get openConnections(): readonly PeerConnection[] {
    return [...this.#open];
  }

  /** Every RCPT that was said, accepted or not. */
  get recipients(): readonly string[] {
    return this.commands.filter((line) => /^RCPT /i.test(line));
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#open) connection.drop();
    await closed;
  }

  #welcome(socket: Socket): void {
    this.connectionCount += 1;
    const connection = new PeerConnection(this, socket);
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
    connection.begin();
  }
}

type Mode = 'commands' | 'login' | 'body';

/** One connection, as an act sees it. */
export class PeerConnection {
  readonly peer: ScriptedSmtp;
  readonly #plain: Socket;
  #socket: Socket;
  #mode: Mode = 'commands';
  #secure = false;
  #input = '';
  #from = '';
  #recipients: string[] = [];
  #bodyActDone = false;
  #unanswered: PeerMessage | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(peer: ScriptedSmtp, socket: Socket) {
    this.peer = peer;
    this.#plain = socket;
    this.#socket = socket;
    this.#attend(socket);
  }

  begin(): void {
    if (this.peer.security === 'tls') this.secure(() => this.#do('greeting', say('220 scripted.example ESMTP')));
    else this.#do('greeting', say('220 scripted.example ESMTP'));
  }

  get open(): boolean {
    return !this.#socket.destroyed;
  }

  write(bytes: string | Buffer): void {
    if (!this.#socket.writable) return;
    this.#socket.write(bytes);
    const text = bytes.toString('latin1');
    if (this.#unanswered === null || !text.includes('\r\n')) return;
    this.#unanswered.accepted = /^2\d\d[ -]/.test(text);
    this.#unanswered = null;
  }

  /** Sends what was written and closes our side. */
  end(): void {
    this.#socket.end();
  }

  drop(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
    this.#plain.destroy();
  }

  /** Repeats an act until it is dropped or the connection closes. */
  repeat(everyMs: number, act: Act): void {
    this.#timer = setInterval(() => act(this), everyMs);
  }

  /** Reads nothing more, so that the client's writes pile up. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** Starts TLS over the connection, as its server. */
  secure(then: () => void): void {
    const { certificate, tlsVersion } = this.peer;
    if (certificate === null) throw new Error('a peer with TLS needs a certificate');
    this.#plain.removeAllListeners('data');
    const versions = tlsVersion === null ? {} : ({ minVersion: 'TLSv1', maxVersion: tlsVersion } as const);
    const secureContext = createSecureContext({ ...certificate, ...versions });
    const secured = new TLSSocket(this.#plain, { isServer: true, secureContext });
    this.#socket = secured;
    this.#secure = true;
    this.#attend(secured);
    secured.once('secure', then);
  }

  enter(mode: Mode): void {
    this.#mode = mode;
  }

  ehloLines(): string {
    const plain = this.peer.security === 'starttls' && !this.#secure;
    const lines = ['scripted.example', ...(plain ? this.peer.offersBeforeTls : this.peer.offers)];
    return lines.map((line, at) => `250${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n');
  }

  #attend(socket: Socket): void {
    socket.on('error', () => this.drop());
    socket.on('close', () => clearInterval(this.#timer));
    socket.on('data', (chunk: Buffer) => {
      this.#input += chunk.toString('latin1');
      this.#read();
    });
  }

  #read(): void {
    while (this.open) {
      if (this.#mode === 'body') {
        const { body } = this.peer.script;
        if (body !== undefined && !this.#bodyActDone && this.#input.length >= body.afterBytes) {
          this.#bodyActDone = true;
          body.act(this);
          continue;
        }
        const end = this.#input.startsWith('.\r\n') ? 0 : this.#input.indexOf('\r\n.\r\n');
        if (end < 0) return;
        const dataEnd = this.#input.startsWith('.\r\n') ? 0 : end + 2;
        this.#endOfData(this.#input.slice(0, dataEnd), this.#input.slice(dataEnd + 3));
      } else {
        const end = this.#input.indexOf('\r\n');
        if (end < 0) return;
        const line = this.#input.slice(0, end);
        this.#input = this.#input.slice(end + 2);
        this.#command(line);
      }
    }
  }

  #endOfData(data: string, rest: string): void {
    this.#input = rest;
    this.#mode = 'commands';
    const message = { from: this.#from, recipients: this.#recipients, data, accepted: false };
    this.#from = '';
    this.#recipients = [];
    this.#unanswered = message;
    this.peer.messages.push(message);
    this.#do('endOfData', say('250 2.0.0 taken as 4711'));
  }

  #command(line: string): void {
    this.peer.commands.push(line);
    if (this.#mode === 'login') {
      this.#do('authStep', loginStep);
      return;
    }
    const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? '';
    const known = USUAL.get(verb);
    if (verb === 'MAIL') {
      this.#from = line;
      this.#recipients = [];
    }
    if (verb === 'RCPT') this.#recipients.push(line);
    if (verb === 'DATA') this.#bodyActDone = false;
    if (known === undefined) this.write('502 5.5.1 unknown command\r\n');
    else this.#do(known.point, known.act);
  }

  #do(point: Exclude<keyof SmtpScript, 'body'>, usual: Act): void {
    (this.peer.script[point] ?? usual)(this);
  }
}

// ---- acts

/** Says one reply, or several lines as they stand. */
export const say =
  (text: string): Act =>
  (peer) =>
    peer.write(`${text}\r\n`);

/** Writes exactly these bytes. */
export const raw =
  (bytes: string | Buffer): Act =>
  (peer) =>
    peer.write(bytes);

export const silence: Act = () => undefined;
export const drop: Act = (peer) => peer.drop();

/** Sends these bytes and closes. */
export const cut =
  (bytes: string | Buffer): Act =>
  (peer) => {
    peer.write(bytes);
    peer.end();
  };

/** One act after another at the same point. */
export const both =
  (...acts: readonly Act[]): Act =>
  (peer) => {
    for (const act of acts) act(peer);
  };

export const later =
  (delayMs: number, act: Act): Act =>
  (peer) => {
    setTimeout(() => act(peer), delayMs);
  };

/** Sends the same bytes again and again. */
export const drip =
  (bytes: string | Buffer, everyMs: number): Act =>
  (peer) =>
    peer.repeat(everyMs, raw(bytes));

/** The first time one act, the next time the next, the last one ever after. */
export const inTurn = (...acts: readonly Act[]): Act => {
  let count = 0;
  return (peer) => {
    const act = acts[Math.min(count, acts.length - 1)];
    count += 1;
    act?.(peer);
  };
};

/** Grants DATA: what follows is a message. */
export const takeBody: Act = (peer) => {
  peer.enter('body');
  peer.write('354 go on\r\n');
};

export const startTls: Act = (peer) => {
  peer.write('220 2.0.0 ready\r\n');
  peer.secure(() => undefined);
};

// ---- what an ordinary server does

const askUser: Act = (peer) => {
  peer.enter('login');
  peer.write('334 VXNlcm5hbWU6\r\n');
};
const loginStep: Act = (peer) => {
  const answers = peer.peer.commands.slice(peer.peer.commands.lastIndexOf('AUTH LOGIN') + 1);
  if (answers.length > 1) peer.enter('commands');
  peer.write(answers.length > 1 ? '235 2.7.0 welcome\r\n' : '334 UGFzc3dvcmQ6\r\n');
};

/** Asks on for LOGIN; PLAIN has said all there is to say. */
const takeLogin: Act = (peer) => {
  if (peer.peer.commands.at(-1)?.toUpperCase() === 'AUTH LOGIN') askUser(peer);
  else peer.write('235 2.7.0 welcome\r\n');
};

type Usual = { readonly point: Exclude<keyof SmtpScript, 'body'>; readonly act: Act };
const USUAL: ReadonlyMap<string, Usual> = new Map<string, Usual>([
  ['EHLO', { point: 'ehlo', act: (peer) => peer.write(`${peer.ehloLines()}\r\n`) }],
  ['STARTTLS', { point: 'starttls', act: startTls }],
  ['AUTH', { point: 'auth', act: takeLogin }],
  ['MAIL', { point: 'mail', act: say('250 2.1.0 sender ok') }],
  ['RCPT', { point: 'rcpt', act: say('250 2.1.5 recipient ok') }],
  ['DATA', { point: 'data', act: takeBody }],
  ['RSET', { point: 'rset', act: say('250 2.0.0 forgotten') }],
  ['QUIT', { point: 'quit', act: cut('221 2.0.0 bye\r\n') }],
]);
