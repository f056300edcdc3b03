import { NO_SIGN_IN, type SignInClient, SignInClients } from '../../shared/sign-in.ts';
import { SIGN_IN_PROVIDERS } from '../../shared/sign-in-providers.ts';
import type { SignInIds } from '../../shared/wire/messages.ts';
import type { Ledger, LedgerChange } from './ports.ts';

const KEY = 'signIn';

/** Under which names the organisation registered this program; a setting that cannot be read is as good as none. */
export function signInClients(ledger: Pick<Ledger, 'setting'>): SignInClients {
  const parsed = SignInClients.safeParse(ledger.setting(KEY) ?? {});
  return parsed.success ? parsed.data : NO_SIGN_IN;
}

/**
 * What the office says about it, as a change of the setting; none where nothing is new. What a person set by hand on
 * this computer stays. Where the sign-in itself is found is never the cloud's to say: it would get the permission.
 */
export function signInChanges(ledger: Pick<Ledger, 'setting'>, told: SignInIds | undefined): readonly LedgerChange[] {
  if (told === undefined) return [];
  const before = signInClients(ledger);
  const clients = SIGN_IN_PROVIDERS.map((provider): [string, SignInClient | null] => {
    const mine = before[provider];
    if (mine !== null && mine.setBy === 'hand') return [provider, mine];
    const named = told[provider] ?? null;
    if (named === null) return [provider, null];
    const { client_id: clientId, client_secret: clientSecret = null } = named;
    return [provider, { clientId, clientSecret, endpoints: null, scope: null, setBy: 'cloud' }];
  });
  const value = SignInClients.parse(Object.fromEntries(clients));
  return JSON.stringify(value) === JSON.stringify(before) ? [] : [{ kind: 'setting', key: KEY, value }];
}
