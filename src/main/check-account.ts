import { err, ok, type Result } from '../shared/result.ts';
import type { MailAccount } from '../shared/settings.ts';
import type { Language } from '../shared/texts/language.ts';
import { checkLogin } from './adapters/smtp/check-login.ts';
import { classify, classifyBroken } from './core/classify.ts';
import { failureOf } from './core/failure.ts';

const LIMIT_MS = 120_000;

/** Why a login did not work: in words for a person, and as the server or the system said it. */
export type AccountTrouble = { readonly text: string; readonly quote: string };

/** Connects and logs in as sending would, and sends nothing. */
export async function checkAccount(
  account: MailAccount,
  password: string,
  language: Language,
  secret: 'password' | 'access-token' = 'password',
): Promise<Result<void, AccountTrouble>> {
  const checked = await checkLogin({
    server: account.smtp,
    userName: account.userName,
    password,
    secret,
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (checked.ok) return ok(undefined);
  const end = checked.error;
  const failure =
    end.kind === 'replied'
      ? failureOf(language, end.stage, classify(end.stage, end.reply), end.reply)
      : failureOf(language, end.stage, classifyBroken(end.stage, end.cause), null, end.cause);
  return err({
    text: failure.message,
    quote: end.kind === 'replied' ? `${end.reply.code} ${end.reply.text}` : end.text,
  });
}
