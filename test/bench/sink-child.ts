import { type AddressInfo, createServer, type Socket } from 'node:net';
import { serveParent } from './child.ts';

/**
 * A mail server that takes everything and keeps nothing, as cheap as it can be: what it costs is not measured.
 * (Postfix's smtp-sink would be cheaper still, but it answers AUTH with 250 where RFC 4954 says 235.)
 */
const EHLO = '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN\r\n';
const END = Buffer.from('\r\n.\r\n');

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.write('220 sink ESMTP\r\n');
  speak(socket);
});

function speak(socket: Socket): void {
  let inData = false;
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let answer = '';
    for (;;) {
      if (inData) {
        const end = rest.indexOf(END);
        if (end < 0) {
          // Only the end can still be part of the mark that is looked for.
          rest = rest.subarray(Math.max(0, rest.length - END.length + 1));
          break;
        }
        inData = false;
        rest = rest.subarray(end + END.length);
        answer += '250 2.0.0 taken\r\n';
        continue;
      }
      const lineEnd = rest.indexOf('\r\n');
      if (lineEnd < 0) break;
      const verb = rest.toString('latin1', 0, Math.min(lineEnd, 4)).toUpperCase();
      rest = rest.subarray(lineEnd + 2);
      inData = verb === 'DATA';
      answer += replyTo(verb);
    }
    if (answer !== '') socket.write(answer);
  });
}

function replyTo(verb: string): string {
  switch (verb) {
    case 'EHLO':
      return EHLO;
    case 'AUTH':
      return '235 2.7.0 welcome\r\n';
    case 'DATA':
      return '354 go on\r\n';
    case 'QUIT':
      return '221 2.0.0 bye\r\n';
    default:
      return '250 2.0.0 ok\r\n';
  }
}

serveParent(
  async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    // A TCP server that listens has an address object; only a pipe's is text.
    return { port: (server.address() as AddressInfo).port };
  },
  async () => {
    server.close();
  },
);
