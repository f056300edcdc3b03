import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import * as oauth from 'oauth4webapi';
import { deferred } from '../../../shared/deferred.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { SignInPlace } from './providers.ts';
import { askForTokens, failureOf, type TokenFailure, type Tokens } from './tokens.ts';

export type SignInOptions = {
  readonly place: SignInPlace;
  /** Filled in for the person; they may choose another account. */
  readonly address: string;
  /** Shows the page to a person: the system's browser, or the address in a terminal. */
  readonly openExternal: (url: string) => void;
  /** What the browser shows in the end, in the person's language. */
  readonly pages: { readonly done: string; readonly failed: string };
  readonly nowMs?: () => number;
  readonly deadlineMs?: number;
};

/** A person may have to look for a second factor. */
const DEADLINE_MS = 10 * 60_000;

/**
 * One sign-in in the system's browser: a server on this machine, at a port the system chooses, waits for the browser to
 * come back with the code. PKCE (S256) and state tie the answer to this very question. Never throws.
 * Source: RFC 8252, RFC 7636.
 */
export async function signIn(options: SignInOptions, signal: AbortSignal): Promise<Result<Tokens, TokenFailure>> {
  const { place } = options;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const came = deferred<{ readonly parameters: URLSearchParams; readonly page: ServerResponse } | null>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Whatever else knocks here, a prefetch or another program, learns and changes nothing.
    if (request.method !== 'GET' || url.pathname !== '/' || url.searchParams.get('state') !== state) {
      response.writeHead(404).end();
      return;
    }
    came.resolve({ parameters: url.searchParams, page: response });
  }).listen(0, '127.0.0.1');
  const over = AbortSignal.any([signal, AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS)]);
  over.addEventListener('abort', () => came.resolve(null), { once: true });
  try {
    await once(server, 'listening');
    const address = server.address();
    const redirectUri = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
    if (over.aborted) came.resolve(null);
    else options.openExternal(await authorizationUrl(options, { verifier, state, redirectUri }));
    const back = await came.promise;
    if (back === null) return err({ kind: 'unreachable', text: 'Nobody signed in before the time was over.' });
    const tokens = await exchange(place, { parameters: back.parameters, state, redirectUri, verifier }, options, over);
    const text = tokens.ok ? options.pages.done : options.pages.failed;
    back.page.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end(text);
    return tokens;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function authorizationUrl(
  { place, address }: SignInOptions,
  secret: { readonly verifier: string; readonly state: string; readonly redirectUri: string },
): Promise<string> {
  const url = new URL(place.server.authorization_endpoint ?? place.server.issuer);
  const parameters = {
    response_type: 'code',
    client_id: place.client.client_id,
    redirect_uri: secret.redirectUri,
    scope: place.scope,
    state: secret.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(secret.verifier),
    code_challenge_method: 'S256',
    login_hint: address,
    ...place.extra,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

async function exchange(
  place: SignInPlace,
  back: {
    readonly parameters: URLSearchParams;
    readonly state: string;
    readonly redirectUri: string;
    readonly verifier: string;
  },
  { nowMs = Date.now }: SignInOptions,
  signal: AbortSignal,
): Promise<Result<Tokens, TokenFailure>> {
  let parameters: URLSearchParams;
  try {
    parameters = oauth.validateAuthResponse(place.server, place.client, back.parameters, back.state);
  } catch (error) {
    return err(failureOf(error));
  }
  const { redirectUri, verifier } = back;
  return askForTokens(place, { kind: 'code', parameters, redirectUri, verifier }, nowMs, signal);
}
