import { password as askPassword, confirm } from '@inquirer/prompts';
import type { CheckProgress } from '../../shared/account-check.ts';
import { PROVIDERS } from '../../shared/providers/providers.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { MailAccount } from '../../shared/settings.ts';
import { type SignInClients, signInOf } from '../../shared/sign-in.ts';
import { type MailLogin, SIGN_IN_NAMES } from '../../shared/sign-in-providers.ts';
import { DISCOVERY_TEXTS } from '../../shared/texts/discovery-texts.ts';
import type { Tunnels } from '../adapters/tunnel/open-tunnel.ts';
import type { AccountTrouble } from '../check-account.ts';
import type { FoundServer } from '../core/discovery/found-server.ts';
import { providerOfServer } from '../core/discovery/match-provider.ts';
import type { NewLogin } from '../mail-secrets.ts';
import { signInForAccount } from '../sign-in-account.ts';
import { ask, passwordFromStdin } from './ask.ts';
import type { Terminal } from './terminal.ts';

/** The way a found server is logged in to; null where it takes a sign-in only, and none is set up here. */
export async function chooseLogin(
  { language }: Terminal,
  found: FoundServer,
  clients: SignInClients,
): Promise<MailLogin | null> {
  const offered = signInOf(found.provider ?? providerOfServer(found.smtp, PROVIDERS));
  const isReady = offered !== null && clients[offered] !== null;
  if (found.login === 'oauth') return isReady ? offered : null;
  if (!isReady || !process.stdin.isTTY) return 'password';
  const message = DISCOVERY_TEXTS[language].signIn(SIGN_IN_NAMES[offered]);
  return (await ask(() => confirm({ message, default: true }))) ? offered : 'password';
}

/** Asks for the password, or waits for the person to sign in on their provider's page. */
export async function askForLogin(
  terminal: Terminal,
  account: MailAccount,
  given: {
    readonly passwordStdin: boolean;
    readonly clients: SignInClients;
    readonly tunnels: Tunnels;
    readonly onProgress: (progress: CheckProgress) => void;
  },
): Promise<Result<NewLogin, AccountTrouble>> {
  const { language, texts } = terminal;
  const { address, login, smtp } = account;
  if (login === 'password') {
    const [kind] = providerOfServer(smtp, PROVIDERS)?.secrets ?? [];
    const message = kind === undefined ? texts.ask.password : DISCOVERY_TEXTS[language].secret[kind];
    const password = given.passwordStdin ? await passwordFromStdin() : await ask(() => askPassword({ message }));
    return ok({ kind: 'password', password });
  }
  const { clients, tunnels, onProgress } = given;
  const showPage = (url: string): void => terminal.say(texts.signInAt(url));
  const wanted = { provider: login, clients, address, language, tunnel: tunnels.web, showPage, onProgress };
  const signed = await signInForAccount(wanted, new AbortController().signal);
  return signed.ok ? ok({ kind: 'sign-in', tokens: signed.value }) : signed;
}
