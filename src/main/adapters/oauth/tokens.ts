import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import { SIGN_IN_PROVIDERS } from '../../../shared/sign-in-providers.ts';
import { openConnections } from '../cloud-http/connection.ts';
import { exchange } from '../cloud-http/exchange.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import type { SignInPlace } from './providers.ts';

/** What a sign-in leaves; kept in the keychain as one text. */
export const Tokens = z.strictObject({
  provider: z.enum(SIGN_IN_PROVIDERS),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  /** Epoch milliseconds. */
  expiresAtMs: z.number(),
});
export type Tokens = z.infer<typeof Tokens>;

/**
 * `refused`: the provider takes this permission no more, a person must sign in again. `client-refused`: it does not
 * know this program under its client id. `not-lasting`: it gave a permission that nothing can renew. `text` is for the
 * log and for quoting; it holds no secret.
 */
export type TokenFailure = {
  readonly kind: 'refused' | 'client-refused' | 'not-lasting' | 'unreachable';
  readonly text: string;
};

/** What is handed in for tokens: the code that the browser brought, or what an earlier sign-in left. */
export type Grant =
  | {
      readonly kind: 'code';
      readonly parameters: URLSearchParams;
      readonly redirectUri: string;
      readonly verifier: string;
    }
  | { readonly kind: 'refresh'; readonly refreshToken: string };

export type TokenCall = { readonly tunnel: OpenTunnel; readonly nowMs: () => number; readonly signal: AbortSignal };

const BOUNDS = { totalMs: 30_000, idleMs: 20_000, bodyBytes: 256 * 1024 };
/** For an answer that does not say how long its token lives. */
const LIFE_SECONDS = 3_600;

/** Asks the token endpoint, once. The refresh token handed in stays where the answer brings no other. Never rejects. */
export async function askForTokens(
  place: SignInPlace,
  grant: Grant,
  call: TokenCall,
): Promise<Result<Tokens, TokenFailure>> {
  try {
    const answer = await (grant.kind === 'code' ? redeem(place, grant, call) : renew(place, grant.refreshToken, call));
    const refreshToken = answer.refresh_token ?? (grant.kind === 'refresh' ? grant.refreshToken : null);
    if (refreshToken === null) return err({ kind: 'not-lasting', text: 'the answer has no refresh token' });
    const expiresAtMs = call.nowMs() + (answer.expires_in ?? LIFE_SECONDS) * 1000;
    return ok({ provider: place.provider, accessToken: answer.access_token, refreshToken, expiresAtMs });
  } catch (error) {
    return err(failureOf(error));
  }
}

async function redeem(place: SignInPlace, grant: Extract<Grant, { kind: 'code' }>, call: TokenCall) {
  const { server, client, authentication } = place;
  const { parameters, redirectUri, verifier } = grant;
  const request = oauth.authorizationCodeGrantRequest;
  const options = optionsOf(place, call);
  const answer = await request(server, client, authentication, parameters, redirectUri, verifier, options);
  return oauth.processAuthorizationCodeResponse(server, client, answer);
}

async function renew(place: SignInPlace, refreshToken: string, call: TokenCall) {
  const { server, client, authentication } = place;
  const options = optionsOf(place, call);
  const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
  return oauth.processRefreshTokenResponse(server, client, answer);
}

/** The library's requests go the way of all others: through the tunnel, bounded in time and size, no redirect followed. */
const optionsOf = (place: SignInPlace, call: TokenCall) => ({
  [oauth.allowInsecureRequests]: place.isPlain,
  [oauth.customFetch]: async (address: string, { body, headers, method }: oauth.CustomFetchOptions<string, Body>) => {
    const url = new URL(address);
    const pool = openConnections({ origin: url.origin, connections: 1, tunnel: call.tunnel });
    try {
      if (method !== 'POST') throw new Error('tokens are asked for by POST');
      const request = { method: 'POST', path: `${url.pathname}${url.search}`, headers, body: String(body) } as const;
      const answer = await exchange(pool, request, BOUNDS, call.signal);
      if (!answer.ok) throw new NoAnswer(answer.error.text);
      const type = String(answer.value.headers['content-type'] ?? '');
      const { status } = answer.value;
      return new Response(new Uint8Array(answer.value.body), { status, headers: { 'content-type': type } });
    } finally {
      await pool.destroy();
    }
  },
});
type Body = URLSearchParams | Uint8Array | string | null | undefined;

class NoAnswer extends Error {}

/** Troubles of the moment. Source: RFC 6749 4.1.2.1. */
const PASSING = ['temporarily_unavailable', 'server_error', 'slow_down'];
/** About this program, not about the person. Source: RFC 6749 4.1.2.1, 5.2. */
const CLIENT = [
  'invalid_client',
  'unauthorized_client',
  'invalid_request',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
  'redirect_uri_mismatch',
];

/** What a refusal, or an answer that makes no sense, comes to. Only error codes are quoted, never what they describe. */
export function failureOf(error: unknown): TokenFailure {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const code = error.error.slice(0, 60);
    const status = error instanceof oauth.ResponseBodyError ? error.status : 400;
    if (status >= 500 || status === 429 || PASSING.includes(code)) return { kind: 'unreachable', text: code };
    return { kind: CLIENT.includes(code) ? 'client-refused' : 'refused', text: code };
  }
  if (error instanceof NoAnswer) return { kind: 'unreachable', text: error.message };
  if (error instanceof oauth.WWWAuthenticateChallengeError) return { kind: 'client-refused', text: 'invalid_client' };
  return {
    kind: 'unreachable',
    text: `the answer makes no sense (${error instanceof Error ? error.name : 'unknown'})`,
  };
}
