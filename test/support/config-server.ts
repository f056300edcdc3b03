import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { ServerCertificate } from './tls-certificates.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server for client configurations under TLS on loopback. */
export class ConfigServer {
  /** Every request: host and path with its query. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #answers = new Map<string, Answer>();
  port = 0;

  private constructor(certificate: ServerCertificate) {
    this.#server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
      const host = (request.headers.host ?? '').replace(/:\d+$/, '');
      const url = new URL(request.url ?? '/', 'https://any.test');
      this.asked.push(`${host}${request.url ?? ''}`);
      const answer = this.#answers.get(`${host}${url.pathname}`);
      if (answer === undefined) response.writeHead(404).end();
      else answer(request, response);
    });
  }

  /** Port 0 takes a free one. */
  static async start(
    certificate: ServerCertificate,
    at: { readonly address?: string; readonly port?: number } = {},
  ): Promise<ConfigServer> {
    const server = new ConfigServer(certificate);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject).listen(at.port ?? 0, at.address ?? '127.0.0.1', resolve);
    });
    const address = server.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
    server.port = address.port;
    return server;
  }

  /** `place`: host and path, such as `autoconfig.office.test/mail/config-v1.1.xml`. */
  on(place: string, answer: Answer | string): void {
    this.#answers.set(
      place,
      typeof answer === 'string'
        ? (_, response) => void response.writeHead(200, { 'content-type': 'text/xml' }).end(answer)
        : answer,
    );
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

type ConfiguredServer = {
  readonly host: string;
  readonly port: number;
  readonly socketType: string;
  readonly username?: string;
  readonly authentication?: readonly string[];
};

/** A client configuration as providers publish it. */
export function configXml(servers: {
  readonly smtp?: readonly ConfiguredServer[];
  readonly imap?: readonly ConfiguredServer[];
}): string {
  const element = (name: string, type: string, server: ConfiguredServer): string =>
    [
      `<${name} type="${type}">`,
      `<hostname>${server.host}</hostname><port>${server.port}</port>`,
      `<socketType>${server.socketType}</socketType>`,
      `<username>${server.username ?? '%EMAILADDRESS%'}</username>`,
      ...(server.authentication ?? ['password-cleartext']).map((one) => `<authentication>${one}</authentication>`),
      `</${name}>`,
    ].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1"><emailProvider id="office.test"><domain>office.test</domain>
<displayName>Office &amp; Co</displayName>
${(servers.imap ?? []).map((one) => element('incomingServer', 'imap', one)).join('\n')}
${(servers.smtp ?? []).map((one) => element('outgoingServer', 'smtp', one)).join('\n')}
</emailProvider></clientConfig>`;
}
