import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ServerCertificate } from './tls-certificates.ts';

/** Answers one command: untagged lines, then the rest of the tagged line; null says nothing at all. */
export type ImapAnswer = { readonly lines?: readonly string[]; readonly tagged?: string } | null;
/** By the command's verb in upper case; `words` is the rest of its line. */
export type ImapScript = Readonly<Record<string, (words: string) => ImapAnswer>>;

export type ScriptedImapOptions = {
  readonly security?: 'none' | 'tls' | 'starttls';
  readonly certificate?: ServerCertificate;
  readonly capabilities?: string;
  /** Null greets with nothing. */
  readonly greeting?: string | null;
  readonly script?: ImapScript;
  /** Sent in the same packet behind the answer to STARTTLS. */
  readonly afterStartTls?: string;
};

export type ScriptedImap = {
  readonly port: number;
  /** Every command line heard, without its tag. */
  readonly commands: readonly string[];
  close(): Promise<void>;
};

const USUAL = 'IMAP4rev1 ID SPECIAL-USE AUTH=PLAIN';

const ROOT = ['LIST (\\Noselect) "/" ""'];
const FOLDERS = ['(\\HasNoChildren) "/" INBOX', '(\\HasNoChildren \\Sent) "/" Sent'];

/** A mailbox with one Sent folder and no mails, as far as the script does not say otherwise. */
const ORDINARY: ImapScript = {
  CAPABILITY: () => ({}),
  ID: () => ({ lines: ['ID ("name" "Scripted" "vendor" "Test")'] }),
  LOGIN: () => ({}),
  NAMESPACE: () => ({ lines: ['NAMESPACE (("" "/")) NIL NIL'] }),
  LIST: (words) => ({ lines: words === '"" ""' ? ROOT : FOLDERS.map((folder) => `LIST ${folder}`) }),
  LSUB: () => ({ lines: FOLDERS.map((folder) => `LSUB ${folder}`) }),
  SELECT: () => ({ lines: ['FLAGS (\\Seen)', '0 EXISTS', 'OK [UIDVALIDITY 1] ok', 'OK [UIDNEXT 1] ok'] }),
  EXAMINE: () => ({ lines: ['FLAGS (\\Seen)', '0 EXISTS', 'OK [UIDVALIDITY 1] ok', 'OK [UIDNEXT 1] ok'] }),
  UID: () => ({ lines: ['SEARCH'] }),
  NOOP: () => ({}),
};

/** A mailbox server on 127.0.0.1 that follows a script and writes down what it hears. */
export async function startScriptedImap(options: ScriptedImapOptions = {}): Promise<ScriptedImap> {
  const commands: string[] = [];
  const open = new Set<Socket>();
  const capabilities = options.capabilities ?? USUAL;
  const script: ImapScript = { ...ORDINARY, ...options.script };
  const context = { ...options.certificate, isServer: true } as const;

  const converse = (socket: Socket, greeting: string | null, starttls: 'offered' | 'done'): void => {
    let text = '';
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    if (greeting !== null) say(greeting);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n')) {
        const line = text.slice(0, at);
        text = text.slice(at + 2);
        hear(line);
      }
    });
    const hear = (line: string): void => {
      const [tag = '', verb = '', ...rest] = line.split(' ');
      const name = verb.toUpperCase();
      commands.push([name, ...rest].join(' '));
      if (name === 'STARTTLS' && starttls === 'offered' && options.security === 'starttls') {
        socket.write(`${tag} OK begin\r\n${options.afterStartTls ?? ''}`);
        socket.removeAllListeners('data');
        converse(new TLSSocket(socket, context), null, 'done');
        return;
      }
      if (name === '') return;
      if (name === 'AUTHENTICATE' && script['AUTHENTICATE'] === undefined) {
        authenticate(tag);
        return;
      }
      if (name === 'LOGOUT') {
        socket.end(`* BYE bye\r\n${tag} OK bye\r\n`);
        return;
      }
      const answer = script[name]?.(rest.join(' '));
      if (answer === null) return;
      if (name === 'CAPABILITY') say(`* CAPABILITY ${capabilities}`);
      for (const untagged of answer?.lines ?? []) say(`* ${untagged}`);
      say(`${tag} ${answer === undefined ? 'BAD unknown command' : (answer.tagged ?? 'OK done')}`);
    };
    /** Takes any PLAIN login. */
    const authenticate = (tag: string): void => {
      socket.write('+ \r\n');
      const old = socket.listeners('data');
      socket.removeAllListeners('data');
      socket.once('data', () => {
        for (const listener of old) socket.on('data', (chunk: Buffer) => Reflect.apply(listener, socket, [chunk]));
        say(`${tag} OK logged in`);
      });
    };
  };

  const server = createServer({ noDelay: true }, (raw) => {
    open.add(raw);
    raw.on('close', () => open.delete(raw)).on('error', () => undefined);
    const socket = options.security === 'tls' ? new TLSSocket(raw, context) : raw;
    const greeting = options.greeting === undefined ? `* OK [CAPABILITY ${capabilities}] ready` : options.greeting;
    converse(socket, greeting, 'offered');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    commands,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
