import { providerById } from '../shared/providers/providers.ts';
import { secretOf } from '../shared/providers/secret-words.ts';
import type { ImapServer, SmtpServer } from '../shared/settings.ts';
import { CHECK_TEXTS } from '../shared/texts/check-texts.ts';
import type { TroubleWords } from '../shared/texts/check-trouble.ts';
import { DISCOVERY_TEXTS } from '../shared/texts/discovery-texts.ts';
import type { Language } from '../shared/texts/language.ts';
import type { FoundServer } from './core/discovery/found-server.ts';

/** The settings that a found server comes to. */
export function accountServers(
  found: FoundServer,
  caFile: string | null,
): { readonly userName: string; readonly smtp: SmtpServer; readonly imap: ImapServer | null } {
  const { smtp, imap, userName, imapUserName } = found;
  return {
    userName,
    smtp: { ...smtp, caFile },
    imap: imap === null ? null : { ...imap, caFile, userName: imapUserName === userName ? null : imapUserName },
  };
}

/** Where it was found, in words: presets by their name, everything else by what answered. */
export function sourceWords({ source, from }: FoundServer, language: Language): string {
  const name = providerById(from)?.name[language] ?? from;
  return DISCOVERY_TEXTS[language].source(source, name);
}

/** What its provider wants and how to come by it, one line each; empty where the provider is not known. */
export function adviceLines({ provider }: FoundServer, language: Language): readonly string[] {
  if (provider === null) return [];
  const texts = DISCOVERY_TEXTS[language];
  return [
    texts.wants(provider.name[language], secretOf(provider)[language]),
    ...(provider.accountPassword === 'refused' ? [texts.accountPasswordRefused] : []),
    ...(provider.accountPassword === 'ending' ? [texts.accountPasswordEnding] : []),
    provider.steps[language],
  ];
}

/** Why a server that takes a login with the browser only cannot be set up with a password. */
export function browserOnlyWords({ provider, smtp: { host, port } }: FoundServer, language: Language): TroubleWords {
  const words = { en: host, 'zh-CN': host };
  const name = provider?.name ?? words;
  const place = { host, port, provider: { name, secret: words, steps: words, otherServers: [] } };
  return CHECK_TEXTS[language].trouble({ kind: 'browser-only' }, place);
}
