import * as oauth from 'oauth4webapi';
import { isLoopbackHost, type SignInClient } from '../../../shared/settings.ts';

export type SignInProvider = 'google' | 'microsoft';

/** One provider's sign-in for mail, as both steps of it need it. */
export type SignInPlace = {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly scope: string;
  /** Beside what every sign-in asks. */
  readonly extra: Readonly<Record<string, string>>;
  /** Plain http is for a server on this very machine. */
  readonly isPlain: boolean;
};

const GOOGLE = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
};
const MICROSOFT = {
  issuer: 'https://login.microsoftonline.com/common/v2.0',
  authorization_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  token_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
};
/** Mail alone; Google hands out a refresh token only where it is asked to, and only after a fresh consent. */
const SCOPES: Record<SignInProvider, string> = {
  google: 'https://mail.google.com/',
  microsoft: 'https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
};
const EXTRA: Record<SignInProvider, Readonly<Record<string, string>>> = {
  google: { access_type: 'offline', prompt: 'consent' },
  microsoft: { prompt: 'select_account' },
};

/** The provider's own endpoints, or those the settings name for a company's own or a national cloud. */
export function signInPlace(provider: SignInProvider, settings: SignInClient): SignInPlace {
  const server = settings.endpoints ?? (provider === 'google' ? GOOGLE : MICROSOFT);
  return {
    server,
    client: { client_id: settings.clientId },
    authentication: settings.clientSecret === null ? oauth.None() : oauth.ClientSecretPost(settings.clientSecret),
    scope: settings.scope ?? SCOPES[provider],
    extra: EXTRA[provider],
    isPlain: isLoopbackHost(new URL(server.issuer).hostname),
  };
}
