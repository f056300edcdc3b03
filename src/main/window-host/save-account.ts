import type { CheckProgress } from '../../shared/account-check.ts';
import type { AccountInput, CheckOutcome } from '../../shared/ipc/views.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { MailAccount } from '../../shared/settings.ts';
import { CHECK_TEXTS } from '../../shared/texts/check-texts.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import type { MailSecret } from '../adapters/oauth/mail-secret.ts';
import { type AccountTrouble, checkAccount } from '../check-account.ts';
import { accountSince } from '../engine/pace-memory.ts';
import type { Clock, Ledger } from '../engine/ports.ts';
import { signInClients } from '../engine/sign-in-clients.ts';
import { withKnownFacts } from '../known-facts.ts';
import { type NewLogin, secretFor } from '../mail-secrets.ts';
import { checkAs } from '../set-up.ts';
import { signInForAccount } from '../sign-in-account.ts';
import type { AgentHost } from './agent-host.ts';

export type AccountSaverParts = {
  readonly host: AgentHost;
  readonly ledger: Pick<Ledger, 'setting'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly version: string;
  /** Shows the page of a sign-in in the system's browser. */
  readonly desktop: { openSignIn(url: string): Promise<void> };
  /** Tells the window how the check goes on. */
  readonly tellCheck: (progress: CheckProgress) => void;
};

export type AccountSaver = {
  /** Tries the login first; then secret and account are stored, and the agent starts anew with them. */
  save(input: AccountInput): Promise<CheckOutcome>;
  /** The person no longer wants to sign in; nothing is stored then. */
  stopSignIn(): void;
};

/** What the check logs in with; `login` is what is to be stored of it, null where that is in the keychain already. */
type Given = { readonly secret: MailSecret; readonly login: NewLogin | null };

export function createAccountSaver(parts: AccountSaverParts): AccountSaver {
  const { host, ledger, clock, version, desktop, tellCheck } = parts;
  let signingIn: AbortController | null = null;

  const newSignIn = async (account: MailAccount): Promise<Result<Given, AccountTrouble>> => {
    if (account.login === 'password') throw new Error('an account with a password signs in nowhere');
    // Somebody who closed the window and came back starts over.
    signingIn?.abort();
    const mine = new AbortController();
    signingIn = mine;
    const wanted = {
      provider: account.login,
      clients: signInClients(ledger),
      address: account.address,
      language: host.language(),
      tunnel: host.tunnels().web,
      showPage: (url: string) => desktop.openSignIn(url),
      onProgress: tellCheck,
    };
    const signed = await signInForAccount(wanted, mine.signal);
    if (signingIn === mine) signingIn = null;
    if (!signed.ok) return signed;
    const login = { kind: 'sign-in', tokens: signed.value } as const;
    return ok({ secret: secretFor(login), login });
  };

  const given = async (account: MailAccount, input: AccountInput): Promise<Result<Given, AccountTrouble>> => {
    if (account.login === 'password' && input.password !== '') {
      const login = { kind: 'password', password: input.password } as const;
      return ok({ secret: secretFor(login), login });
    }
    if (account.login !== 'password' && input.signIn === 'now') return newSignIn(account);
    return kept(account);
  };

  /** What an account that was stored for this way of logging in left in the keychain. */
  const kept = async (account: MailAccount): Promise<Result<Given, AccountTrouble>> => {
    const isPassword = account.login === 'password';
    const texts = DESKTOP_TEXTS[host.language()];
    const missing = (quote: string | null): Result<never, AccountTrouble> => {
      if (isPassword) return err({ text: texts.passwordMissing, next: '', quote });
      const place = { host: account.smtp.host, port: account.smtp.port, provider: null };
      return err({ ...CHECK_TEXTS[host.language()].trouble({ kind: 'sign-in-again' }, place), quote });
    };
    if (host.setUp().account?.login !== account.login) return missing(null);
    const secret = await host.mailSecrets.of(account.login)(null);
    return secret.ok ? ok({ secret: secret.value, login: null }) : missing(secret.error.text);
  };

  return {
    async save(input) {
      const texts = DESKTOP_TEXTS[host.language()];
      const { password: _password, signIn: _signIn, testMail, ...facts } = input;
      const before = host.setUp().account;
      const stays = before?.address === facts.address ? keptFacts(before) : {};
      const checkedFacts = checkAs('account', MailAccount, {
        ...facts,
        ...stays,
        imap: facts.imap ?? stays.imap ?? null,
      });
      if (!checkedFacts.ok) return { ok: false, text: texts.badArguments, quote: checkedFacts.error };
      const account = checkedFacts.value;
      const way = await given(account, input);
      if (!way.ok) return { ok: false, ...way.error };
      const checked = await checkAccount({
        account,
        secret: way.value.secret,
        language: host.language(),
        version,
        testMail,
        tunnel: host.tunnels().mail,
        onProgress: tellCheck,
      });
      if (!checked.ok) return { ok: false, ...checked.error };
      if (way.value.login !== null) {
        const stored = await host.mailSecrets.keep(way.value.login);
        if (!stored.ok) return { ok: false, text: stored.error.text, quote: null };
      }
      const written = host.save(
        [
          { kind: 'setting', key: 'account', value: withKnownFacts(account, checked.value, before) },
          ...accountSince(before, account.address, clock.nowMs()),
          // A login that works answers what the old one was refused for.
          { kind: 'hold-lifted', holdKind: 'account' },
          { kind: 'hold-lifted', holdKind: 'keychain' },
        ],
        'restart',
      );
      if (!written.ok) return { ok: false, text: texts.saveFailed, quote: null };
      await host.mailSecrets.forgetOthers(account.login);
      return { ok: true };
    },
    stopSignIn: () => signingIn?.abort(),
  };
}

/** What set-up does not ask for stays as it was while the address does. */
const keptFacts = ({ aliases, imap }: MailAccount): Partial<MailAccount> => ({ aliases, imap });
