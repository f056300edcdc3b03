import type { SettingsView } from '../../shared/ipc/views.ts';
import { PROVIDERS } from '../../shared/providers/providers.ts';
import type { MailAccount } from '../../shared/settings.ts';
import type { Language } from '../../shared/texts/language.ts';
import { PROVIDER_LIMIT_TEXTS } from '../../shared/texts/provider-limit-texts.ts';
import { providerOfServer } from '../core/discovery/match-provider.ts';

/** What the account's provider itself allows, in words; null where nothing is known of it. */
export function providerAllows({ smtp }: Pick<MailAccount, 'smtp'>, language: Language): SettingsView['provider'] {
  const provider = providerOfServer(smtp, PROVIDERS);
  if (provider === null) return null;
  const { limits, name } = provider;
  const texts = PROVIDER_LIMIT_TEXTS[language];
  const known = [
    limits.mailsPerMinute === null ? null : texts.mailsPerMinute(limits.mailsPerMinute),
    limits.mailsPerHour === null ? null : texts.mailsPerHour(limits.mailsPerHour),
    limits.mailsPerDay === null ? null : texts.mailsPerDay(limits.mailsPerDay),
    limits.recipientsPerDay === null ? null : texts.recipientsPerDay(limits.recipientsPerDay),
  ].filter((text) => text !== null);
  const allows = [...(known.length === 0 ? [] : [texts.list(known)]), limits.note?.[language] ?? null].filter(
    (text) => text !== null,
  );
  return allows.length === 0 ? null : { name: name[language], allows: allows.join(texts.between) };
}
