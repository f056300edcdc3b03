import type { CheckProgress } from '../shared/account-check.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { SignInClients } from '../shared/sign-in.ts';
import { SIGN_IN_NAMES, type SignInProvider } from '../shared/sign-in-providers.ts';
import { CHECK_TEXTS } from '../shared/texts/check-texts.ts';
import type { CheckTrouble } from '../shared/texts/check-trouble.ts';
import type { Language } from '../shared/texts/language.ts';
import { signInPlace } from './adapters/oauth/providers.ts';
import { type SignInFailure, signIn } from './adapters/oauth/sign-in.ts';
import type { Tokens } from './adapters/oauth/tokens.ts';
import type { OpenTunnel } from './adapters/tunnel/tunnel.ts';
import type { AccountTrouble } from './check-account.ts';

export type AccountSignIn = {
  readonly provider: SignInProvider;
  readonly clients: SignInClients;
  readonly address: string;
  readonly language: Language;
  readonly tunnel: OpenTunnel;
  /** Shows the provider's page to the person. */
  readonly showPage: (url: string) => void | Promise<void>;
  readonly onProgress: (progress: CheckProgress) => void;
};

/** The person signs in on their provider's page; told as the first step of the account's check. Stores nothing. */
export async function signInForAccount(
  { provider, clients, address, language, tunnel, showPage, onProgress }: AccountSignIn,
  signal: AbortSignal,
): Promise<Result<Tokens, AccountTrouble>> {
  const texts = CHECK_TEXTS[language];
  const name = SIGN_IN_NAMES[provider];
  const fail = (trouble: CheckTrouble, quote: string | null): Result<never, AccountTrouble> => {
    const words = { en: name, 'zh-CN': name };
    const place = { host: name, port: 443, provider: { name: words, secret: words, steps: words, otherServers: [] } };
    const { text, next } = texts.trouble(trouble, place);
    onProgress({ step: 'sign-in', state: 'failed', text });
    return err({ text, next, quote });
  };
  const client = clients[provider];
  if (client === null) return fail({ kind: 'no-sign-in-client' }, null);
  onProgress({ step: 'sign-in', state: 'running', text: '' });
  const pages = texts.signInPages;
  const signed = await signIn({ place: signInPlace(provider, client), address, showPage, pages, tunnel }, signal);
  if (!signed.ok) return fail({ kind: TROUBLES[signed.error.kind] }, signed.error.text);
  onProgress({ step: 'sign-in', state: 'done', text: texts.signedIn(name) });
  return ok(signed.value);
}

const TROUBLES = {
  refused: 'sign-in-refused',
  'client-refused': 'sign-in-client-refused',
  'not-lasting': 'sign-in-not-lasting',
  unreachable: 'sign-in-unreachable',
  'no-browser': 'no-browser',
  late: 'sign-in-late',
  stopped: 'stopped',
} as const satisfies Record<SignInFailure['kind'], CheckTrouble['kind']>;
