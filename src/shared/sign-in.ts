import { z } from 'zod';
import { isLoopbackHost } from './loopback.ts';
import type { Provider } from './providers/provider.ts';
import { SIGN_IN_PROVIDERS, type SignInProvider } from './sign-in-providers.ts';

const Endpoint = z.url().refine(isSecureOrHere, 'must be https:// (http:// only to this machine)');

function isSecureOrHere(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname.replace(/^\[|\]$/g, '')));
}

/**
 * What a provider calls the program that asks for permission. None is shipped: each organisation registers its own.
 * `clientSecret`: Google gives one to programs on a desktop too, where it is no secret. Source: RFC 8252 8.5.
 */
const SignInClient = z.strictObject({
  clientId: z.string().min(1).max(256),
  clientSecret: z.string().min(1).max(256).nullable().default(null),
  /** In place of the provider's own: a national cloud, a company's own server. Never taken from the cloud. */
  endpoints: z
    .strictObject({ issuer: Endpoint, authorization_endpoint: Endpoint, token_endpoint: Endpoint })
    .nullable()
    .default(null),
  scope: z.string().min(1).max(1000).nullable().default(null),
  /** What was set by hand on this computer is not changed by the cloud. */
  setBy: z.enum(['hand', 'cloud']).default('hand'),
});
export type SignInClient = z.infer<typeof SignInClient>;

export const SignInClients = z.strictObject({
  google: SignInClient.nullable().default(null),
  microsoft: SignInClient.nullable().default(null),
  'microsoft-china': SignInClient.nullable().default(null),
});
export type SignInClients = z.infer<typeof SignInClients>;
export const NO_SIGN_IN: SignInClients = { google: null, microsoft: null, 'microsoft-china': null };

/** The sign-in that this provider offers and this program can do; null where there is none. */
export function signInOf(provider: Pick<Provider, 'browserSignIn'> | null): SignInProvider | null {
  const offered = provider?.browserSignIn ?? null;
  return SIGN_IN_PROVIDERS.find((known) => known === offered) ?? null;
}
