import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import * as oauth from 'oauth4webapi';
import { deferred } from '../../../shared/deferred.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import type { SignInPlace } from './providers.ts';
import { askForTokens, failureOf, type TokenFailure, type Tokens } from './tokens.ts';

export type SignInOptions = {
  readonly place: SignInPlace;
  /** Filled in for the person; they may choose another account. */
  readonly address: string;
  /** Shows the page to a person: the system's browser, or the address in a terminal. */
  readonly showPage: (url: string) => void | Promise<void>;
  /** What the browser shows in the end, in the person's language. */
  readonly pages: { readonly done: string; readonly failed: string };
  /** The way to the token endpoint. */
  readonly tunnel: OpenTunnel;
  readonly nowMs?: () => number;
  readonly deadlineMs?: number;
};

/**
 * `no-browser`: the page could not be shown. `late`: nobody came back from the browser in time. `stopped`: the person
 * thought better of it.
 */
export type SignInFailure = TokenFailure | { readonly kind: 'no-browser' | 'late' | 'stopped'; readonly text: string };

/** A person may have to look for a second factor. */
const DEADLINE_MS = 10 * 60_000;

type Return = { readonly parameters: URLSearchParams; readonly page: ServerResponse };

/**
 * One sign-in in the system's browser: a server on this machine, at a port the system chooses, waits for the browser to
 * come back with the code. PKCE (S256) and state tie the answer to this very question. Never rejects.
 * Source: RFC 8252, RFC 7636.
 */
export async function signIn(options: SignInOptions, signal: AbortSignal): Promise<Result<Tokens, SignInFailure>> {
  const { place, tunnel, pages, nowMs = Date.now } = options;
  const secret = { verifier: oauth.generateRandomCodeVerifier(), state: oauth.generateRandomState() };
  const came = deferred<Return | null>();
  const server = waitForReturn(secret.state, came.resolve);
  const late = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
  const over = AbortSignal.any([signal, late]);
  const onOver = (): void => came.resolve(null);
  over.addEventListener('abort', onOver, { once: true });
  try {
    const redirectUri = `http://${place.returnHost}:${await listeningPort(server)}`;
    const shown = over.aborted || (await showPage(options, await pageUrl(options, { ...secret, redirectUri })));
    if (!shown) return err({ kind: 'no-browser', text: 'the browser could not be opened' });
    if (over.aborted) came.resolve(null);
    const back = await came.promise;
    if (back === null) return err({ kind: late.aborted ? 'late' : 'stopped', text: 'nobody came back' });
    const parameters = checked(place, back.parameters, secret.state);
    const grant = { kind: 'code', redirectUri, verifier: secret.verifier } as const;
    const call = { tunnel, nowMs, signal: over };
    const tokens = parameters.ok
      ? await askForTokens(place, { ...grant, parameters: parameters.value }, call)
      : parameters;
    await show(back.page, tokens.ok ? pages.done : pages.failed);
    return tokens;
  } catch (error) {
    return err(failureOf(error));
  } finally {
    over.removeEventListener('abort', onOver);
    server.closeAllConnections();
    server.close();
  }
}

async function showPage(options: SignInOptions, url: string): Promise<boolean> {
  try {
    await options.showPage(url);
    return true;
  } catch {
    // Whatever the system says about its browser, there is none to sign in with.
    return false;
  }
}

/** Listens on this machine alone. Whatever else knocks here, a prefetch or another program, learns and changes nothing. */
function waitForReturn(state: string, onReturn: (back: Return) => void): Server {
  const server = createServer((request, response) => {
    const url = URL.canParse(request.url ?? '', 'http://127.0.0.1')
      ? new URL(request.url ?? '', 'http://127.0.0.1')
      : null;
    if (request.method !== 'GET' || url?.pathname !== '/' || url.searchParams.get('state') !== state) {
      response.writeHead(404).end();
      return;
    }
    onReturn({ parameters: url.searchParams, page: response });
  });
  return server.listen(0, '127.0.0.1');
}

async function listeningPort(server: Server): Promise<number> {
  if (!server.listening) await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

async function show(page: ServerResponse, text: string): Promise<void> {
  page.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  });
  // The browser may be gone; then nobody reads it.
  await new Promise<void>((resolve) => {
    page.once('close', resolve);
    page.end(text, resolve);
  });
}

function checked(
  { server, client }: SignInPlace,
  parameters: URLSearchParams,
  state: string,
): Result<URLSearchParams, TokenFailure> {
  try {
    return { ok: true, value: oauth.validateAuthResponse(server, client, parameters, state) };
  } catch (error) {
    return err(failureOf(error));
  }
}

async function pageUrl(
  { place, address }: SignInOptions,
  secret: { readonly verifier: string; readonly state: string; readonly redirectUri: string },
): Promise<string> {
  const url = new URL(place.server.authorization_endpoint);
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
