import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SignInPlace } from './providers.ts';

/** What a sign-in leaves; kept in the keychain as one text. */
export const Tokens = z.strictObject({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  /** Epoch milliseconds. */
  expiresAtMs: z.number(),
});
export type Tokens = z.infer<typeof Tokens>;

/** `refused`: the provider takes this grant no more, a person must sign in again. `text` holds no secret. */
export type TokenFailure = { readonly kind: 'refused' | 'unreachable'; readonly text: string };

const REQUEST_MS = 30_000;
/** For an answer that does not say how long its token lives. */
const LIFE_SECONDS = 3_600;

/** Asks the token endpoint. `before` is the refresh token that stays where the answer brings none. */
export async function askForTokens(
  place: SignInPlace,
  grant:
    | {
        readonly kind: 'code';
        readonly parameters: URLSearchParams;
        readonly redirectUri: string;
        readonly verifier: string;
      }
    | { readonly kind: 'refresh'; readonly refreshToken: string },
  nowMs: () => number,
  signal: AbortSignal,
): Promise<Result<Tokens, TokenFailure>> {
  const { server, client, authentication } = place;
  const options = {
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    [oauth.allowInsecureRequests]: place.isPlain,
  };
  try {
    const answer =
      grant.kind === 'code'
        ? await oauth.processAuthorizationCodeResponse(
            server,
            client,
            await oauth.authorizationCodeGrantRequest(
              server,
              client,
              authentication,
              grant.parameters,
              grant.redirectUri,
              grant.verifier,
              options,
            ),
          )
        : await oauth.processRefreshTokenResponse(
            server,
            client,
            await oauth.refreshTokenGrantRequest(server, client, authentication, grant.refreshToken, options),
          );
    const refreshToken = answer.refresh_token ?? (grant.kind === 'refresh' ? grant.refreshToken : null);
    if (refreshToken === null) return err({ kind: 'refused', text: 'The provider gave no lasting permission.' });
    const expiresAtMs = nowMs() + (answer.expires_in ?? LIFE_SECONDS) * 1000;
    return ok({ accessToken: answer.access_token, refreshToken, expiresAtMs });
  } catch (error) {
    return err(failureOf(error));
  }
}

/** Codes after which the same grant never works again. Source: RFC 6749 5.2. */
const FOR_GOOD = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'interaction_required', 'access_denied'];

export function failureOf(error: unknown): TokenFailure {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const isFinal = FOR_GOOD.includes(error.error);
    return { kind: isFinal ? 'refused' : 'unreachable', text: `The sign-in was refused (${error.error}).` };
  }
  const name = error instanceof Error ? error.name : 'unknown';
  return { kind: 'unreachable', text: `The sign-in server gave no answer that can be used (${name}).` };
}
