import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { ServerCertificate } from './tls-certificates.ts';

type Login = { readonly userName: string; readonly password: string };

export type ProxyPeerOptions = {
  readonly kind: 'http' | 'https' | 'socks5';
  /** Demanded where it is given. */
  readonly login?: Login;
  /** For `https`. */
  readonly certificate?: ServerCertificate;
  /** Refuses every connection: the HTTP status, or SOCKS5's reply code. */
  readonly refuse?: number;
  /** How an HTTP proxy asks for a login. */
  readonly authenticate?: string;
  /** Answers the far end's first words in the same packet as its own consent. */
  readonly waitsForFirstWords?: boolean;
};

/**
 * A proxy on 127.0.0.1. It leads every name under `.test` to 127.0.0.1 at the port asked for: what arrives there came
 * through it, since nobody else knows such a name.
 */
export type ProxyPeer = {
  readonly port: number;
  /** Targets asked for, as host:port, in order; refused ones too. */
  readonly asked: readonly string[];
  /** Connections that were made to the proxy. */
  readonly connectionCount: () => number;
  /** Ends every connection under way, as a crash of the proxy would. */
  cut(): void;
  close(): Promise<void>;
};

const LOCAL = '127.0.0.1';

export async function startProxyPeer(options: ProxyPeerOptions): Promise<ProxyPeer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let count = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  const reach = (host: string, port: number, done: (far: Socket, first: Buffer) => void, failed: () => void): void => {
    const far = connect({ host: host.endsWith('.test') ? LOCAL : host, port });
    track(far);
    far.once('error', failed);
    far.once('connect', () => {
      if (!options.waitsForFirstWords) return done(far, Buffer.alloc(0));
      far.once('data', (first) => {
        far.pause();
        done(far, first);
      });
    });
  };
  const join = (near: Socket, far: Socket): void => {
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  };
  const server = options.kind === 'socks5' ? socksServer() : httpServer();
  server.on('connection', (socket: Socket) => {
    count += 1;
    track(socket);
  });

  function httpServer(): Server {
    const http =
      options.kind === 'https'
        ? createHttpsServer({ key: options.certificate?.key, cert: options.certificate?.cert })
        : createHttpServer();
    http.on('connect', (request, near: Socket) => {
      const target = request.url ?? '';
      asked.push(target);
      near.on('error', () => near.destroy());
      const { login } = options;
      const wanted = login && `Basic ${Buffer.from(`${login.userName}:${login.password}`, 'utf8').toString('base64')}`;
      if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
        const kind = options.authenticate ?? 'Basic realm="office"';
        near.end(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${kind}\r\n\r\n`);
        return;
      }
      if (options.refuse !== undefined) {
        near.end(`HTTP/1.1 ${options.refuse} No\r\nContent-Length: 4\r\n\r\nno.\n`);
        return;
      }
      const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(target) ?? [];
      const fail = (): unknown => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      reach(
        host,
        Number(port),
        (far, first) => {
          near.write(Buffer.concat([Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'), first]));
          join(near, far);
        },
        fail,
      );
    });
    return http;
  }

  function socksServer(): Server {
    return createServer((near) => {
      const steps = { greeted: false, loggedIn: options.login === undefined, joined: false };
      let rest = Buffer.alloc(0);
      const onData = (piece: Buffer): void => {
        rest = Buffer.concat([rest, piece]);
        if (!steps.greeted) {
          const methods = rest.subarray(2, 2 + (rest[1] ?? 0));
          if (rest.length < 2 || methods.length < (rest[1] ?? 0)) return;
          rest = rest.subarray(2 + methods.length);
          steps.greeted = true;
          const method = options.login === undefined ? 0 : 2;
          near.write(Buffer.from([5, methods.includes(method) ? method : 0xff]));
        } else if (!steps.loggedIn) {
          const nameLength = rest[1] ?? 0;
          const passwordLength = rest[2 + nameLength] ?? 0;
          if (rest.length < 3 + nameLength + passwordLength) return;
          const userName = rest.subarray(2, 2 + nameLength).toString('utf8');
          const password = rest.subarray(3 + nameLength, 3 + nameLength + passwordLength).toString('utf8');
          rest = rest.subarray(3 + nameLength + passwordLength);
          const { login } = options;
          steps.loggedIn = login?.userName === userName && login.password === password;
          near.write(Buffer.from([1, steps.loggedIn ? 0 : 1]));
          if (!steps.loggedIn) near.end();
        } else {
          const target = socksTarget(rest);
          if (target === null) return;
          near.off('data', onData);
          near.pause();
          asked.push(`${target.host}:${target.port}`);
          const answer = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
          if (options.refuse !== undefined) {
            near.end(answer(options.refuse));
            return;
          }
          reach(
            target.host,
            target.port,
            (far, first) => {
              near.write(Buffer.concat([answer(0), first]));
              join(near, far);
            },
            () => near.end(answer(5)),
          );
        }
      };
      near.on('data', onData);
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, LOCAL, resolve);
  });
  // A TCP server that listens has an address object; only a pipe's is text.
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    asked,
    connectionCount: () => count,
    cut,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}

/** A request's target by name or IPv4 address; null while bytes are missing. */
function socksTarget(bytes: Buffer): { readonly host: string; readonly port: number } | null {
  const isName = bytes[3] === 3;
  const length = isName ? 1 + (bytes[4] ?? 0) : 4;
  if (bytes.length < 4 + length + 2) return null;
  const host = isName ? bytes.subarray(5, 4 + length).toString('latin1') : bytes.subarray(4, 8).join('.');
  return { host, port: bytes.readUInt16BE(4 + length) };
}
