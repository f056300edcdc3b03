import type { CheckProgress, CheckStep } from '../shared/account-check.ts';
import { PROVIDERS } from '../shared/providers/providers.ts';
import { secretOf } from '../shared/providers/secret-words.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { MailAccount } from '../shared/settings.ts';
import { CHECK_TEXTS } from '../shared/texts/check-texts.ts';
import type { CheckPlace, CheckTrouble } from '../shared/texts/check-trouble.ts';
import type { Language } from '../shared/texts/language.ts';
import { systemClock } from './adapters/clock.ts';
import { createImapMailbox } from './adapters/imap/mailbox.ts';
import type { MailSecret } from './adapters/oauth/mail-secret.ts';
import { systemRandom } from './adapters/random.ts';
import { checkLogin } from './adapters/smtp/check-login.ts';
import type { OpenTunnel } from './adapters/tunnel/tunnel.ts';
import { factWords } from './core/check/fact-words.ts';
import type { CheckFact, CheckWatch } from './core/check/facts.ts';
import { troubleOf, troubleOfSignIn } from './core/check/trouble.ts';
import { providerOfServer } from './core/discovery/match-provider.ts';
import { lookForTestMail } from './engine/check/look-for-test-mail.ts';
import { sendTestMail, type TestMailFailure } from './send-test-mail.ts';

const LIMIT_MS = 120_000;
const TEST_MAIL_LIMIT_MS = 300_000;

export type AccountCheck = {
  readonly account: MailAccount;
  readonly secret: MailSecret;
  readonly language: Language;
  readonly version: string;
  /** The way to the mail servers. */
  readonly tunnel: OpenTunnel;
  /** With the person's consent: one mail to themselves, that is looked for in their folders. */
  readonly testMail: 'send' | 'none';
  readonly onProgress: (progress: CheckProgress) => void;
};

/** Why an account does not work: what happened, what to do next, and the words of the server or the system. */
export type AccountTrouble = { readonly text: string; readonly next: string; readonly quote: string | null };

/** What the check learned about the account, to be stored with it. */
export type AccountFindings = Pick<MailAccount, 'savesSentCopy' | 'keepsMessageId'>;

/**
 * The live check, before anything is stored: the server is looked up, connected to, its certificate checked, the login
 * tried, and asked whether the address may send. With consent a test mail follows. Nothing about the folders fails it.
 */
export async function checkAccount(check: AccountCheck): Promise<Result<AccountFindings, AccountTrouble>> {
  const { account, secret, language, tunnel } = check;
  const watch: CheckWatch = {
    onStep: (step) => check.onProgress({ step, state: 'running', text: '' }),
    onFact: (fact) => check.onProgress({ step: fact.step, state: 'done', text: factWords(fact, language) }),
  };
  const fail = (step: CheckStep, trouble: CheckTrouble, quote: string | null): Result<never, AccountTrouble> => {
    const seen = secret.kind === 'access-token' ? troubleOfSignIn(trouble) : trouble;
    const { text, next } = CHECK_TEXTS[language].trouble(seen, placeOf(account));
    check.onProgress({ step, state: 'failed', text });
    return err({ text, next, quote });
  };

  const signal = AbortSignal.timeout(LIMIT_MS);
  const { address, userName, smtp: server } = account;
  const checked = await checkLogin({ server, userName, secret, address, tunnel, signal }, watch);
  if (!checked.ok) {
    const { step, end, certificate } = checked.error;
    const quote = end.kind === 'replied' ? `${end.reply.code} ${end.reply.text}` : end.text;
    return fail(step, troubleOf(end, step, certificate), quote);
  }
  if (check.testMail === 'none') return ok({ savesSentCopy: 'unknown', keepsMessageId: 'unknown' });

  watch.onStep('test-mail');
  const late = AbortSignal.timeout(TEST_MAIL_LIMIT_MS);
  const sent = await sendTestMail({ clock: systemClock, random: systemRandom }, check, late);
  if (!sent.ok) return fail('test-mail', testMailTrouble(sent.error), quoteOf(sent.error));
  watch.onFact({ step: 'test-mail', address });
  watch.onStep('sent-copy');
  return ok(await lookAtFolders(check, sent.value.messageId, watch, late));
}

async function lookAtFolders(
  { account, secret, language, version, tunnel, onProgress }: AccountCheck,
  messageId: string,
  watch: CheckWatch,
  signal: AbortSignal,
): Promise<AccountFindings> {
  const texts = CHECK_TEXTS[language];
  const unclear = (text: string): AccountFindings => {
    onProgress({ step: 'sent-copy', state: 'unclear', text });
    return { savesSentCopy: 'unknown', keepsMessageId: 'unknown' };
  };
  const { imap: server, userName } = account;
  if (server === null) return unclear(texts.noMailbox);
  const mailbox = createImapMailbox({ server, userName, version, secret: async () => ok(secret), tunnel });
  const seen = await lookForTestMail({ clock: systemClock, mailbox }, messageId, signal);
  if (!seen.ok) return unclear(texts.mailboxUnread(seen.error.text));
  const fact: CheckFact = { step: 'sent-copy', ...seen.value };
  watch.onFact(fact);
  return { savesSentCopy: fact.savesCopy, keepsMessageId: fact.keepsMessageId };
}

/** Before the last bytes it certainly did not leave. */
function testMailTrouble(failure: TestMailFailure): CheckTrouble {
  switch (failure.kind) {
    case 'replied':
      return troubleOf(failure, 'test-mail', null);
    case 'broken':
      return failure.stage === 'handed-over' ? { kind: 'test-mail-uncertain' } : troubleOf(failure, 'test-mail', null);
    case 'held-back':
    case 'unwritable':
      return { kind: 'unclear' };
  }
}

const quoteOf = (failure: TestMailFailure): string | null =>
  failure.kind === 'replied'
    ? `${failure.reply.code} ${failure.reply.text}`
    : failure.kind === 'broken'
      ? failure.text
      : null;

function placeOf({ smtp: { host, port } }: MailAccount): CheckPlace {
  const provider = providerOfServer(host, PROVIDERS);
  return {
    host,
    port,
    provider: provider === null ? null : { name: provider.name, secret: secretOf(provider), steps: provider.steps },
  };
}
