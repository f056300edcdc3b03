import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Provider, { interactionPolicy } from 'oidc-provider';
import { SignInClients } from '../../src/shared/sign-in.ts';
import type { SignInProvider } from '../../src/shared/sign-in-providers.ts';

const CLIENT_ID = 'mail-agent';
const CHECKER = { id: 'mail-server', secret: 'introspect-me-please-and-quickly' };
const SCOPE = 'mail offline_access';

export type SignInServerOptions = {
  /** Seconds for which an access token is good. */
  readonly lifeSeconds?: number;
  /** Whether a refresh token is used up with its first use; a second one then ends the permission. */
  readonly rotates?: boolean;
  /** Whether there is a refresh token at all. */
  readonly lasts?: boolean;
};

/** What a person does on the page: signs in as somebody, or says no. */
export type Choice = { readonly as: string } | 'no';

/**
 * A real authorisation server (oidc-provider) on loopback: sign-in page, PKCE, rotating refresh tokens, introspection
 * for mail servers, and revocation. Requests to its token endpoint are counted and can be answered in its place.
 */
export class SignInServer {
  readonly #server: Server;
  readonly #provider: Provider;
  readonly origin: string;
  /** The grants that the token endpoint was asked with, in order. */
  readonly grants: string[] = [];
  /** Answers the token endpoint in the provider's place while it is set. */
  answer: ((response: ServerResponse) => void) | null = null;
  #choice: Choice = 'no';

  private constructor(server: Server, origin: string, options: SignInServerOptions) {
    this.#server = server;
    this.origin = origin;
    this.#provider = new Provider(origin, configuration(options));
    const serve = this.#provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/page/')) void this.#decide(request, response);
      else if (request.url === '/token' && this.answer !== null) this.answer(response);
      else serve(request, response);
    });
    for (const event of ['grant.success', 'grant.error']) {
      this.#provider.on(event, (context) => void this.grants.push(grantOf(context)));
    }
  }

  static async start(options: SignInServerOptions = {}): Promise<SignInServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return new SignInServer(server, `http://127.0.0.1:${address.port}`, options);
  }

  /** The settings that lead to this server in the provider's place. */
  clients(provider: SignInProvider = 'google', clientId = CLIENT_ID): SignInClients {
    const endpoints = {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/auth`,
      token_endpoint: `${this.origin}/token`,
    };
    return SignInClients.parse({ [provider]: { clientId, endpoints, scope: SCOPE } });
  }

  /** Where a mail server asks whose token it was given. */
  get introspectionUrl(): string {
    return `${this.origin.replace('://', `://${CHECKER.id}:${CHECKER.secret}@`)}/token/introspection`;
  }

  /** Does what a browser and the person before it do, and answers what the browser shows in the end. */
  async browse(url: string, choice: Choice): Promise<{ readonly status: number; readonly text: string }> {
    this.#choice = choice;
    const cookies = new Map<string, string>();
    let next = url;
    for (let hop = 0; hop < 20; hop += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) return { status: answer.status, text: await answer.text() };
      next = new URL(location, next).href;
    }
    throw new Error('the browser was sent round in circles');
  }

  /** The provider takes the permission back: neither this token nor any that could be had with it is good any more. */
  async revoke(token: string): Promise<void> {
    const body = new URLSearchParams({ token, client_id: CLIENT_ID });
    const answer = await fetch(`${this.origin}/token/revocation`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`the revocation was answered with ${answer.status}`);
  }

  /** One access token ends before its time; the permission stands. */
  async endAccessToken(token: string): Promise<void> {
    const found = await this.#provider.AccessToken.find(token);
    if (found === undefined) throw new Error('there is no such token');
    await found.destroy();
  }

  /** Forgets what was asked, and answers by itself again. */
  reset(): void {
    this.grants.length = 0;
    this.answer = null;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const choice = this.#choice;
    if (choice === 'no') {
      await this.#provider.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    const grant = new this.#provider.Grant({ accountId: choice.as, clientId: CLIENT_ID });
    grant.addOIDCScope(SCOPE);
    const result = { login: { accountId: choice.as }, consent: { grantId: await grant.save() }, select_account: {} };
    await this.#provider.interactionFinished(request, response, result);
  }
}

function configuration({ lifeSeconds = 3600, rotates = true, lasts = true }: SignInServerOptions): object {
  const policy = interactionPolicy.base();
  // As Microsoft's page can be asked to.
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }));
  const client = {
    client_id: CLIENT_ID,
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://127.0.0.1', 'http://localhost'],
  };
  const checker = {
    client_id: CHECKER.id,
    client_secret: CHECKER.secret,
    grant_types: [],
    response_types: [],
    redirect_uris: [],
  };
  return {
    clients: [client, checker],
    scopes: ['mail', 'offline_access'],
    cookies: { keys: ['for tests only'] },
    pkce: { required: () => true },
    ttl: { AccessToken: lifeSeconds, Grant: 86_400, RefreshToken: 86_400, Session: 3600, Interaction: 600 },
    rotateRefreshToken: rotates,
    issueRefreshToken: () => lasts,
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { policy, url: (_context: unknown, { uid }: { uid: string }) => `/page/${uid}` },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: { enabled: false },
    },
  };
}

function grantOf(context: unknown): string {
  const oidc: unknown = Reflect.get(Object(context), 'oidc');
  const params: unknown = Reflect.get(Object(oidc), 'params');
  return String(Reflect.get(Object(params), 'grant_type'));
}
