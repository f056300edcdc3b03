import * as oauth from 'oauth4webapi';
import { isLoopbackHost } from '../../../shared/loopback.ts';
import type { SignInClient } from '../../../shared/sign-in.ts';
import type { SignInProvider } from '../../../shared/sign-in-providers.ts';

/** One provider's sign-in for mail, as both steps of it need it. */
export type SignInPlace = {
  readonly provider: SignInProvider;
  readonly server: oauth.AuthorizationServer & {
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
  };
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly scope: string;
  /** Beside what every sign-in asks. */
  readonly extra: Readonly<Record<string, string>>;
  /** Under which name the browser finds its way back to this machine. */
  readonly returnHost: '127.0.0.1' | 'localhost';
  /** Plain http is for a server on this very machine. */
  readonly isPlain: boolean;
};

type Facts = Pick<SignInPlace, 'server' | 'scope' | 'extra' | 'returnHost'>;

/**
 * Asked for mail alone. Google hands out a lasting permission only where it is asked to, after a fresh consent, and
 * knows this machine by its address; Microsoft takes any port of `localhost`, and that name only.
 */
const FACTS: Record<SignInProvider, Facts> = {
  google: {
    server: {
      issuer: 'https://accounts.google.com',
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_endpoint: 'https://oauth2.googleapis.com/token',
    },
    scope: 'https://mail.google.com/',
    extra: { access_type: 'offline', prompt: 'consent' },
    returnHost: '127.0.0.1',
  },
  microsoft: {
    server: {
      issuer: 'https://login.microsoftonline.com/common/v2.0',
      authorization_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      token_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    },
    scope: 'https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
    extra: { prompt: 'select_account' },
    returnHost: 'localhost',
  },
  'microsoft-china': {
    server: {
      issuer: 'https://login.partner.microsoftonline.cn/common/v2.0',
      authorization_endpoint: 'https://login.partner.microsoftonline.cn/common/oauth2/v2.0/authorize',
      token_endpoint: 'https://login.partner.microsoftonline.cn/common/oauth2/v2.0/token',
    },
    scope: 'https://partner.outlook.cn/SMTP.Send https://partner.outlook.cn/IMAP.AccessAsUser.All offline_access',
    extra: { prompt: 'select_account' },
    returnHost: 'localhost',
  },
};

/** The provider's own endpoints, or those the settings name for a company's own server or a national cloud. */
export function signInPlace(provider: SignInProvider, settings: SignInClient): SignInPlace {
  const facts = FACTS[provider];
  const server = settings.endpoints ?? facts.server;
  return {
    ...facts,
    provider,
    server,
    client: { client_id: settings.clientId },
    authentication: settings.clientSecret === null ? oauth.None() : oauth.ClientSecretPost(settings.clientSecret),
    scope: settings.scope ?? facts.scope,
    isPlain: isLoopbackHost(new URL(server.token_endpoint).hostname),
  };
}
