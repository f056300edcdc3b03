import type { ServerGuess } from '../../shared/ipc/views.ts';
import { PROVIDERS } from '../../shared/providers/providers.ts';
import { type SignInClients, signInOf } from '../../shared/sign-in.ts';
import { DISCOVERY_TEXTS } from '../../shared/texts/discovery-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import type { FoundServer } from '../core/discovery/found-server.ts';
import { providerOfServer } from '../core/discovery/match-provider.ts';
import { accountServers, adviceLines, browserOnlyWords, sourceWords } from '../found-account.ts';

/** A found server as the window shows it. */
export function serverGuess(found: FoundServer, language: Language, clients: SignInClients): NonNullable<ServerGuess> {
  const { userName, smtp, imap } = accountServers(found, null);
  const browserOnly = browserOnlyWords(found, language);
  const offered = signInOf(found.provider ?? providerOfServer(found.smtp, PROVIDERS));
  const signIn = offered === null || clients[offered] === null ? null : offered;
  const takesPassword = found.login === 'password';
  const domain = found.userName.slice(found.userName.lastIndexOf('@') + 1);
  return {
    smtp,
    imap,
    userName,
    source: sourceWords(found, language),
    secretKind: found.provider?.secrets[0] ?? 'password',
    advice: takesPassword ? adviceLines(found, language) : signIn === null ? [browserOnly.text, browserOnly.next] : [],
    signIn,
    takesPassword,
    page: pageOf(found),
    question: found.trust === 'ask' ? DISCOVERY_TEXTS[language].confirm(smtp.host, domain) : null,
  };
}

function pageOf({ provider }: FoundServer): NonNullable<ServerGuess>['page'] {
  if (provider === null || provider.page === null) return null;
  return { provider: provider.id, host: new URL(provider.page).host };
}
