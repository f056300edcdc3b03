import type { Provider } from '../../../shared/providers/provider.ts';
import { secretOf } from '../../../shared/providers/secret-words.ts';
import type { CheckPlace } from '../../../shared/texts/check-trouble.ts';
import { providerOfServer } from '../discovery/match-provider.ts';

/** What the words about a server need to know of it; the provider's own steps where one of them runs it. */
export function checkPlace(
  { host, port }: { readonly host: string; readonly port: number },
  providers: readonly Provider[],
): CheckPlace {
  const provider = providerOfServer({ host, port }, providers);
  if (provider === null) return { host, port, provider };
  const { name, steps, sites } = provider;
  const servers = sites.flatMap(({ smtp }) => smtp);
  const otherServers = servers.filter((one) => one.host !== host.toLowerCase());
  return { host, port, provider: { name, secret: secretOf(provider), steps, otherServers } };
}
